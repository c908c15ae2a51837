package dev.sluice.scheduler;

import dev.sluice.supervision.Heartbeat;
import dev.sluice.supervision.SupervisedThread;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits until the view is complete, then runs a step once: nothing is decided earlier, since all
 * Workloads with quota must be known first. A failed step is retried from its start.
 */
final class ViewWait implements SupervisedThread.Step {
  private static final Logger LOG = LoggerFactory.getLogger(ViewWait.class);
  private static final int ROUNDS_PER_WARNING = 200;

  private final Supplier<? extends Collection<String>> missing;
  private final Duration pause;
  private final Runnable seesAll;

  /**
   * A step that waits.
   *
   * @param missing what was not seen yet, a sentence each; must not wait
   * @param pause time until it looks again
   * @param seesAll called once all was seen
   */
  ViewWait(Supplier<? extends Collection<String>> missing, Duration pause, Runnable seesAll) {
    this.missing = missing;
    this.pause = pause;
    this.seesAll = seesAll;
  }

  @Override
  public boolean take(Heartbeat heart) throws InterruptedException {
    int rounds = 0;
    for (Collection<String> left = missing.get(); !left.isEmpty(); left = missing.get()) {
      heart.beat();
      if (++rounds % ROUNDS_PER_WARNING == 0) {
        LOG.warn(
            "the scheduler does not schedule yet; it still lists: {}", String.join("; ", left));
      }
      TimeUnit.NANOSECONDS.sleep(pause.toNanos());
    }
    seesAll.run();
    return false;
  }
}
