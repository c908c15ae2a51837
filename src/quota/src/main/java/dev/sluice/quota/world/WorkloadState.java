package dev.sluice.quota.world;

import static java.util.Objects.requireNonNull;

import dev.sluice.api.meta.Condition;
import dev.sluice.api.meta.ConditionStatus;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.meta.OwnerReference;
import dev.sluice.api.pod.PodSpec;
import dev.sluice.api.vocabulary.Annotations;
import dev.sluice.api.vocabulary.ConditionTypes;
import dev.sluice.api.vocabulary.Labels;
import dev.sluice.api.vocabulary.Reasons;
import dev.sluice.api.workload.Admission;
import dev.sluice.api.workload.AdmissionCheckState;
import dev.sluice.api.workload.CheckState;
import dev.sluice.api.workload.GatePosition;
import dev.sluice.api.workload.PreemptionGate;
import dev.sluice.api.workload.PreemptionGateState;
import dev.sluice.api.workload.UnhealthyNode;
import dev.sluice.api.workload.Workload;
import dev.sluice.quota.amount.Usage;
import dev.sluice.quota.request.PodRequests;
import dev.sluice.quota.request.PodSetRequests;
import dev.sluice.quota.request.Requests;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A Workload with what follows from it; immutable. */
public final class WorkloadState {
  private final Workload workload;
  private final ObjectKey key;
  private final @Nullable Usage usage;
  private final long priority;
  private final Instant queueTimestamp;
  private final Shape shape;
  private final boolean admissible;
  // asked for all workloads again and again, when their conditions are long out of the caches
  private final boolean admitted;
  private final boolean evicted;
  private final boolean finished;
  private @Nullable Requests @Nullable [] podRequests;

  WorkloadState(
      ObjectKey key,
      Workload workload,
      @Nullable Usage usage,
      long priority,
      Instant queueTimestamp,
      Shape shape,
      boolean admissible) {
    this.workload = workload;
    this.key = key;
    this.usage = usage;
    this.priority = priority;
    this.queueTimestamp = queueTimestamp;
    this.shape = shape;
    this.admissible = admissible;
    this.admitted = WorkloadReader.trueCondition(workload, ConditionTypes.ADMITTED) != null;
    this.evicted = WorkloadReader.trueCondition(workload, ConditionTypes.EVICTED) != null;
    this.finished = WorkloadReader.trueCondition(workload, ConditionTypes.FINISHED) != null;
  }

  public ObjectKey key() {
    return key;
  }

  public Workload workload() {
    return workload;
  }

  public String uid() {
    return workload.metadata().uid();
  }

  /** The generation of its object; 0 where it has none. */
  public long generation() {
    Long generation = workload.metadata().generation();
    return generation == null ? 0 : generation;
  }

  /** What its PodSets ask for, in their order. */
  public List<PodSetRequests> requests() {
    return shape.requests();
  }

  /** What one pod of the PodSet takes of a node, whatever of it counts for quota. */
  public Requests podRequests(int podSet) {
    @Nullable Requests[] found = podRequests;
    if (found == null) { // several threads may find the same
      found = new @Nullable Requests[shape.podSets()];
      podRequests = found;
    }
    Requests known = found[podSet];
    if (known == null) {
      known = Requests.ofQuantities(PodRequests.of(podSpec(podSet)));
      found[podSet] = known;
    }
    return known;
  }

  /** What decides where the pods of the PodSet may run, adjusted to limits and runtime classes. */
  public PodSpec podSpec(int podSet) {
    return shape.pod(podSet);
  }

  public long priority() {
    return priority;
  }

  /** The time that decides its place in a queue. */
  public Instant queueTimestamp() {
    return queueTimestamp;
  }

  public Shape shape() {
    return shape;
  }

  /** Whether it may wait in a queue. */
  public boolean admissible() {
    return admissible;
  }

  /** Whether it holds quota. */
  public boolean holdsQuota() {
    return usage != null;
  }

  /** What it holds; nothing where it {@linkplain #holdsQuota holds} none. */
  public Usage usage() {
    return usage == null ? Usage.NONE : usage;
  }

  /** The ClusterQueue whose quota it holds. */
  public String reservedIn() {
    return requireNonNull(
        requireNonNull(workload.status().admission(), "admission").clusterQueue(), "clusterQueue");
  }

  public @Nullable Admission admission() {
    return workload.status().admission();
  }

  /** Its LocalQueue, or null where it names none. */
  public @Nullable ObjectKey localQueue() {
    String name = workload.spec().queueName();
    return name == null || name.isEmpty() ? null : new ObjectKey(key.namespace(), name);
  }

  public @Nullable Condition condition(String type) {
    return WorkloadReader.condition(workload, type);
  }

  public boolean isTrue(String type) {
    return WorkloadReader.trueCondition(workload, type) != null;
  }

  /** Whether its jobs may run. */
  public boolean admitted() {
    return admitted;
  }

  public boolean evicted() {
    return evicted;
  }

  public boolean finished() {
    return finished;
  }

  /** Since when it holds quota; {@code now} where that is not known. */
  public Instant reservedSince(Instant now) {
    Condition reserved = WorkloadReader.trueCondition(workload, ConditionTypes.QUOTA_RESERVED);
    return reserved == null ? now : reserved.lastTransitionTime();
  }

  /** The failed nodes that its pods were placed on, from status.unhealthyNodes. */
  public Set<String> failedNodes() {
    List<UnhealthyNode> nodes = workload.status().unhealthyNodes();
    return nodes.isEmpty()
        ? Set.of()
        : nodes.stream().map(UnhealthyNode::name).collect(Collectors.toCollection(TreeSet::new));
  }

  /**
   * Until when it must not be queued; null for no wait, {@code MAX} without an end. A condition of
   * deactivation is never reset: it ends when the user activates the workload again, and until then
   * it is not admissible.
   */
  public @Nullable Instant backoffUntil() {
    Condition requeued = condition(ConditionTypes.REQUEUED);
    if (requeued != null
        && requeued.status() == ConditionStatus.FALSE
        && !requeued.reason().startsWith(Reasons.DEACTIVATED + Reasons.DUE_TO)) {
      return Instant.MAX;
    }
    return workload.status().requeueState() == null
        ? null
        : workload.status().requeueState().requeueAt();
  }

  /** Whether its backoff, if it has one, is over. */
  public boolean backoffOver(Instant now) {
    Instant until = backoffUntil();
    return until == null || !now.isBefore(until);
  }

  public boolean hasCheckIn(CheckState... states) {
    for (AdmissionCheckState check : workload.status().admissionChecks()) {
      for (CheckState state : states) {
        if (check.state() == state) {
          return true;
        }
      }
    }
    return false;
  }

  public boolean allChecksReady() {
    for (AdmissionCheckState check : workload.status().admissionChecks()) {
      if (check.state() != CheckState.READY) {
        return false;
      }
    }
    return true;
  }

  public boolean listsChecks(Set<String> names) {
    if (names.isEmpty()) {
      return true;
    }
    return workload.status().admissionChecks().stream()
        .map(c -> c.name())
        .collect(Collectors.toSet())
        .containsAll(names);
  }

  /** Whether one of its preemption gates is closed: it then preempts nothing. */
  public boolean preemptionGated() {
    for (PreemptionGate gate : workload.spec().preemptionGates()) {
      if (closed(gate)) {
        return true;
      }
    }
    return false;
  }

  private boolean closed(PreemptionGate gate) {
    for (PreemptionGateState state : workload.status().preemptionGates()) {
      if (state.name().equals(gate.name())) {
        return state.position() != GatePosition.OPEN;
      }
    }
    return true;
  }

  /** The workload slice that this one replaces, or null. */
  public @Nullable ObjectKey replaces() {
    String text = workload.metadata().annotations().get(Annotations.WORKLOAD_SLICE_REPLACEMENT_FOR);
    int slash = text == null ? -1 : text.indexOf('/');
    return text == null || slash < 0
        ? null
        : new ObjectKey(text.substring(0, slash), text.substring(slash + 1));
  }

  /** Whether it is a slice of an elastic job, which may have fewer pods while it is admitted. */
  public boolean isElastic() {
    Map<String, String> annotations = workload.metadata().annotations();
    return "true".equals(annotations.get(Annotations.ELASTIC_JOB))
        || annotations.containsKey(Annotations.WORKLOAD_SLICE_NAME)
        || annotations.containsKey(Annotations.WORKLOAD_SLICE_REPLACEMENT_FOR);
  }

  /**
   * The workload that its pods name: the first of the row of slices that it is of, or the one that
   * it is a variant of; else itself.
   */
  public ObjectKey namedByPods() {
    String first = workload.metadata().annotations().get(Annotations.WORKLOAD_SLICE_NAME);
    if (first != null && !first.isEmpty()) {
      return new ObjectKey(key.namespace(), first);
    }
    OwnerReference parent = parent();
    return parent == null ? key : new ObjectKey(key.namespace(), parent.name());
  }

  /** The flavors that a variant may use under concurrent admission; empty if it may use any. */
  public Set<String> allowedFlavors() {
    String text =
        workload.metadata().annotations().getOrDefault(Annotations.ALLOWED_RESOURCE_FLAVORS, "");
    return text.isEmpty() ? Set.of() : Set.copyOf(Arrays.asList(text.split(",", -1)));
  }

  /** The uid of its job from its label, or null. */
  public @Nullable String jobUid() {
    return workload.metadata().labels().get(Labels.JOB_UID);
  }

  /** The uid of the Workload it is a variant of, or null. */
  public @Nullable String parentUid() {
    OwnerReference parent = parent();
    return parent == null ? null : parent.uid();
  }

  private @Nullable OwnerReference parent() {
    for (OwnerReference owner : workload.metadata().ownerReferences()) {
      if (owner.kind().equals("Workload") && Boolean.TRUE.equals(owner.controller())) {
        return owner;
      }
    }
    return null;
  }

  /**
   * Whether it is one of those that concurrent admission tries at the same time, or one that never
   * is: a slice of a job that grows, whose flavors are those of the first.
   */
  public boolean isNeverSplit() {
    return parent() != null
        || !allowedFlavors().isEmpty()
        || workload.metadata().annotations().containsKey(Annotations.WORKLOAD_SLICE_NAME);
  }

  @Override
  public String toString() {
    return key.toString();
  }
}
