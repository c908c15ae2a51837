package dev.sluice.webhook.server;

import dev.sluice.supervision.Heartbeat;
import dev.sluice.supervision.Part;
import dev.sluice.supervision.Supervisor;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Workers that report what their tasks throw. Each lane is a part with a heartbeat of its own,
 * which is late when tasks wait and none begins or ends. Thread-safe.
 */
public final class WatchedWorkers implements Workers {
  /** Longer than any request may take. */
  private static final Duration DEADLINE = Duration.ofMinutes(2);

  private final Workers workers;
  private final Map<Lane, WatchedLane> lanes = new EnumMap<>(Lane.class);

  /** Hands tasks on to those workers; the parts are called after the lanes: workers-large. */
  public WatchedWorkers(Workers workers, Supervisor supervisor) {
    this.workers = workers;
    for (Lane lane : Lane.values()) {
      String name = "workers-" + lane.name().toLowerCase(Locale.ROOT);
      lanes.put(lane, new WatchedLane(supervisor.part(name)));
    }
  }

  @Override
  public boolean tryExecute(Lane lane, Runnable work) {
    WatchedLane watched = lanes.get(lane);
    return watched != null && watched.tryExecute(task -> workers.tryExecute(lane, task), work);
  }

  /** Takes a task, or does not. */
  @FunctionalInterface
  private interface Taker {
    boolean tryTake(Runnable task);
  }

  private static final class WatchedLane {
    private final Part part;
    private final Heartbeat heart;
    private final AtomicInteger pending = new AtomicInteger();

    private WatchedLane(Part part) {
      this.part = part;
      this.heart = part.heartbeat(DEADLINE);
    }

    private boolean tryExecute(Taker taker, Runnable work) {
      if (pending.getAndIncrement() == 0) {
        heart.beat();
      }
      boolean accepted = false;
      try {
        accepted = taker.tryTake(() -> run(work));
      } finally {
        if (!accepted) {
          ended();
        }
      }
      return accepted;
    }

    private void run(Runnable work) {
      heart.beat();
      try {
        work.run();
      } catch (Throwable t) { // a pool would swallow it or lose a thread
        part.failed(t, "later tasks still run");
      } finally {
        ended();
      }
    }

    private void ended() {
      if (pending.decrementAndGet() == 0) {
        heart.rest();
      }
      if (pending.get() > 0) { // also of a task that came while the heart was put to rest
        heart.beat();
      }
    }
  }
}
