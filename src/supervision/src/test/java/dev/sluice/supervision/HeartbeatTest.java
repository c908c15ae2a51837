package dev.sluice.supervision;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class HeartbeatTest {
  private static final Instant NOON = Instant.parse("2026-11-23T12:00:00Z");
  private static final Duration DEADLINE = Duration.ofSeconds(30);

  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5); // a clock that overflows
  private Instant now = NOON;
  private final Supervisor supervisor = new Supervisor((_, _) -> {}, () -> now, nanos::get);
  private final Heartbeat heart = supervisor.part("engine").heartbeat(DEADLINE);

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
    now = now.plus(time);
  }

  @Test
  void aPartThatRestsIsHealthyForAnyTime() {
    pass(Duration.ofDays(1));
    assertThat(supervisor.health()).isEqualTo(Health.GOOD);

    heart.beat();
    heart.rest();
    pass(Duration.ofDays(1));
    assertThat(supervisor.health().text()).isEqualTo("ok");
  }

  @Test
  void aPartAtWorkThatIsSilentForLongerThanItsDeadlineIsNamedWithTheTimeSince() {
    heart.beat();
    pass(DEADLINE);
    assertThat(supervisor.health().isGood()).isTrue();

    pass(Duration.ofSeconds(45));
    assertThat(supervisor.health().problems())
        .containsExactly(
            "engine: no sign of life for 75 s, since 2026-11-23T12:00:00Z"
                + " (expected: every 30 s)");

    heart.beat();
    assertThat(supervisor.health().isGood()).isTrue();
  }

  @Test
  void aPartThatOnlyFailsIsNamedAfterTwoMinutesHoweverOftenItBeats() {
    for (int i = 0; i < 121; i++) {
      assertThat(supervisor.health().isGood()).as("second %d", i).isTrue();
      heart.failed(new IllegalStateException("out of order"));
      pass(Duration.ofSeconds(1));
    }

    assertThat(supervisor.health().problems())
        .containsExactly(
            "engine: failing for 121 s, since 2026-11-23T12:00:00Z, last with"
                + " java.lang.IllegalStateException: out of order");

    heart.succeeded();
    assertThat(supervisor.health().isGood()).isTrue();
  }

  @Test
  void aPartThatHasEndedIsNotAskedAnyMore() {
    heart.beat();
    heart.close();
    pass(Duration.ofDays(1));

    assertThat(supervisor.health().isGood()).isTrue();
  }

  @Test
  void allProblemsAreToldInOrder() {
    heart.beat();
    supervisor.part("audit").heartbeat(DEADLINE).beat();
    supervisor.check(() -> Optional.of("https: refused"));
    pass(Duration.ofMinutes(1));

    List<String> problems = supervisor.health().problems();
    assertThat(problems).hasSize(3).isSorted();
    assertThat(supervisor.health().text()).isEqualTo(String.join("\n", problems));
  }
}
