package dev.sluice.jobs.reconcile;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.vocabulary.Labels;
import dev.sluice.jobs.injection.Injection;
import dev.sluice.jobs.injection.Injections;
import dev.sluice.jobs.object.JobObject;
import dev.sluice.jobs.plan.JobKey;
import dev.sluice.jobs.plan.JobSettings;
import dev.sluice.jobs.plan.JobWorld;
import dev.sluice.jobs.plan.KnownMatches;
import dev.sluice.jobs.plan.Patches;
import dev.sluice.jobs.workload.PodSetShape;
import dev.sluice.jobs.workload.StoredMembers;
import dev.sluice.jobs.workload.WorkloadView;
import dev.sluice.rules.SameValue;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.UnaryOperator;

/** Compares a Workload with a job: whether it requests what the job runs. */
final class Equivalence {
  private final JobSettings settings;
  private final KnownMatches matches;

  Equivalence(JobSettings settings, KnownMatches matches) {
    this.settings = settings;
    this.matches = matches;
  }

  /** How long a job may run, in seconds; empty for ever. */
  static OptionalInt maxSeconds(JobObject job) {
    try {
      int seconds = Integer.parseInt(job.labelText(Labels.MAX_EXEC_TIME));
      return seconds > 0 ? OptionalInt.of(seconds) : OptionalInt.empty();
    } catch (NumberFormatException e) {
      return OptionalInt.empty();
    }
  }

  /**
   * Whether the Workload matches the job in its current form, or in its running form with the
   * changes of the admission.
   */
  boolean holds(Job job, WorkloadView workload, JobWorld world) {
    if (!sameTime(job, workload)) {
      return false;
    }
    boolean cannotDiffer = job.traits().isSettled() && workload.isAdmitted();
    if (cannotDiffer || Sources.missing(job, world).isPresent()) {
      return true;
    }
    if (!isSelfContained(job)) {
      return compare(job, workload, world);
    }
    JobKey key =
        JobKey.of(
            job.kind().groupKind(),
            job.namespace(),
            job.tree().path("metadata").path("name").asText());
    List<Boolean> states =
        List.of(job.isSuspended(), workload.hasReservation(), workload.isAdmitted());
    if (matches.has(key, job.tree(), workload.tree(), states)) {
      return true;
    }
    boolean isSame = compare(job, workload, world);
    if (isSame && (!workload.hasReservation() || isComparedAsAsked(workload))) {
      matches.add(key, job.tree(), workload.tree(), states);
    }
    return isSame;
  }

  /** Whether the Pod sets of the job are read from nothing but the job. */
  private boolean isSelfContained(Job job) {
    return job.traits().sources().isEmpty() && !Slices.areFor(job, settings);
  }

  private boolean compare(Job job, WorkloadView workload, JobWorld world) {
    List<PodSetShape> shapes = WorkloadMaker.shapes(job.meta(), job.podSets(), settings);
    boolean mayBeUnchanged = job.isSuspended() || !workload.hasReservation();
    if (mayBeUnchanged && same(shapes, workload.podSets(), workload.isAdmitted())) {
      return true;
    }
    return workload.hasReservation()
        && same(shapes, running(workload, world), workload.isAdmitted());
  }

  /** Whether the Workload matches the job, ignoring the numbers of Pods. */
  static boolean holdsButForCounts(Job job, WorkloadView workload) {
    List<PodSetShape> shapes = job.podSets();
    List<JsonNode> podSets = workload.podSets();
    for (int i = 0; i < Math.min(shapes.size(), podSets.size()); i++) {
      if (!sameSpec(shapes.get(i), podSets.get(i), workload.isAdmitted())) {
        return false;
      }
    }
    return shapes.size() == podSets.size() && sameTime(job, workload);
  }

  private static boolean sameTime(Job job, WorkloadView workload) {
    JsonNode seconds = workload.tree().path("spec").path("maximumExecutionTimeSeconds");
    return seconds.asInt(0) == maxSeconds(job.meta()).orElse(0);
  }

  /** Whether the Pod sets of the job while it runs are those of the Workload. */
  private static boolean isComparedAsAsked(WorkloadView workload) {
    return workload.isAdmitted() && workload.podSets().stream().noneMatch(it -> it.has("minCount"));
  }

  /** The Pod sets as they look in the job while it runs. */
  private List<JsonNode> running(WorkloadView workload, JobWorld world) {
    if (isComparedAsAsked(workload)) {
      return workload.podSets(); // what is injected is not compared then
    }
    List<Injection> injections = Injections.of(workload, world, settings).list();
    List<JsonNode> running = new ArrayList<>();
    for (JsonNode podSet : workload.podSets()) {
      ObjectNode copy = podSet.deepCopy();
      if (injections.size() > running.size()) {
        Injection injection = injections.get(running.size());
        injection.into(Patches.child(copy, "template"));
        if (podSet.has("minCount")) {
          copy.put("count", injection.count());
        }
      }
      running.add(copy);
    }
    return running;
  }

  private static boolean same(
      List<PodSetShape> shapes, List<JsonNode> podSets, boolean isAdmitted) {
    if (shapes.size() != podSets.size()) {
      return false;
    }
    for (int i = 0; i < shapes.size(); i++) {
      if (!same(shapes.get(i), podSets.get(i), isAdmitted)) {
        return false;
      }
    }
    return true;
  }

  private static boolean same(PodSetShape shape, JsonNode podSet, boolean isAdmitted) {
    return shape.count() == podSet.path("count").asInt(1)
        && shape.minCount().orElse(-1) == podSet.path("minCount").asInt(-1)
        && sameSpec(shape, podSet, isAdmitted);
  }

  private static boolean sameSpec(PodSetShape shape, JsonNode podSet, boolean isAdmitted) {
    JsonNode theirs = podSet.path("template").path("spec");
    JsonNode ours = shape.template().path("spec");
    return (isAdmitted || same(ours, theirs, "tolerations", StoredMembers::ofTolerations))
        && same(ours, theirs, "initContainers", StoredMembers::ofContainers)
        && same(ours, theirs, "containers", StoredMembers::ofContainers);
  }

  /** Whether both have one list, apart from what a Workload cannot store. */
  private static boolean same(
      JsonNode ours, JsonNode theirs, String list, UnaryOperator<JsonNode> stored) {
    return SameValue.of(ours.path(list), theirs.path(list))
        || SameValue.of(stored.apply(ours.path(list)), theirs.path(list));
  }
}
