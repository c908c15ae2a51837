package dev.sluice.jobs.pod;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.meta.Conditions;
import dev.sluice.jobs.injection.Injection;
import dev.sluice.jobs.plan.Writes;
import dev.sluice.jobs.reconcile.Job;
import dev.sluice.jobs.reconcile.JobTraits;
import dev.sluice.jobs.workload.PodSetShape;
import dev.sluice.jobs.workload.WorkloadView;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A Pod that is a job of its own. It waits behind a scheduling gate. The gate cannot be added
 * again, so stopping it means deleting it.
 */
public record SinglePod(JsonNode tree, Instant now) implements Job {
  @Override
  public boolean followsOwners() {
    return false;
  }

  @Override
  public GroupVersionKind kind() {
    return Pods.KIND;
  }

  @Override
  public String reporter() {
    return Pods.REPORTER;
  }

  @Override
  public JobTraits traits() {
    return JobTraits.RUNS_WHERE_IT_STARTS;
  }

  @Override
  public boolean isSuspended() {
    return Pods.isTerminal(tree) || Pods.isGated(tree);
  }

  /** A Pod that was stopped is being deleted, and its Workload ends with it. */
  @Override
  public boolean isActive() {
    return false;
  }

  @Override
  public boolean isReady(WorkloadView workload) {
    return Conditions.isTrue(tree, "Ready");
  }

  @Override
  public Optional<Finish> finish() {
    return Pods.isTerminal(tree)
        ? Optional.of(
            new Finish(
                Pods.phase(tree).equals("Succeeded"),
                tree.path("status").path("message").asText("")))
        : Optional.empty();
  }

  @Override
  public List<PodSetShape> podSets() {
    return List.of(
        new PodSetShape("main", Pods.template(tree), 1, OptionalInt.empty(), Pods.topology(tree)));
  }

  @Override
  public Optional<String> start(List<Injection> injections, String message, Writes writes) {
    return Pods.start(tree, injections.getFirst(), message, writes);
  }

  @Override
  public void stop(Stop why, Optional<WorkloadView> original, Writes writes) {
    Pods.stop(tree, why, now, writes);
  }

  @Override
  public void release(Writes writes) {
    Pods.release(tree, writes);
  }
}
