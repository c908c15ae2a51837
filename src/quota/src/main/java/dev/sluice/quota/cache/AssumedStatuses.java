package dev.sluice.quota.cache;

import static dev.sluice.api.vocabulary.ConditionTypes.EVICTED;
import static dev.sluice.api.vocabulary.ConditionTypes.FINISHED;
import static dev.sluice.api.vocabulary.ConditionTypes.QUOTA_RESERVED;

import dev.sluice.api.meta.ConditionStatus;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.workload.Workload;
import dev.sluice.quota.persistent.ForkableMap;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The Workloads whose status the engine has decided and the cluster has not stored yet. Cycles do
 * not wait for the write. For one thread.
 */
public final class AssumedStatuses {
  private final ForkableMap<ObjectKey, Workload> stored;

  public AssumedStatuses() {
    this(new ForkableMap<>());
  }

  private AssumedStatuses(ForkableMap<ObjectKey, Workload> stored) {
    this.stored = stored;
  }

  /** A copy with the same Workloads that changes independently. */
  AssumedStatuses fork() {
    return new AssumedStatuses(stored.fork());
  }

  /** The engine decides the status of this Workload, which is the one that the cluster has. */
  public void assume(Workload workload) {
    if (workload.metadata().resourceVersion() != null) {
      ObjectKey key = ObjectKey.of(workload.metadata());
      if (!stored.containsKey(key)) {
        stored.put(key, workload);
      }
    }
  }

  /** Whether the decided status may still fail to be stored. */
  boolean isOpen(ObjectKey key) {
    return stored.containsKey(key);
  }

  void confirm(ObjectKey key) {
    stored.remove(key);
  }

  /** The Workload as the cluster has it; null where nothing was assumed. */
  @Nullable Workload revert(ObjectKey key) {
    return stored.remove(key);
  }

  /**
   * The Workload that the cluster reports, with the assumed status as long as the report is older
   * than the decision.
   */
  Workload merged(Workload known, Workload told) {
    ObjectKey key = ObjectKey.of(told.metadata());
    Workload base = stored.get(key);
    boolean late =
        base != null
            && told.metadata().resourceVersion() != null
            && told.metadata().uid().equals(known.metadata().uid())
            && !shows(base, known, told);
    if (!late) {
      stored.remove(key);
      return told;
    }
    stored.put(key, told);
    return new Workload(told.metadata(), told.spec(), known.status());
  }

  /** Whether the reported Workload already shows the decision to reserve, evict, move or finish. */
  private static boolean shows(Workload base, Workload known, Workload told) {
    if (!isTrue(base, QUOTA_RESERVED)) {
      return isTrue(told, QUOTA_RESERVED);
    }
    boolean ended = isTrue(known, FINISHED);
    boolean moved = !ended && !isTrue(known, EVICTED);
    return isTrue(told, EVICTED)
        || !isTrue(told, QUOTA_RESERVED)
        || (ended && isTrue(told, FINISHED))
        || (moved && Objects.equals(known.status().admission(), told.status().admission()));
  }

  private static boolean isTrue(Workload workload, String type) {
    return workload.status().conditions().stream()
        .anyMatch(c -> c.type().equals(type) && c.status() == ConditionStatus.TRUE);
  }
}
