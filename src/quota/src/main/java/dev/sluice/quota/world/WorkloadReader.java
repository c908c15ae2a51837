package dev.sluice.quota.world;

import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.meta.Condition;
import dev.sluice.api.meta.ConditionStatus;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.vocabulary.Annotations;
import dev.sluice.api.vocabulary.ConditionTypes;
import dev.sluice.api.vocabulary.Labels;
import dev.sluice.api.vocabulary.PendingReason;
import dev.sluice.api.vocabulary.Reasons;
import dev.sluice.api.workload.Admission;
import dev.sluice.api.workload.PodSet;
import dev.sluice.api.workload.PodSetAssignment;
import dev.sluice.api.workload.QuotaHold;
import dev.sluice.api.workload.Workload;
import dev.sluice.quota.amount.Amounts;
import dev.sluice.quota.amount.FlavorResource;
import dev.sluice.quota.amount.Usage;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.quota.device.DeviceCatalog;
import dev.sluice.quota.device.DeviceCounter;
import dev.sluice.quota.request.PodSetRequests;
import dev.sluice.quota.request.RequestReader;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Reads Workloads into {@link WorkloadState}s; the same Workload gives an equal state. Safe for
 * several threads.
 */
public final class WorkloadReader {
  private final EngineConfiguration configuration;
  private final RequestReader requests;
  private final DeviceCounter devices;
  private final Canonical<Shape> shapes = new Canonical<>();
  private final Sharing sharing = new Sharing();
  private int nextShape;

  public WorkloadReader(EngineConfiguration configuration) {
    this.configuration = configuration;
    this.devices = new DeviceCounter(configuration);
    this.requests =
        new RequestReader(
            configuration.resources(), configuration.on(FeatureGate.RECLAIMABLE_PODS), devices);
  }

  /** Whether what the workload asks for depends on ResourceSlices. */
  public boolean readsSlices(Workload workload, DeviceCatalog catalog) {
    return devices.readsSlices(workload, catalog);
  }

  /**
   * The workload as the engine sees it.
   *
   * @param workload as stored in the cluster
   * @param adjusted adjusts its pods to limits and runtime classes
   * @param devices the devices that its pods may claim
   */
  public WorkloadState read(
      Workload workload, UnaryOperator<Workload> adjusted, DeviceCatalog devices) {
    return read(workload, null, adjusted, devices);
  }

  /**
   * Reads a newer state of a known workload, and shares the unchanged parts.
   *
   * @param known the earlier state, or null
   */
  public WorkloadState read(
      Workload workload,
      @Nullable WorkloadState known,
      UnaryOperator<Workload> adjusted,
      DeviceCatalog devices) {
    Workload shared = sharing.of(workload, known == null ? null : known.workload());
    Workload counted = adjusted.apply(shared);
    long priority = priority(shared);
    Shape shape = shape(counted, devices, priority);
    return new WorkloadState(
        known == null ? ObjectKey.of(shared.metadata()) : known.key(),
        shared,
        usage(shared),
        priority,
        queueTimestamp(shared),
        shape,
        admissible(shared));
  }

  private Shape shape(Workload counted, DeviceCatalog devices, long priority) {
    List<PodSetRequests> requested = requests.requested(counted, devices);
    return numbered(
        counted.spec().podSets(),
        requested,
        priority,
        allowedFlavors(counted),
        counted
            .metadata()
            .annotations()
            .getOrDefault(Annotations.WORKLOAD_SLICE_REPLACEMENT_FOR, ""));
  }

  private synchronized Shape numbered(
      List<PodSet> podSets,
      List<PodSetRequests> requested,
      long priority,
      String allowedFlavors,
      String replaced) {
    Shape known =
        shapes.of(Shape.of(podSets, requested, priority, allowedFlavors, replaced, nextShape));
    if (known.number() == nextShape) { // a new instance
      nextShape++;
    }
    return known;
  }

  /**
   * The workload with another status, reclaimable pods left as they are; all that follows from its
   * spec is taken over. The same state for the very same workload.
   */
  @SuppressWarnings("ReferenceEquality") // another one that is equal costs no more than before
  public WorkloadState restated(WorkloadState old, Workload workload) {
    if (workload == old.workload()) {
      return old;
    }
    return new WorkloadState(
        old.key(),
        workload,
        usage(workload),
        old.priority(),
        queueTimestamp(workload),
        old.shape(),
        admissible(workload));
  }

  private static String allowedFlavors(Workload workload) {
    return workload.metadata().annotations().getOrDefault(Annotations.ALLOWED_RESOURCE_FLAVORS, "");
  }

  /**
   * The effective priority: spec.priority, or 0 without one, plus the priority boost of the
   * annotation if the gate PriorityBoost is on.
   */
  private long priority(Workload workload) {
    Integer own = workload.spec().priority();
    long priority = own == null ? 0 : own;
    String boost = workload.metadata().annotations().get(Annotations.PRIORITY_BOOST);
    return boost == null || !configuration.on(FeatureGate.PRIORITY_BOOST)
        ? priority
        : priority + parsed(boost);
  }

  private static int parsed(String boost) {
    try {
      return Integer.parseInt(boost);
    } catch (NumberFormatException _) {
      return 0;
    }
  }

  /**
   * The time by which the workload is ordered among equal priorities: its creation, unless a check,
   * a timeout of PodsReady or a preemption while borrowing moved it back.
   */
  private Instant queueTimestamp(Workload workload) {
    Condition evicted = trueCondition(workload, ConditionTypes.EVICTED);
    if (evicted != null && movesBack(evicted.reason())) {
      return evicted.lastTransitionTime();
    }
    Condition preempted = trueCondition(workload, ConditionTypes.PREEMPTED);
    if (preempted != null
        && !configuration.on(FeatureGate.PRIORITY_SORTING_WITHIN_COHORT)
        && preempted.reason().equals("InCohortReclaimWhileBorrowing")) {
      return preempted.lastTransitionTime().plus(Duration.ofMillis(1));
    }
    Instant created = workload.metadata().creationTimestamp();
    return created == null ? Instant.EPOCH : created;
  }

  private boolean movesBack(String evictionReason) {
    return evictionReason.equals(Reasons.ADMISSION_CHECK)
        || (evictionReason.equals(Reasons.PODS_READY_TIMEOUT)
            && !configuration.requeuesByCreation());
  }

  private @Nullable Usage usage(Workload workload) {
    Admission admission = workload.status().admission();
    return admission != null && QuotaHold.isHeldBy(workload) && !isSplit(workload)
        ? usage(workload, admission)
        : null;
  }

  private Usage usage(Workload workload, Admission admission) {
    List<PodSetRequests> reserved = requests.reserved(workload, admission);
    Map<FlavorResource, Long> sum = new HashMap<>();
    for (int i = 0; i < reserved.size(); i++) {
      PodSetAssignment assignment = admission.podSetAssignments().get(i);
      reserved
          .get(i)
          .total()
          .asMap()
          .forEach(
              (resource, amount) -> {
                String flavor = assignment.flavors().get(resource);
                if (flavor != null) {
                  sum.merge(
                      new FlavorResource(flavor, resource),
                      Amounts.notNegative(amount),
                      Amounts::plus);
                }
              });
    }
    return Usage.of(sum);
  }

  /**
   * Whether it may wait in a queue: it is active, not finished, not deleted, not gated, not on
   * hold, and has no quota.
   */
  private boolean admissible(Workload workload) {
    boolean gated =
        configuration.on(FeatureGate.ADMISSION_GATED_BY)
            && !workload
                .metadata()
                .annotations()
                .getOrDefault(Annotations.ADMISSION_GATED_BY, "")
                .isEmpty();
    return !gated
        && workload.metadata().deletionTimestamp() == null // its job would never be started
        && !isSplit(workload)
        && workload.spec().active()
        && trueCondition(workload, ConditionTypes.FINISHED) == null
        && trueCondition(workload, ConditionTypes.QUOTA_RESERVED) == null
        && trueCondition(workload, ConditionTypes.WAITING_FOR_REPLACEMENT_PODS) == null
        && !onHold(workload);
  }

  /** Whether its variants are queued, and hold quota, in its place. */
  private boolean isSplit(Workload workload) {
    return configuration.on(FeatureGate.CONCURRENT_ADMISSION)
        && workload.metadata().labels().containsKey(Labels.CONCURRENT_ADMISSION_PARENT);
  }

  private static boolean onHold(Workload workload) {
    Condition reserved = condition(workload, ConditionTypes.QUOTA_RESERVED);
    return reserved != null
        && reserved.status() == ConditionStatus.FALSE
        && reserved.reason().equals(PendingReason.ON_HOLD.text());
  }

  static @Nullable Condition condition(Workload workload, String type) {
    for (Condition condition : workload.status().conditions()) {
      if (condition.type().equals(type)) {
        return condition;
      }
    }
    return null;
  }

  static @Nullable Condition trueCondition(Workload workload, String type) {
    Condition condition = condition(workload, type);
    return condition != null && condition.status() == ConditionStatus.TRUE ? condition : null;
  }
}
