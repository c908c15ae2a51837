package dev.sluice.scheduler.engine;

import static java.util.Objects.requireNonNull;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.workload.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The engine's decision about one Workload, to be stored in its status.
 *
 * @param kind the kind of decision
 * @param base the Workload that it was decided about
 * @param after the same with the status that was decided
 * @param clusterQueue the queue that it is about
 * @param made for each Workload that is evicted for this one, the event that says so; then why it
 *     has no places, if so
 * @param priorities for one that is evicted for another, how the two compare; else empty
 * @param then what is right only once this is stored, and not decided otherwise; null if nothing
 */
public record StatusUpdate(
    Kind kind,
    Workload base,
    Workload after,
    String clusterQueue,
    List<String> made,
    String priorities,
    @Nullable StatusUpdate then) {
  /** What a decision amounts to. */
  public enum Kind {
    /** It has quota; the engine counts it already. */
    RESERVED,
    /** It has quota as before, and places for its pods; the engine counts them already. */
    PLACED,
    /**
     * It keeps its quota but has no places for pods that need some; the update only informs users.
     */
    UNPLACED,
    /** It is evicted; the engine already counts it as evicted. */
    EVICTED,
    /** It is finished, for another one has taken its place. */
    REPLACED,
    /** It is pending; the update only informs users. */
    PENDING
  }

  public StatusUpdate {
    requireNonNull(kind, "kind");
    made = List.copyOf(made);
  }

  /** Nothing follows from it. */
  public StatusUpdate(
      Kind kind,
      Workload base,
      Workload after,
      String clusterQueue,
      List<String> made,
      String priorities) {
    this(kind, base, after, clusterQueue, made, priorities, null);
  }

  /** The Workload. */
  public ObjectKey workload() {
    return ObjectKey.of(after.metadata());
  }

  /** Whether the engine needs to know whether the update was stored. */
  public boolean isAssumed() {
    return kind != Kind.PENDING && kind != Kind.UNPLACED;
  }

  /** Whether it is stored at once: it is counted already, or others are evicted because of it. */
  public boolean isUrgent() {
    return isAssumed() || !made.isEmpty();
  }

  /** Whether it may be refused for lack of quota or of places. */
  public boolean takesQuota() {
    return kind == Kind.RESERVED || kind == Kind.PLACED;
  }

  /** The same as a change of what an earlier decision, which was not stored yet, started from. */
  public StatusUpdate since(StatusUpdate earlier) {
    if (!earlier.base.metadata().uid().equals(base.metadata().uid())) {
      return this;
    }
    List<String> all = new ArrayList<>(earlier.made);
    all.addAll(made);
    StatusUpdate follows = then == null ? earlier.then : then;
    return new StatusUpdate(kind, earlier.base, after, clusterQueue, all, priorities, follows);
  }

  /** The same after an earlier decision, on which this one is based, was stored and reported. */
  public StatusUpdate without(StatusUpdate told) {
    boolean goesOn =
        made.size() >= told.made.size() && made.subList(0, told.made.size()).equals(told.made);
    List<String> rest = goesOn ? made.subList(told.made.size(), made.size()) : made;
    StatusUpdate follows = Objects.equals(then, told.then) ? null : then;
    return new StatusUpdate(kind, base, after, clusterQueue, rest, priorities, follows);
  }
}
