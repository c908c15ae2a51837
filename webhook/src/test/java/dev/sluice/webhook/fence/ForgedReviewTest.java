package dev.sluice.webhook.fence;

import static dev.sluice.webhook.fence.Quotas.holding;
import static dev.sluice.webhook.fence.Quotas.waiting;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.rules.settings.GuardMode;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Any client that reaches the port can send reviews of Workloads that exist nowhere. */
class ForgedReviewTest {
  private static final long TICK = Duration.ofMillis(10).toNanos();

  private final AtomicLong nanos = new AtomicLong();
  private final Quotas quotas = new Quotas().queue("a", "", 3, "");
  private final FencedQuotaView fenced =
      new FencedQuotaView(EngineConfiguration.defaults(), GuardMode.DENY, quotas, nanos::get);

  @ParameterizedTest(name = "one every {0} ms")
  @ValueSource(ints = {5_000, 10})
  void keepARealWorkloadFromItsQuotaForASecondAtMost(int every) {
    quotas.see(waiting("real", 1));
    long refusedSince = -1;

    for (int tick = 0; tick < 6_000; tick++) { // a minute
      if (tick * 10 % every == 0) {
        fenced.reserve(
            waiting("forged-" + tick, 1_000 + tick),
            holding("forged-" + tick, 1_000 + tick, "a", 3),
            false);
      }
      boolean refused =
          fenced.reserve(waiting("real", 1), holding("real", 1, "a", 3), true).isPresent();
      refusedSince = !refused ? -1 : refusedSince < 0 ? nanos.get() : refusedSince;

      assertThat(refused ? nanos.get() - refusedSince : 0)
          .isLessThanOrEqualTo(Duration.ofSeconds(1).toNanos());
      nanos.addAndGet(TICK);
    }
  }

  @Test
  void areCountedByWhatBecameOfThem() {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    fenced.bindTo(registry);
    quotas.see(waiting("real", 1));

    fenced.reserve(waiting("real", 1), holding("real", 1, "a", 1), false);
    fenced.reserve(waiting("forged", 9), holding("forged", 9, "a", 1), false);
    fenced.reserve(waiting("greedy", 10), holding("greedy", 10, "a", 3), false);
    fenced.reserve(waiting("greedy", 10), holding("greedy", 10, "a", 3), true);

    assertThat(unconfirmed(registry, "allowed")).isEqualTo(1);
    assertThat(unconfirmed(registry, "refused")).isEqualTo(2);
    assertThat(registry.get("sluice.fence.promises").gauge().value()).isEqualTo(2);
  }

  private static double unconfirmed(SimpleMeterRegistry registry, String outcome) {
    return registry
        .get("sluice.fence.unconfirmed.reviews")
        .tag("outcome", outcome)
        .functionCounter()
        .count();
  }

  @Test
  void tellNobodyHowMuchQuotaIsLeft() {
    quotas.see(waiting("real", 1));
    quotas.see(holding("real", 2, "a", 2));

    assertThat(fenced.reserve(waiting("forged", 9), holding("forged", 9, "a", 3), false))
        .hasValueSatisfying(it -> assertThat(it.sentence()).doesNotContainPattern("[0-9]"));
  }
}
