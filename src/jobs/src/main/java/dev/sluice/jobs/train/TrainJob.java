package dev.sluice.jobs.train;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.GroupKind;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.configuration.Framework;
import dev.sluice.api.meta.Conditions;
import dev.sluice.api.meta.TypedObjectKey;
import dev.sluice.api.vocabulary.ConditionTypes;
import dev.sluice.api.vocabulary.EventReasons;
import dev.sluice.jobs.injection.Injection;
import dev.sluice.jobs.jobset.JobSets;
import dev.sluice.jobs.object.JobObject;
import dev.sluice.jobs.plan.Patches;
import dev.sluice.jobs.plan.PlanContext;
import dev.sluice.jobs.plan.Writes;
import dev.sluice.jobs.reconcile.Job;
import dev.sluice.jobs.reconcile.JobTraits;
import dev.sluice.jobs.reconcile.TemplatedJob;
import dev.sluice.jobs.workload.PodSetShape;
import dev.sluice.jobs.workload.WorkloadView;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The TrainJob, which the trainer runs as a JobSet. The admission of its Pods is an entry of its
 * runtimePatches, and the trainer allows changes to it only while nothing runs: it is written
 * before the TrainJob is resumed, and emptied once the JobSet has stopped.
 *
 * @param runtimeKey what names the runtime that it is made from
 * @param runtime that runtime; empty while it is missing
 * @param jobSets the existing JobSets of the trainer
 */
record TrainJob(
    JsonNode tree, TypedObjectKey runtimeKey, Optional<JsonNode> runtime, List<JsonNode> jobSets)
    implements Job {
  static final GroupVersionKind KIND = Framework.TRAIN_JOB.type();
  static final GroupKind CLUSTER_RUNTIME = kind("ClusterTrainingRuntime");
  static final Set<GroupKind> RUNTIMES = Set.of(kind("TrainingRuntime"), CLUSTER_RUNTIME);

  private static final String SUSPEND = "suspend";
  private static final String STATUSES = "replicatedJobsStatus";

  TrainJob {
    jobSets = List.copyOf(jobSets);
  }

  static TrainJob of(JsonNode tree, PlanContext context) {
    String namespace = tree.path("metadata").path("namespace").asText();
    TypedObjectKey key = runtime(tree, namespace);
    Optional<JsonNode> runtime = context.world().find(key.kind(), key.namespace(), key.name());
    List<JsonNode> jobSets =
        context
            .world()
            .controlledBy(
                Framework.JOB_SET.type().groupKind(), namespace, JobObject.of(tree).uid());
    return new TrainJob(tree, key, runtime, jobSets);
  }

  /**
   * The JobSet as the trainer makes it, with the status of the TrainJob; without Jobs while the
   * runtime is missing. It takes long to make, and plans of a TrainJob that runs do not need it.
   */
  private JobSets made() {
    ObjectNode made = withStatus();
    runtime.ifPresent(it -> made.set("spec", TrainerJobSet.spec(it, tree)));
    return new JobSets(made);
  }

  private ObjectNode withStatus() {
    ObjectNode jobSet = Patches.object();
    jobSet.putObject("status").set(STATUSES, statuses());
    return jobSet;
  }

  private JsonNode statuses() {
    return tree.path("status").path("jobsStatus");
  }

  /** The runtime that a TrainJob names; other kinds are found nowhere. */
  static TypedObjectKey runtime(JsonNode trainJob, String namespace) {
    JsonNode reference = trainJob.path("spec").path("runtimeRef");
    var kind =
        new GroupKind(
            reference.path("apiGroup").asText(KIND.group()),
            reference.path("kind").asText(CLUSTER_RUNTIME.kind()));
    return new TypedObjectKey(
        kind, kind.equals(CLUSTER_RUNTIME) ? "" : namespace, reference.path("name").asText());
  }

  private static GroupKind kind(String kind) {
    return new GroupKind(KIND.group(), kind);
  }

  @Override
  public GroupVersionKind kind() {
    return KIND;
  }

  @Override
  public String reporter() {
    return Framework.TRAIN_JOB.frameworkName() + "-kueue-controller";
  }

  @Override
  public JobTraits traits() {
    return new Traits(Set.of(runtimeKey), !isSuspended());
  }

  /** The trainer does not change a JobSet that runs when its runtime changes. */
  private record Traits(Set<TypedObjectKey> sources, boolean isSettled) implements JobTraits {}

  @Override
  public boolean isSuspended() {
    return tree.path("spec").path(SUSPEND).asBoolean();
  }

  /** Whether Jobs run, or the trainer has yet to pass on that they must not. */
  @Override
  public boolean isActive() {
    return new JobSets(withStatus()).isActive() || jobSets.stream().anyMatch(TrainJob::mayRun);
  }

  private static boolean mayRun(JsonNode jobSet) {
    var progress = new JobSets(jobSet);
    boolean isHeld = jobSet.path("spec").path(SUSPEND).asBoolean();
    return progress.isActive() || (!isHeld && progress.finish().isEmpty());
  }

  @Override
  public boolean isReady(WorkloadView workload) {
    JobSets made = made();
    return made.jobs().isEmpty()
        ? Conditions.isTrue(workload.tree(), ConditionTypes.PODS_READY) // nothing says otherwise
        : made.isReady();
  }

  @Override
  public Optional<Finish> finish() {
    return TemplatedJob.finish(tree, List.of("Complete"), List.of("Failed"));
  }

  @Override
  public List<PodSetShape> podSets() {
    return made().podSets();
  }

  @Override
  public Map<String, Integer> reclaimable() {
    boolean hasEnded = statuses().valueStream().anyMatch(it -> it.path("succeeded").asInt() > 0);
    return hasEnded ? made().reclaimable() : Map.of();
  }

  @Override
  public Optional<String> start(List<Injection> injections, String message, Writes writes) {
    JobSets made = made();
    List<PodSetShape> podSets = made.podSets();
    if (podSets.size() != injections.size()) {
      return Optional.of(
          "%d Pod sets were assigned (expected: %d)".formatted(injections.size(), podSets.size()));
    }
    ObjectNode decision = Patches.object();
    for (int i = 0; i < podSets.size(); i++) {
      String job = made.jobs().get(i).path("name").asText();
      Optional<String> problem = RuntimePatch.add(decision, job, podSets.get(i), injections.get(i));
      if (problem.isPresent()) {
        return problem;
      }
    }
    if (RuntimePatch.holds(tree, decision)) {
      suspend(false, writes);
      writes.event(KIND, tree, EventReasons.STARTED, message);
    } else {
      decide(decision, writes);
    }
    return Optional.empty();
  }

  private void suspend(boolean value, Writes writes) {
    ObjectNode patch = Patches.object();
    patch.putObject("spec").put(SUSPEND, value);
    writes.patch(KIND, tree, patch);
  }

  private void decide(ObjectNode decision, Writes writes) {
    ObjectNode changed = tree.deepCopy();
    RuntimePatch.write(changed, decision);
    writes.patch(KIND, tree, Patches.between(tree, changed));
  }

  @Override
  public boolean isHalfStopped() {
    return isSuspended() && !RuntimePatch.holds(tree, Patches.object());
  }

  @Override
  public void stop(Stop why, Optional<WorkloadView> original, Writes writes) {
    if (!isSuspended()) {
      suspend(true, writes);
      writes.event(KIND, tree, EventReasons.STOPPED, why.message());
    } else if (isHalfStopped() && (!isActive() || isRunElsewhere())) {
      decide(Patches.object(), writes);
    }
  }
}
