package dev.sluice.server.see;

import dev.sluice.see.standing.Standings;
import dev.sluice.see.usage.UsageLog;
import dev.sluice.supervision.Supervisor;
import io.vertx.core.Vertx;
import java.time.InstantSource;

/** Notes at intervals what all ClusterQueues use, once they are known. */
final class UsageSampler {
  private static final long TICK_MILLIS = 1_000;

  private final QueueSource queues;
  private final UsageLog usage;
  private final InstantSource clock;

  private UsageSampler(QueueSource queues, UsageLog usage, InstantSource clock) {
    this.queues = queues;
    this.usage = usage;
    this.clock = clock;
  }

  /**
   * Starts it, and returns what it fills. It ends with these event loops; a sample is taken by a
   * worker of theirs.
   */
  static UsageLog start(Vertx vertx, QueueSource queues, Supervisor supervisor) {
    UsageLog usage = new UsageLog();
    InstantSource clock = InstantSource.system();
    UsageSampler sampler = new UsageSampler(queues, usage, clock);
    Runnable guarded = supervisor.part("usage").guarded(sampler::sample);
    vertx.setPeriodic(
        TICK_MILLIS,
        _ -> {
          if (usage.isDue(clock.instant())) {
            var _ =
                vertx.executeBlocking(
                    () -> {
                      guarded.run();
                      return null;
                    },
                    false);
          }
        });
    return usage;
  }

  private void sample() {
    queues.state().ifPresent(state -> usage.note(clock.instant(), Standings.of(state.snapshot())));
  }
}
