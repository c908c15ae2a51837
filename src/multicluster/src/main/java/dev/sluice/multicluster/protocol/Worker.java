package dev.sluice.multicluster.protocol;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.meta.Conditions;
import dev.sluice.api.vocabulary.ConditionTypes;
import dev.sluice.jobs.workload.WorkloadView;
import dev.sluice.multicluster.copy.Identity;
import dev.sluice.multicluster.copy.JobCopies;
import dev.sluice.multicluster.copy.Ownership;
import dev.sluice.multicluster.copy.OwnershipMarks;
import dev.sluice.multicluster.copy.WorkloadCopies;
import dev.sluice.multicluster.waiting.WaitingReason;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/** What one worker has for a Workload, and whose that is. */
final class Worker {
  private final WorkerState state;
  private final JsonNode workload;
  private final Optional<Owner> owner;
  private final Identity us;
  private final Set<String> earlier;

  /**
   * What is known of a worker.
   *
   * @param constraint the slices that the job may be taken over from
   */
  Worker(
      WorkerState state,
      JsonNode workload,
      Optional<Owner> owner,
      PlacementConstraint constraint,
      Identity us) {
    this.state = state;
    this.workload = workload;
    this.owner = owner;
    this.us = us;
    this.earlier =
        constraint instanceof PlacementConstraint.TakeOver(_, var slices) ? slices : Set.of();
  }

  WorkerState state() {
    return state;
  }

  String name() {
    return state.cluster();
  }

  /** The Workload of the name there, whosever it is. */
  Optional<JsonNode> there() {
    return state.workload().object();
  }

  Ownership ownership() {
    return there().map(this::ownership).orElse(Ownership.FOREIGN);
  }

  private Ownership ownership(JsonNode object) {
    return OwnershipMarks.of(object).ownership(us, uid(), state.isShared());
  }

  private String uid() {
    return workload.path("metadata").path("uid").asText();
  }

  /** Our copy there, of whichever dispatch. */
  Optional<JsonNode> copy() {
    return there().filter(it -> ownership(it).isProved());
  }

  boolean isTaken() {
    return there().isPresent() && ownership() == Ownership.FOREIGN;
  }

  boolean isRelabeled() {
    return there().isPresent() && ownership() == Ownership.RELABELED;
  }

  /** The copy of the present dispatch. */
  Optional<JsonNode> current() {
    return copy().filter(it -> ownership(it) == Ownership.OURS && isOfDispatch(it));
  }

  private boolean isOfDispatch(JsonNode copy) {
    return OwnershipMarks.of(copy)
        .dispatch()
        .equals(Long.toString(WorkloadCopies.dispatch(workload)));
  }

  /** A copy of another dispatch or without marks, of the same Workload and spec. */
  Optional<JsonNode> stale() {
    return copy()
        .filter(it -> current().isEmpty())
        .filter(it -> ownership(it) != Ownership.OTHER_LIFE)
        .filter(it -> WorkloadCopies.isOfSameSpec(workload, it));
  }

  static boolean is(JsonNode copy, String condition) {
    return Conditions.isTrue(copy, condition);
  }

  /** Whether that copy may run its job. */
  static boolean isRunnable(JsonNode copy) {
    return is(copy, ConditionTypes.ADMITTED)
        && !is(copy, ConditionTypes.EVICTED)
        && !is(copy, ConditionTypes.FINISHED)
        && copy.path("spec").path("active").asBoolean(true)
        && !Withdrawal.isBeingDeleted(copy);
  }

  /** Whether its Pods are of a job there that is another Workload's. */
  private boolean isCarried() {
    return owner.filter(Owner::isCarried).isPresent();
  }

  /** The names that its jobs have or could have. */
  private Set<String> jobNames() {
    if (isCarried()) {
      return Set.of();
    }
    Set<String> names = new TreeSet<>(state.jobs().keySet());
    for (JsonNode reference : workload.path("metadata").path("ownerReferences")) {
      if (owner.filter(it -> isOfKind(reference, it.kind())).isPresent()) {
        names.add(reference.path("name").asText());
      }
    }
    owner.ifPresent(it -> it.jobs().forEach(job -> names.add(nameOf(job))));
    return names;
  }

  static String nameOf(JsonNode object) {
    return object.path("metadata").path("name").asText();
  }

  private static boolean isOfKind(JsonNode reference, GroupVersionKind kind) {
    return GroupVersionKind.of(
            reference.path("apiVersion").asText(), reference.path("kind").asText())
        .groupKind()
        .equals(kind.groupKind());
  }

  /** Whether the manager's Workload is owned by a job of that name. */
  private boolean isOwnedBy(String name) {
    for (JsonNode reference : workload.path("metadata").path("ownerReferences")) {
      if (reference.path("name").asText().equals(name)
          && owner.filter(it -> isOfKind(reference, it.kind())).isPresent()) {
        return true;
      }
    }
    return false;
  }

  /** Whether a job there is proved to be ours, and to be of this Workload. */
  boolean isOurs(JsonNode job) {
    Ownership whose = ownership(job);
    boolean isOfWorkload = JobCopies.workloadOf(job).equals(nameOf(workload));
    return isOfWorkload
        && (whose == Ownership.OTHER_LIFE || (whose.isProved() && isOwnedBy(nameOf(job))));
  }

  /** The job of that name, if it is there and ours. */
  Optional<JsonNode> job(String name) {
    return state.job(name).object().filter(this::isOurs);
  }

  /** The job of that name if it is there and ours, but still given to an earlier slice. */
  Optional<JsonNode> earlierJob(String name) {
    return state
        .job(name)
        .object()
        .filter(it -> isOwnedBy(name) && ownership(it).isProved())
        .filter(it -> earlier.contains(JobCopies.workloadOf(it)));
  }

  /** A job of somebody else that has the name of one of ours. */
  Optional<JsonNode> foreignJob() {
    return strangers().filter(it -> !ownership(it).isProved()).findFirst();
  }

  /** A job that this manager made for another Workload and that has the name of one of ours. */
  Optional<JsonNode> otherJob() {
    return strangers().filter(it -> ownership(it).isProved()).findFirst();
  }

  private Stream<JsonNode> strangers() {
    return localJobs().stream()
        .flatMap(it -> state.job(nameOf(it)).object().stream())
        .filter(it -> !isOurs(it));
  }

  List<JsonNode> localJobs() {
    return owner.map(Owner::jobs).orElse(List.of());
  }

  /** Our jobs that are there. */
  List<JsonNode> jobs() {
    return jobNames().stream().flatMap(it -> job(it).stream()).toList();
  }

  /**
   * The reason for an object that is being deleted: the deletion, or the finalizer that holds it.
   */
  WaitingReason beingRemoved(String what) {
    String kind = owner.map(it -> it.kind().kind()).orElse("job");
    return Stream.concat(jobs().stream(), otherJob().stream())
        .flatMap(it -> HeldObject.of(kind, it).stream())
        .findFirst()
        .or(() -> copy().flatMap(it -> HeldObject.of("Workload", it)))
        .map(HeldObject::reason)
        .orElseGet(() -> new WaitingReason.BeingRemoved(what));
  }

  /** All of ours that is there; what is somebody else's does not count. */
  Withdrawal.Target target() {
    Map<String, Presence> jobs = new TreeMap<>();
    for (String name : jobNames()) {
      Presence presence = state.job(name);
      boolean isForeign = presence.object().filter(it -> !isOurs(it)).isPresent();
      jobs.put(name, isForeign ? Presence.absent() : presence);
    }
    return new Withdrawal.Target(
        name(),
        copy(),
        owner.map(Owner::kind),
        isCarried(),
        workload.path("metadata").path("namespace").asText(),
        jobs,
        job -> owner.flatMap(Owner::remote).filter(it -> it.mayRun(job)).isPresent());
  }

  /** The jobs that no list has and nobody asked for. */
  Set<Plan.Ask> unasked() {
    return target().unasked();
  }

  Plan.Ask askForWorkload() {
    return new Plan.Ask(name(), WorkloadView.TYPE, namespace(), nameOf(workload));
  }

  private String namespace() {
    return workload.path("metadata").path("namespace").asText();
  }
}
