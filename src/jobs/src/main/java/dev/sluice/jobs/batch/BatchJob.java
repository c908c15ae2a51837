package dev.sluice.jobs.batch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.configuration.Framework;
import dev.sluice.api.meta.Conditions;
import dev.sluice.api.vocabulary.Annotations;
import dev.sluice.api.vocabulary.EventReasons;
import dev.sluice.api.vocabulary.SchedulingGates;
import dev.sluice.jobs.injection.Injection;
import dev.sluice.jobs.injection.Templates;
import dev.sluice.jobs.object.JobObject;
import dev.sluice.jobs.object.Texts;
import dev.sluice.jobs.plan.Patches;
import dev.sluice.jobs.plan.Writes;
import dev.sluice.jobs.reconcile.Job;
import dev.sluice.jobs.reconcile.JobTraits;
import dev.sluice.jobs.workload.PodSetShape;
import dev.sluice.jobs.workload.PodSetTopology;
import dev.sluice.jobs.workload.WorkloadView;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The Job of batch/v1.
 *
 * <p>It is stopped in three steps, each observed before the next: suspend it and mark it as being
 * stopped, reset its start time, and once its Pods are gone restore the template and remove the
 * mark: the API server refuses changes to the template of a Job that has started or has Pods.
 */
public record BatchJob(JsonNode tree) implements Job {
  /** The name of the Job controller in spec.managedBy, which is also what no name means. */
  static final String CONTROLLER = "kubernetes.io/job-controller";

  /** Labels that the Job controller gives every template. */
  static final List<String> CONTROLLER_LABELS =
      List.of("job-name", "controller-uid", "batch.kubernetes.io/controller-uid");

  /**
   * These and the one that our Workloads keep. A Workload of another manager may lack all of them,
   * and the API server refuses a template without them.
   */
  private static final Set<String> REQUIRED_LABELS =
      Stream.concat(CONTROLLER_LABELS.stream(), Stream.of("batch.kubernetes.io/job-name"))
          .collect(Collectors.toUnmodifiableSet());

  /** The label that numbers the Pods of an indexed Job. */
  public static final String INDEX = "batch.kubernetes.io/job-completion-index";

  private static final String MAIN = "main";
  private static final String SUSPEND = "suspend";
  private static final String PARALLELISM = "parallelism";
  private static final String COMPLETIONS = "completions";
  private static final List<String> OF_RUNNING_PODS = List.of("active", "ready", "terminating");

  @Override
  public GroupVersionKind kind() {
    return Framework.JOB.type();
  }

  @Override
  public String reporter() {
    return "batch/job-kueue-controller";
  }

  @Override
  public JobTraits traits() {
    return JobTraits.ELASTIC;
  }

  private JsonNode spec() {
    return tree.path("spec");
  }

  private JsonNode status() {
    return tree.path("status");
  }

  @Override
  public boolean isSuspended() {
    return spec().path(SUSPEND).asBoolean() && !isStopping();
  }

  @Override
  public boolean isHalfStopped() {
    return spec().path(SUSPEND).asBoolean() && isStopping();
  }

  private boolean isStopping() {
    return meta().annotationText(Annotations.STOPPING).equals("true");
  }

  /**
   * Whether Pods run or may still be created: while the Job is not reported as suspended, the Job
   * controller has not seen the suspension, and its next Pods may be missing from the status. A Job
   * that is about to end needs no suspension.
   */
  @Override
  public boolean isActive() {
    return status().path("active").asInt() != 0 || isEnding() || isStopUnseen();
  }

  private boolean isStopUnseen() {
    return spec().path(SUSPEND).asBoolean()
        && hasStarted()
        && Conditions.isFalse(tree, "Suspended");
  }

  private boolean isEnding() {
    return hasStarted()
        && (Conditions.isTrue(tree, "SuccessCriteriaMet")
            || Conditions.isTrue(tree, "FailureTarget"));
  }

  /** Whether the Job controller runs it and not one of another name. */
  private boolean isOfThisCluster() {
    String controller = spec().path("managedBy").asText("");
    return controller.isEmpty() || controller.equals(CONTROLLER);
  }

  /** Whether the Job controller has begun with it here, and has not ended it. */
  private boolean hasStarted() {
    return status().path("startTime").isTextual() && isOfThisCluster() && finish().isEmpty();
  }

  @Override
  public boolean isReady(WorkloadView workload) {
    int up =
        status().path("succeeded").asInt()
            + status().path("ready").asInt()
            + status().path("uncountedTerminatedPods").path("succeeded").size();
    int own = workload.podSets().stream().mapToInt(it -> it.path("count").asInt(1)).sum();
    return up >= Math.min(pods(spec()), own); // it may be about to grow beyond this Workload
  }

  /** How many Pods of a Job run at a time. */
  public static int pods(JsonNode spec) {
    int parallelism = spec.path(PARALLELISM).asInt(1);
    return Math.min(parallelism, spec.path(COMPLETIONS).asInt(parallelism));
  }

  @Override
  public Optional<Finish> finish() {
    return Conditions.find(tree, "Failed")
        .filter(it -> Conditions.isTrue(tree, "Failed"))
        .map(it -> new Finish(false, it.path("message").asText()))
        .or(
            () ->
                Conditions.find(tree, "Complete")
                    .filter(it -> Conditions.isTrue(tree, "Complete"))
                    .map(it -> new Finish(true, it.path("message").asText())));
  }

  @Override
  public List<PodSetShape> podSets() {
    JsonNode template = spec().path("template");
    return List.of(
        new PodSetShape(
            MAIN,
            PodSetShape.template(template, CONTROLLER_LABELS),
            pods(spec()),
            minimum(meta()),
            PodSetTopology.request(template.path("metadata").path("annotations"), INDEX)));
  }

  private static OptionalInt minimum(JobObject job) {
    OptionalLong number = Texts.integer(job.annotationText(Annotations.JOB_MIN_PARALLELISM));
    return number.isPresent() ? OptionalInt.of((int) number.getAsLong()) : OptionalInt.empty();
  }

  @Override
  public Map<String, Integer> reclaimable() {
    int parallelism = spec().path(PARALLELISM).asInt(1);
    int completions = spec().path(COMPLETIONS).asInt(parallelism);
    int terminal = terminal(completions);
    int remaining = completions - terminal;
    int pods = pods(spec()); // not the parallelism: what it has beyond that, it has no quota of
    return parallelism > 1 && terminal > 0 && remaining < pods
        ? Map.of(MAIN, pods - Math.max(0, remaining))
        : Map.of();
  }

  private int terminal(int completions) {
    if (!spec().path("completionMode").asText().equals("Indexed")) {
      return status().path("succeeded").asInt();
    }
    return Indexes.count(
        List.of(
            status().path("completedIndexes").asText(""),
            status().path("failedIndexes").asText("")),
        completions);
  }

  @Override
  public Optional<String> start(List<Injection> injections, String message, Writes writes) {
    ObjectNode started = tree.deepCopy();
    ObjectNode spec = Patches.child(started, "spec");
    ObjectNode template = Patches.child(spec, "template");
    Injection injection = injections.getFirst();
    Optional<String> problem = injection.into(template);
    if (!injection.isOfSlice()) { // its Pods would never be ungated
      Injection.removeGate(Patches.child(template, "spec"), SchedulingGates.ELASTIC_JOB);
    }
    if (injection.mayBeFewer() && minimum(meta()).isPresent()) {
      setPods(spec, injection.count());
    }
    spec.put(SUSPEND, false);
    if (problem.isEmpty() && mayBecome(spec)) {
      writes.patch(kind(), tree, Patches.between(tree, started));
      writes.event(kind(), tree, EventReasons.STARTED, message);
    }
    return problem;
  }

  /** While Pods of a Job are there, its template stays: their end is an event of the Job. */
  private boolean mayBecome(JsonNode spec) {
    return !isActive() || spec.path("template").equals(spec().path("template"));
  }

  private void setPods(ObjectNode spec, int count) {
    spec.put(PARALLELISM, count);
    if (Texts.bool(meta().annotationText(Annotations.JOB_SYNC_COMPLETIONS)).orElse(false)) {
      spec.put(COMPLETIONS, count);
    }
  }

  @Override
  public void stop(Stop why, Optional<WorkloadView> original, Writes writes) {
    ObjectNode stopped = tree.deepCopy();
    ObjectNode spec = Patches.child(stopped, "spec");
    ObjectNode metadata = Patches.child(stopped, "metadata");
    if (isEnding()) {
      return; // without its start time, which a stop takes away, it could never be complete
    }
    if (!spec().path(SUSPEND).asBoolean()) {
      spec.put(SUSPEND, true);
      Patches.child(metadata, "annotations").put(Annotations.STOPPING, "true");
      writes.patch(kind(), tree, Patches.between(tree, stopped));
      writes.event(kind(), tree, EventReasons.STOPPED, why.message());
    } else if (isStopUnseen()) {
      return; // its last Pod may just have succeeded; that it is suspended is an event
    } else if (hasRunningStatus()) {
      ObjectNode status = Patches.object();
      status.putNull("startTime");
      if (isRunElsewhere()) {
        OF_RUNNING_PODS.stream().filter(status()::has).forEach(status::putNull);
      }
      writes.patchStatus(kind(), tree, status, Writes.MANAGER);
    } else {
      if (metadata.path("annotations") instanceof ObjectNode annotations) {
        annotations.remove(Annotations.STOPPING);
      }
      original.ifPresent(it -> restore(spec, it));
      if (mayBecome(spec)) {
        writes.patch(kind(), tree, Patches.between(tree, stopped));
      }
    }
  }

  /** Whether the status keeps the API server, or us, from restoring the template. */
  private boolean hasRunningStatus() {
    return status().path("startTime").isTextual() || (isRunElsewhere() && isActive());
  }

  private void restore(ObjectNode spec, WorkloadView original) {
    if (original.podSets().size() != 1) {
      return;
    }
    JsonNode podSet = original.podSets().getFirst();
    Templates.restore(Patches.child(spec, "template"), podSet.path("template"), REQUIRED_LABELS);
    if (minimum(meta()).isPresent() && podSet.has("minCount")) {
      setPods(spec, podSet.path("count").asInt(1));
    }
  }
}
