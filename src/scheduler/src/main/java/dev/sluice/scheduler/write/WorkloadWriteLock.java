package dev.sluice.scheduler.write;

import dev.sluice.api.meta.ObjectKey;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Serialises the writes that change a Workload and the writes that depend on its state: no pod gets
 * a place while the place may be taken from its Workload. One write at a time holds the lock of a
 * Workload, in order of arrival. Thread-safe.
 */
// The API server stores one object at a time, so "if the Workload is at that version" cannot be
// asked when a pod is written. It is asked here, where all writes of the one process that leads go
// by. A write that ended without an answer, or with a conflict, may have changed the Workload all
// the same: nothing is done because of it before a later version is seen, or for a time.
public final class WorkloadWriteLock {
  /** How long an unanswered request may still be carried out. */
  private static final Duration UNHEARD = Duration.ofSeconds(30);

  /** How long the view may need to show a write of another client or an unanswered one of ours. */
  private static final Duration UNSEEN = Duration.ofSeconds(5);

  private static final int STRIPES = 256;
  private static final int MANY = 10_000;

  private final LongSupplier nanoTime;
  private final ReentrantLock[] locks =
      IntStream.range(0, STRIPES)
          .mapToObj(_ -> new ReentrantLock(true))
          .toArray(ReentrantLock[]::new);
  private final Map<ObjectKey, Doubt> doubts = new ConcurrentHashMap<>();

  /**
   * It may have changed since that version; assumed settled from that time on.
   *
   * @param unheard until when an unanswered request may still be carried out
   */
  private record Doubt(String version, long until, long unheard) {
    Doubt and(Doubt other) {
      return new Doubt(version, later(until, other.until), later(unheard, other.unheard));
    }

    private static long later(long one, long other) {
      return one - other > 0 ? one : other;
    }
  }

  /** WorkloadWriteLock by a clock that counts nanoseconds from anywhere. */
  public WorkloadWriteLock(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /**
   * Changes a Workload.
   *
   * @param demanded the version for which the change is valid; null if it is valid for any
   * @param seen its known version; read under the lock
   * @param write sends the change; when it returns, {@code seen} includes the stored result
   */
  public WriteResult change(
      ObjectKey workload,
      @Nullable String demanded,
      Supplier<String> seen,
      Supplier<WriteResult> write) {
    ReentrantLock lock = lock(workload);
    lock.lock();
    try {
      String before = seen.get();
      WriteResult sent = write.get();
      boolean possible = demanded == null || demanded.equals(before);
      switch (sent) {
        case WriteResult.Done _ -> doubts.remove(workload);
        case WriteResult.Unanswered _ when possible -> raise(workload, before, UNHEARD, UNHEARD);
        case WriteResult.Conflict _ when possible -> raise(workload, before, UNSEEN, Duration.ZERO);
        case WriteResult.Unanswered _,
            WriteResult.Conflict _ -> {} // it was another already, as we know
        case WriteResult.Missing _,
            WriteResult.Refused _,
            WriteResult.NotLeading _ -> {} // it is as it was
      }
      return sent;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Runs an action that depends on a version of a Workload; returns a conflict if it has, or may
   * have, another version.
   *
   * @param seen its known version; read under the lock
   */
  public WriteResult because(
      ObjectKey workload, String version, Supplier<String> seen, Supplier<WriteResult> write) {
    ReentrantLock lock = lock(workload);
    lock.lock();
    try {
      return seen.get().equals(version) && doubt(workload, version).isEmpty()
          ? write.get()
          : new WriteResult.Conflict(workload + " is, or may be, another than at " + version);
    } finally {
      lock.unlock();
    }
  }

  /**
   * How long an unanswered change of a Workload may still be carried out; zero if there is none, or
   * once a later version is seen, with which it would conflict.
   *
   * @param version its version as we know it
   */
  public Duration unheard(ObjectKey workload, String version) {
    return doubt(workload, version)
        .map(doubt -> Duration.ofNanos(Math.max(0, doubt.unheard() - nanoTime.getAsLong())))
        .orElse(Duration.ZERO);
  }

  private Optional<Doubt> doubt(ObjectKey workload, String version) {
    Doubt doubt = doubts.get(workload);
    if (doubt == null) {
      return Optional.empty();
    }
    if (doubt.version().equals(version) && doubt.until() - nanoTime.getAsLong() > 0) {
      return Optional.of(doubt);
    }
    doubts.remove(workload, doubt);
    return Optional.empty();
  }

  private void raise(ObjectKey workload, String version, Duration unseen, Duration unheard) {
    long now = nanoTime.getAsLong();
    if (doubts.size() >= MANY) {
      doubts.values().removeIf(doubt -> doubt.until() - now <= 0);
    }
    doubts.merge(
        workload,
        new Doubt(version, now + unseen.toNanos(), now + unheard.toNanos()),
        (old, fresh) -> old.version().equals(version) ? old.and(fresh) : fresh);
  }

  private ReentrantLock lock(ObjectKey workload) {
    return locks[Math.floorMod(workload.hashCode() * 0x9E3779B9, STRIPES)];
  }
}
