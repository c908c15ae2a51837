package dev.sluice.multicluster.drain;

import static java.util.Objects.requireNonNull;

import dev.sluice.multicluster.protocol.Link;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * What is known of a MultiKueueCluster that decides whether its finalizer stays. Pure.
 *
 * @param isDeleted whether it is being deleted
 * @param hasFinalizer whether it has our finalizer
 * @param isNamed whether a MultiKueueConfig names it
 * @param isChosen whether a Workload runs there by its status, as after a switch from Kueue, which
 *     has no finalizer; asked only while there is none and the worker is not connected
 * @param link how its worker is connected
 * @param left how many objects of ours are there; what is known only while it is connected
 * @param isSending whether requests to the worker wait or are under way
 * @param emptySince since when nothing was there and nothing was sent; empty if that is new
 */
public record Drain(
    boolean isDeleted,
    boolean hasFinalizer,
    boolean isNamed,
    boolean isChosen,
    Link link,
    int left,
    boolean isSending,
    Optional<Instant> emptySince) {
  /** By then, a create that was sent just before is observed. */
  static final Duration SETTLES = Duration.ofSeconds(2);

  /** The interval of looking at a draining worker, beside its events. */
  static final Duration LOOKS = Duration.ofSeconds(1);

  public Drain {
    requireNonNull(link, "link");
    requireNonNull(emptySince, "emptySince");
  }

  /** What to do now. */
  public sealed interface Step {
    /** Nothing before something changes. */
    record Rest() implements Step {}

    /** Add the finalizer: there may be objects from now on. */
    record Hold() implements Step {}

    /** The worker has no objects any more: remove the finalizer. */
    record Release() implements Step {}

    /** The worker is away for too long: remove the finalizer, and report what may be left there. */
    record Abandon() implements Step {}

    /**
     * Look again then.
     *
     * @param emptySince to be given to the next look
     */
    record Wait(Instant until, Optional<Instant> emptySince) implements Step {
      public Wait {
        requireNonNull(until, "until");
        requireNonNull(emptySince, "emptySince");
      }
    }
  }

  /** Whether no new Workload is sent to the worker. */
  private boolean isLeaving() {
    return isDeleted || !isNamed;
  }

  /** The next step, where a worker may be away for that long. */
  public Step next(Duration workerLostTimeout, Instant now) {
    boolean isConnected = link instanceof Link.Connected;
    if (!hasFinalizer) {
      boolean isUsed = isConnected ? isNamed || left > 0 : isNamed && isChosen;
      return isUsed && !isDeleted ? new Step.Hold() : new Step.Rest();
    }
    if (!isLeaving()) {
      return new Step.Rest();
    }
    return switch (link) {
      case Link.Connecting _ -> new Step.Rest();
      case Link.Lost lost -> {
        Instant until = lost.since().plus(workerLostTimeout);
        yield now.isBefore(until) ? new Step.Wait(until, Optional.empty()) : new Step.Abandon();
      }
      case Link.Connected(boolean isComplete) -> drained(isComplete, now);
    };
  }

  private Step drained(boolean isComplete, Instant now) {
    if (!isComplete || left > 0 || isSending) {
      return new Step.Wait(now.plus(LOOKS), Optional.empty());
    }
    Instant until = emptySince.orElse(now).plus(SETTLES);
    return now.isBefore(until)
        ? new Step.Wait(until, Optional.of(emptySince.orElse(now)))
        : new Step.Release();
  }
}
