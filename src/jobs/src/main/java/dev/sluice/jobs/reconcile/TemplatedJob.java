package dev.sluice.jobs.reconcile;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.configuration.Framework;
import dev.sluice.api.meta.Conditions;
import dev.sluice.api.vocabulary.EventReasons;
import dev.sluice.jobs.injection.Injection;
import dev.sluice.jobs.object.TemplatePaths;
import dev.sluice.jobs.plan.Patches;
import dev.sluice.jobs.plan.Writes;
import dev.sluice.jobs.workload.PodSetShape;
import dev.sluice.jobs.workload.WorkloadView;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A job with a switch that suspends it, and Pod templates that may change while it is suspended.
 *
 * @param switches the ways to the fields that suspend it
 * @param templates the Pod templates that an admission changes
 * @param progress the state that is specific to the kind
 */
public record TemplatedJob(
    GroupVersionKind kind,
    String reporter,
    JsonNode tree,
    List<List<String>> switches,
    PodTemplates templates,
    Progress progress)
    implements Job {
  /** The progress of such a job, as its kind reports it. */
  public interface Progress extends JobTraits {
    boolean isActive();

    boolean isReady();

    Optional<Finish> finish();

    List<PodSetShape> podSets();

    default Map<String, Integer> reclaimable() {
      return Map.of();
    }
  }

  public TemplatedJob {
    switches = List.copyOf(switches);
  }

  /** A job of a kind with one switch. */
  public static TemplatedJob of(
      Framework framework,
      JsonNode tree,
      List<String> switchPath,
      PodTemplates templates,
      Progress progress) {
    return new TemplatedJob(
        framework.type(),
        reporter(framework.frameworkName()),
        tree,
        List.of(switchPath),
        templates,
        progress);
  }

  /** The component that events of jobs of that framework are from. */
  public static String reporter(String framework) {
    return framework + "-kueue-controller";
  }

  /** The value at the end of a way; an item of a list is named by its number. */
  public static JsonNode at(JsonNode object, List<String> way) {
    return TemplatePaths.at(object, way);
  }

  @Override
  public JobTraits traits() {
    return progress;
  }

  @Override
  public boolean isSuspended() {
    return switches.stream().allMatch(it -> at(tree, it).asBoolean());
  }

  @Override
  public boolean isActive() {
    return progress.isActive();
  }

  @Override
  public boolean isReady(WorkloadView workload) {
    return progress.isReady();
  }

  @Override
  public Optional<Finish> finish() {
    return progress.finish();
  }

  /** The first condition of these types that is True. */
  public static Optional<Finish> finish(
      JsonNode job, List<String> successes, List<String> failures) {
    for (JsonNode condition : job.path("status").path("conditions")) {
      String type = condition.path("type").asText();
      boolean succeeded = successes.contains(type);
      boolean isTrue = Conditions.isTrue(condition);
      if (isTrue && (succeeded || failures.contains(type))) {
        return Optional.of(new Finish(succeeded, condition.path("message").asText()));
      }
    }
    return Optional.empty();
  }

  @Override
  public List<PodSetShape> podSets() {
    return progress.podSets();
  }

  @Override
  public Map<String, Integer> reclaimable() {
    return progress.reclaimable();
  }

  @Override
  public Optional<String> start(List<Injection> injections, String message, Writes writes) {
    ObjectNode started = tree.deepCopy();
    Optional<String> problem = templates.inject(started, injections);
    if (problem.isEmpty()) {
      suspend(started, false);
      writes.patch(kind, tree, Patches.between(tree, started));
      writes.event(kind, tree, EventReasons.STARTED, message);
    }
    return problem;
  }

  @Override
  public boolean suspend(Writes writes) {
    return suspend(true, writes);
  }

  @Override
  public boolean resume(Writes writes) {
    return suspend(false, writes);
  }

  private boolean suspend(boolean value, Writes writes) {
    ObjectNode changed = tree.deepCopy();
    suspend(changed, value);
    ObjectNode patch = Patches.between(tree, changed);
    writes.patch(kind, tree, patch);
    return !patch.isEmpty();
  }

  private void suspend(ObjectNode job, boolean value) {
    for (List<String> way : switches) {
      ObjectNode parent = job;
      for (String step : way.subList(0, way.size() - 1)) {
        JsonNode next =
            parent.path(step).isArray() ? parent.path(step) : Patches.child(parent, step);
        if (next instanceof ObjectNode child) {
          parent = child;
        }
      }
      parent.put(way.getLast(), value);
    }
  }

  @Override
  public void stop(Stop why, Optional<WorkloadView> original, Writes writes) {
    boolean hadQuota = original.filter(WorkloadView::hasReservation).isPresent();
    if (why.isForGood() && isSuspended() && !hadQuota) {
      return; // it never started, so what differs from the Workload is a change of its user
    }
    ObjectNode stopped = tree.deepCopy();
    suspend(stopped, true);
    original.ifPresent(it -> restore(stopped, it.podSets()));
    ObjectNode patch = Patches.between(tree, stopped);
    writes.patch(kind, tree, patch);
    if (!patch.isEmpty()) {
      writes.event(kind, tree, EventReasons.STOPPED, why.message());
    }
  }

  private void restore(ObjectNode job, List<JsonNode> podSets) {
    if (podSets.size() == podSets().size()) {
      templates.restore(job, podSets);
    }
  }
}
