package dev.sluice.jobs.reconcile;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.vocabulary.Annotations;
import dev.sluice.api.vocabulary.ConditionTypes;
import dev.sluice.api.vocabulary.EventReasons;
import dev.sluice.api.vocabulary.Reasons;
import dev.sluice.api.vocabulary.SchedulingGates;
import dev.sluice.jobs.injection.Injection;
import dev.sluice.jobs.plan.JobSettings;
import dev.sluice.jobs.plan.Patches;
import dev.sluice.jobs.plan.Writes;
import dev.sluice.jobs.workload.PodSetShape;
import dev.sluice.jobs.workload.WorkloadFinalizer;
import dev.sluice.jobs.workload.WorkloadView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The Workloads of an elastic job: the slice that it runs with and, while it grows, a pending slice
 * that will replace it. Its Pods are gated one by one until there is quota for them, so the job
 * itself is not stopped.
 */
final class Slices {
  private final Job job;
  private final JobSettings settings;
  private final Instant now;
  private final Writes writes;

  Slices(Job job, JobSettings settings, Instant now, Writes writes) {
    this.job = job;
    this.settings = settings;
    this.now = now;
    this.writes = writes;
  }

  /** Whether the job may have more than one Workload. */
  static boolean areFor(Job job, JobSettings settings) {
    return settings.isOn(FeatureGate.ELASTIC_JOBS_VIA_WORKLOAD_SLICES)
        && job.traits().canBeElastic()
        && job.meta().asksToBeElastic();
  }

  /**
   * Whether Pods of the job are gated until they have quota, so that the job may run without any.
   */
  static boolean holdPods(Job job, JobSettings settings) {
    return areFor(job, settings)
        && job.podSets().stream()
            .allMatch(
                it -> Injection.hasGate(it.template().path("spec"), SchedulingGates.ELASTIC_JOB));
  }

  /**
   * The current slice, after planning the changes of the others.
   *
   * @return empty if there is none, or if the job no longer matches them
   */
  Optional<WorkloadView> kept(List<WorkloadView> owned) {
    List<WorkloadView> open =
        owned.stream()
            .filter(Predicate.not(WorkloadView::isFinished))
            .sorted(WorkloadView.BY_AGE)
            .toList();
    if (open.isEmpty()) {
      return newest(owned, it -> !wasGivenUp(it) || job.finish().isPresent());
    }
    letGo(owned);
    Optional<WorkloadView> first = first(open);
    if (first.isPresent()) {
      return first;
    }
    WorkloadView kept = chosen(open);
    if (!isOfTheJob(kept)) {
      return Optional.empty();
    }
    fit(kept, open);
    return Optional.of(kept);
  }

  /** Slices that were replaced are no longer needed. */
  private void letGo(List<WorkloadView> owned) {
    owned.stream()
        .filter(WorkloadView::isFinished)
        .forEach(it -> WorkloadFinalizer.release(it, writes));
  }

  /** One with which something has to end before anything else. */
  private Optional<WorkloadView> first(List<WorkloadView> open) {
    if (job.finish().isPresent()) {
      return Optional.of(open.getFirst());
    }
    return open.stream()
        .filter(it -> it.hasReservation() || open.size() == 1)
        .filter(it -> it.meta().isBeingDeleted() || (it.isEvicted() && it.hasReservation()))
        .findFirst();
  }

  /** The newest that has quota and may keep it; while none has, the newest that may get it. */
  private static WorkloadView chosen(List<WorkloadView> open) {
    Predicate<WorkloadView> may = it -> !it.isEvicted() && !it.meta().isBeingDeleted();
    return newest(open, may.and(WorkloadView::hasReservation))
        .or(() -> newest(open, may))
        .orElse(open.getLast());
  }

  private static Optional<WorkloadView> newest(
      List<WorkloadView> open, Predicate<WorkloadView> which) {
    return SliceOrder.newest(open.stream().filter(which).toList());
  }

  /** Whether it was ended for another one, without which the job has none. */
  private static boolean wasGivenUp(WorkloadView workload) {
    return List.of(Reasons.WORKLOAD_SLICE_REPLACED, Reasons.OUT_OF_SYNC)
        .contains(workload.text(ConditionTypes.FINISHED, "reason"));
  }

  /** Whether the Workload has the job's Pod sets, and asks for such Pods if it still may change. */
  private boolean isOfTheJob(WorkloadView kept) {
    List<PodSetShape> shapes = job.podSets();
    List<String> names = kept.podSets().stream().map(it -> it.path("name").asText("main")).toList();
    return shapes.stream().map(PodSetShape::name).toList().equals(names)
        && (kept.hasReservation()
            || !job.isSuspended()
            || Equivalence.holdsButForCounts(job, kept));
  }

  private void fit(WorkloadView kept, List<WorkloadView> open) {
    Optional<WorkloadView> successor =
        newest(
            open,
            it ->
                !it.hasReservation()
                    && !it.isEvicted()
                    && !it.meta().isBeingDeleted()
                    && SliceOrder.replaces(it, kept));
    List<WorkloadView> others = new ArrayList<>(open);
    others.remove(kept);
    boolean grows = kept.hasReservation() && isMore(kept);
    if (grows) {
      successor.ifPresent(others::remove);
    }
    others.forEach(it -> end(it, open));
    if (!grows) {
      count(kept);
    } else if (successor.isPresent()) {
      count(successor.get());
    } else {
      create(kept);
    }
  }

  private boolean isMore(WorkloadView workload) {
    List<PodSetShape> shapes = job.podSets();
    List<JsonNode> podSets = workload.podSets();
    for (int i = 0; i < shapes.size(); i++) {
      if (shapes.get(i).count() > podSets.get(i).path("count").asInt(1)) {
        return true;
      }
    }
    return false;
  }

  private void end(WorkloadView slice, List<WorkloadView> open) {
    if (slice.meta().isBeingDeleted()) {
      WorkloadFinalizer.release(slice, writes);
      return;
    }
    Optional<WorkloadView> successor = newest(open, it -> SliceOrder.replaces(it, slice));
    WorkloadFinalizer.finish(
        slice,
        successor.isPresent() ? Reasons.WORKLOAD_SLICE_REPLACED : Reasons.OUT_OF_SYNC,
        successor
            .map(it -> "Replaced by " + it.fullName())
            .orElse("The workload slice is out of sync with its parent job"),
        now,
        writes);
  }

  /** Makes it ask for as many Pods as the job has; only for fewer, where it has quota. */
  private void count(WorkloadView slice) {
    ObjectNode changed = slice.tree().deepCopy();
    count(Patches.child(changed, "spec"));
    writes.patch(WorkloadView.TYPE, slice.tree(), Patches.between(slice.tree(), changed));
  }

  private void count(ObjectNode spec) {
    List<PodSetShape> shapes = job.podSets();
    for (int i = 0; i < shapes.size(); i++) {
      if (spec.path("podSets").path(i) instanceof ObjectNode podSet) {
        podSet.put("count", shapes.get(i).count());
      }
    }
  }

  private static void annotate(ObjectNode object, String key, String value) {
    Patches.child(Patches.child(object, "metadata"), "annotations").put(key, value);
  }

  /**
   * It requests what the first slice did: the job's template now contains the changes of the
   * admission.
   */
  private void create(WorkloadView kept) {
    ObjectNode spec = Patches.child(kept.tree().deepCopy(), "spec");
    count(spec);
    var maker = new WorkloadMaker(settings);
    String name = maker.name(job);
    ObjectNode workload = maker.of(job, name, spec);
    String origin = SliceOrder.origin(kept.tree());
    String first = origin.isEmpty() ? kept.name() : origin;
    annotate(workload, Annotations.WORKLOAD_SLICE_NAME, first);
    annotate(workload, Annotations.WORKLOAD_SLICE_REPLACEMENT_FOR, kept.fullName());
    String edited = Annotations.EDITED_PRIORITY;
    kept.meta().annotation(edited).text().ifPresent(it -> annotate(workload, edited, it));
    for (JsonNode podSet : spec.path("podSets")) {
      if (podSet.path("template") instanceof ObjectNode template) {
        annotate(template, Annotations.WORKLOAD_SLICE_NAME, first); // as the template of the job
      }
    }
    writes.create(WorkloadView.TYPE, workload);
    String namespace = job.tree().at("/metadata/namespace").asText();
    writes.event(
        job.kind(),
        job.tree(),
        EventReasons.CREATED_WORKLOAD,
        "Created Workload: " + namespace + "/" + name);
  }
}
