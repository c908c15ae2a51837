package dev.sluice.webhook.fence;

import static dev.sluice.webhook.fence.Quotas.holding;
import static dev.sluice.webhook.fence.Quotas.waiting;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.rules.settings.GuardMode;
import dev.sluice.testkit.Tier;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Two servers, each with a watch of its own, and two schedulers that both believe that they lead
 * and whose writes reach either of them: what the fence still keeps, and what it does not.
 */
class TwoServersTest {
  private static final int QUOTA = 8;
  private static final int MOST = 12;
  private static final int STEPS = 2_000;
  private static final Duration STEP = Duration.ofMillis(10);

  private final AtomicLong nanos = new AtomicLong();
  private final List<Server> servers = List.of(new Server(), new Server());
  private final List<Stored> workloads = new ArrayList<>();
  private int now;
  private int version;

  /** A Workload as the API server has it. */
  private static final class Stored {
    private final String name;
    private final int cpu;
    private int version;
    private boolean holds;

    private Stored(String name, int cpu) {
      this.name = name;
      this.cpu = cpu;
    }
  }

  private record Event(int at, Runnable shown) {}

  private final class Server {
    private final Quotas quotas = new Quotas().queue("a", "", QUOTA, "");
    private final FencedQuotaView fence =
        new FencedQuotaView(EngineConfiguration.defaults(), GuardMode.DENY, quotas, nanos::get);
    private final Deque<Event> watch = new ArrayDeque<>();

    private void show() {
      while (!watch.isEmpty() && watch.getFirst().at() <= now) {
        watch.removeFirst().shown().run();
      }
    }

    private void forget(String name, long deletion) {
      quotas.watchGone(name, deletion);
      quotas.countGone(name);
    }

    private boolean letsThrough(Stored one) {
      return fence
          .reserve(
              waiting(one.name, one.version), holding(one.name, one.version, "a", one.cpu), false)
          .isEmpty();
    }
  }

  private Stored create(int cpu, int lag, Random random) {
    Stored one = new Stored("w-" + version, cpu);
    workloads.add(one);
    tell(one, lag, random);
    return one;
  }

  /** Stores a new version, which each server is shown in its own time. */
  private void tell(Stored one, int lag, Random random) {
    one.version = ++version;
    var seen =
        one.holds ? holding(one.name, one.version, "a", one.cpu) : waiting(one.name, one.version);
    for (Server server : servers) {
      server.watch.add(
          new Event(now + (lag == 0 ? 0 : random.nextInt(lag)), () -> server.quotas.see(seen)));
      server.show();
    }
  }

  private void delete(Stored one, int lag, Random random) {
    workloads.remove(one);
    long deletion = ++version;
    for (Server server : servers) {
      server.watch.add(
          new Event(
              now + (lag == 0 ? 0 : random.nextInt(lag)), () -> server.forget(one.name, deletion)));
      server.show();
    }
  }

  private int reserved() {
    return workloads.stream().filter(it -> it.holds).mapToInt(it -> it.cpu).sum();
  }

  private void pass(int steps) {
    for (int i = 0; i < steps; i++) {
      now++;
      nanos.addAndGet(STEP.toNanos());
      servers.forEach(Server::show);
    }
  }

  /** Both schedulers ask for what they find, each on the server that it happens to reach. */
  private int step(int lag, Random random) {
    pass(1);
    if (random.nextInt(4) == 0 && workloads.size() < MOST) {
      create(1 + random.nextInt(4), lag, random);
    }
    int stored = 0;
    for (int scheduler = 0; scheduler < 2 && !workloads.isEmpty(); scheduler++) {
      Stored one = workloads.get(random.nextInt(workloads.size()));
      if (!one.holds && servers.get(random.nextInt(2)).letsThrough(one)) {
        one.holds = true;
        tell(one, lag, random);
        stored++;
      }
    }
    if (!workloads.isEmpty() && random.nextInt(6) == 0) {
      delete(workloads.get(random.nextInt(workloads.size())), lag, random);
    }
    return stored;
  }

  static LongStream seeds() {
    return LongStream.range(0, Tier.number(4, 12));
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void areExactWhileTheirWatchesDoNotLag(long seed) {
    Random random = new Random(seed);
    int stored = 0;

    for (int i = 0; i < STEPS; i++) {
      stored += step(0, random);

      assertThat(reserved()).as("at step " + i).isLessThanOrEqualTo(QUOTA);
    }
    assertThat(stored).as("reservations that came through").isGreaterThan(50);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void neverLetThroughMoreThanTheQuotaEachWhileTheirWatchesLag(long seed) {
    Random random = new Random(seed);
    int lag = 2 + random.nextInt(80);
    int stored = 0;

    for (int i = 0; i < STEPS; i++) {
      stored += step(lag, random);

      assertThat(reserved()).as("at step " + i).isLessThanOrEqualTo(2 * QUOTA);
    }
    assertThat(stored).as("reservations that came through").isGreaterThan(50);
  }

  @Test
  void canBothGiveAwayTheSameQuotaWithinALagAndNothingMoreAfterIt() {
    Random random = new Random(1);
    Stored first = create(QUOTA, 0, random);
    Stored second = create(QUOTA, 0, random);
    int lag = 50;

    assertThat(servers.getFirst().letsThrough(first)).isTrue();
    first.holds = true;
    tell(first, lag, random);
    assertThat(servers.getFirst().letsThrough(second)).as("it knows its own answer").isFalse();
    assertThat(servers.getLast().letsThrough(second)).as("it has not seen it").isTrue();
    second.holds = true;
    tell(second, lag, random);

    pass(lag);
    assertThat(reserved()).isEqualTo(2 * QUOTA);
    Stored third = create(1, 0, random);
    assertThat(servers).noneMatch(server -> server.letsThrough(third));
  }
}
