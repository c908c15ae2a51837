package dev.sluice.supervision;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The sign of life of one thread. It is late if the thread is at work and did not beat within the
 * deadline, and it is failing if each attempt failed for {@link #FAILING}. One thread beats; any
 * may ask. Beating costs a read of the clock and a volatile write.
 */
public final class Heartbeat implements AutoCloseable {
  /** How long a thread may fail without one success before the process counts as unhealthy. */
  static final Duration FAILING = Duration.ofMinutes(2);

  private final String name;
  private final Duration deadline;
  private final Supervisor supervisor;
  private volatile boolean resting = true;
  private volatile long beatAt;
  private volatile @Nullable Failing failing;

  private record Failing(long since, String cause) {}

  Heartbeat(String name, Duration deadline, Supervisor supervisor) {
    this.name = name;
    this.deadline = deadline;
    this.supervisor = supervisor;
    this.beatAt = supervisor.nanoTime();
  }

  /** The thread works; the deadline counts from now. */
  public void beat() {
    beatAt = supervisor.nanoTime();
    resting = false;
  }

  /** The thread waits for work, for any time; no deadline counts until the next beat. */
  public void rest() {
    resting = true;
  }

  /** An attempt succeeded. */
  public void succeeded() {
    if (failing != null) {
      failing = null;
    }
    beat();
  }

  /** An attempt failed, and the thread tries again. */
  public void failed(Throwable cause) {
    Failing before = failing;
    failing =
        new Failing(before == null ? supervisor.nanoTime() : before.since(), cause.toString());
    beat();
  }

  /** What is wrong, and since when; empty if nothing is. */
  Optional<String> problem() {
    Failing now = failing;
    if (now != null && isOlder(now.since(), FAILING)) {
      return Optional.of(
          "%s: failing %s, last with %s".formatted(name, supervisor.since(now.since()), now.cause));
    }
    long last = beatAt;
    return !resting && isOlder(last, deadline)
        ? Optional.of(
            "%s: no sign of life %s (expected: every %d s)"
                .formatted(name, supervisor.since(last), deadline.toSeconds()))
        : Optional.empty();
  }

  private boolean isOlder(long since, Duration limit) {
    return supervisor.nanoTime() - since > limit.toNanos();
  }

  /** The thread has ended as it should and is no longer checked. */
  @Override
  public void close() {
    supervisor.forget(this);
  }
}
