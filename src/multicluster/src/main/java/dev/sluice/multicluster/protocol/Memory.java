package dev.sluice.multicluster.protocol;

import static java.util.Objects.requireNonNull;

import dev.sluice.api.meta.Copies;
import dev.sluice.multicluster.dispatch.Round;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The state that is kept from one plan to the next for the same Workload. Losing it costs time and
 * requests, but no correctness.
 *
 * @param admitted when each worker's copy was first seen Admitted, by our clock
 * @param leftOut workers that are not offered the Workload for a while
 * @param round where the dispatcher is
 * @param told when the message of the check was last written
 * @param mirrored when the status of the job was last written
 * @param ended when the Workload was first seen finished on a worker and its job was not
 * @param touched the last touch that was planned of the copy on each worker that is silent
 */
public record Memory(
    Map<String, Instant> admitted,
    Map<String, LeftOut> leftOut,
    Optional<Round> round,
    Optional<Instant> told,
    Optional<Instant> mirrored,
    Optional<Instant> ended,
    Map<String, Touch> touched) {
  /** No state. */
  public static final Memory NONE =
      new Memory(
          Map.of(),
          Map.of(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Map.of());

  /** The touch with that number, which was planned then. It is lost if its plan is outdated. */
  public record Touch(int number, Instant at) {
    public Touch {
      requireNonNull(at, "at");
    }
  }

  /** Why a worker is left out. */
  public enum Cause {
    /** An object of another owner has the name there. */
    NAME_TAKEN,
    /** The worker changed the job. */
    OUT_OF_SYNC,
    /** The copy was deactivated there. */
    DEACTIVATED,
    /** A check of the worker rejected the copy. */
    REJECTED
  }

  /**
   * A worker that is left out.
   *
   * @param times how often in a row
   */
  public record LeftOut(int times, Instant until, Cause cause, String why) {
    private static final Duration LONGEST = Duration.ofMinutes(10);

    public LeftOut {
      requireNonNull(until, "until");
      requireNonNull(cause, "cause");
      requireNonNull(why, "why");
    }

    /** One, two, four minutes and so on, at most ten. */
    static Duration backoff(int times) {
      Duration backoff = Duration.ofMinutes(1L << Math.clamp(times - 1, 0, 4));
      return backoff.compareTo(LONGEST) < 0 ? backoff : LONGEST;
    }
  }

  public Memory {
    admitted = Copies.of(admitted);
    leftOut = Copies.of(leftOut);
    requireNonNull(round, "round");
    requireNonNull(told, "told");
    requireNonNull(mirrored, "mirrored");
    requireNonNull(ended, "ended");
    touched = Copies.of(touched);
  }

  /** Whether that worker is left out at that time. */
  public Optional<LeftOut> leftOut(String cluster, Instant now) {
    return Optional.ofNullable(leftOut.get(cluster)).filter(it -> now.isBefore(it.until()));
  }

  Memory leaveOut(String cluster, Cause cause, String why, Instant now) {
    LeftOut before = leftOut.get(cluster);
    int times = before == null ? 1 : before.times() + 1;
    Map<String, LeftOut> changed = new LinkedHashMap<>(leftOut);
    changed.put(cluster, new LeftOut(times, now.plus(LeftOut.backoff(times)), cause, why));
    return new Memory(admitted, changed, round, told, mirrored, ended, touched);
  }

  /** Each copy that is Admitted has been so since it was first seen. */
  Memory seeing(Iterable<String> admittedNow, Instant now) {
    Map<String, Instant> changed = new HashMap<>();
    admittedNow.forEach(it -> changed.put(it, admitted.getOrDefault(it, now)));
    return new Memory(changed, leftOut, round, told, mirrored, ended, touched);
  }

  Memory with(Optional<Round> changed) {
    return new Memory(admitted, leftOut, changed, told, mirrored, ended, touched);
  }

  Memory told(Instant now) {
    return new Memory(admitted, leftOut, round, Optional.of(now), mirrored, ended, touched);
  }

  Memory mirrored(Instant now) {
    return new Memory(admitted, leftOut, round, told, Optional.of(now), ended, touched);
  }

  Memory ended(Optional<Instant> changed) {
    return new Memory(admitted, leftOut, round, told, mirrored, changed, touched);
  }

  Memory touched(String cluster, int number, Instant now) {
    Map<String, Touch> changed = new HashMap<>(touched);
    changed.put(cluster, new Touch(number, now));
    return new Memory(admitted, leftOut, round, told, mirrored, ended, changed);
  }
}
