package dev.sluice.multicluster.protocol;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.vocabulary.Annotations;
import dev.sluice.api.vocabulary.ConditionTypes;
import dev.sluice.jobs.remote.RemoteJobs;
import dev.sluice.multicluster.copy.JobCopies;
import dev.sluice.multicluster.protocol.Plan.State;
import java.time.Instant;
import java.util.Optional;

/**
 * A slice of an elastic job takes the job over from the one that it replaced: its copy goes where
 * the job runs, and once that worker has quota for it, the job there is given to it. The earlier
 * copy goes after that. Nothing is stopped on the way.
 */
final class SliceTakeover {
  private SliceTakeover() {}

  /** For a slice that is replaced: its copies go but for the one that still has its job. */
  static void leave(Context context) {
    context.workers.stream()
        .filter(it -> it.jobs().isEmpty())
        .forEach(it -> context.withdraw(it, false, ""));
  }

  /**
   * Follows the job while the worker has not decided yet, and gives up if that worker is lost.
   *
   * @return the state if it is given up
   */
  static Optional<State> prepare(Context context) {
    if (!(context.situation.constraint()
        instanceof PlacementConstraint.TakeOver(String cluster, _))) {
      return Optional.empty();
    }
    Optional<Worker> found = context.worker(cluster).filter(it -> it.state().isConfigured());
    if (found.isEmpty()) {
      Chosen.leaveCluster(context, cluster);
      return Optional.of(State.DRAINING);
    }
    if (found.get().state().link() instanceof Link.Lost lost) {
      Instant until = context.lostAt(lost);
      if (!context.now.isBefore(until)) {
        context.retry(Chosen.LOST, "Warning");
        return Optional.of(State.RESETTING);
      }
      context.plan.again(until);
    }
    context.mirror(found.get(), false);
    return Optional.empty();
  }

  /** What the copy on that worker replaces: the slice that has the job there, if one has. */
  static void name(Context context, Worker worker, ObjectNode copy) {
    String key = Annotations.WORKLOAD_SLICE_REPLACEMENT_FOR;
    if (!(copy.at("/metadata/annotations") instanceof ObjectNode annotations)
        || !annotations.has(key)) {
      return;
    }
    annotations.remove(key);
    String namespace = copy.path("metadata").path("namespace").asText();
    worker.localJobs().stream()
        .flatMap(it -> worker.earlierJob(Worker.nameOf(it)).stream())
        .findFirst()
        .ifPresent(it -> annotations.put(key, namespace + "/" + JobCopies.workloadOf(it)));
  }

  /**
   * Gives the job to a copy that the worker has quota for, though it may not be admitted yet: the
   * earlier one has none any more, and a job without Workload would not be stopped.
   */
  static void follow(Context context, Worker worker, JsonNode copy) {
    boolean isDecided =
        Worker.is(copy, ConditionTypes.QUOTA_RESERVED) || Worker.is(copy, ConditionTypes.EVICTED);
    if (isDecided) {
      context
          .situation
          .owner()
          .ifPresent(it -> it.jobs().forEach(job -> takeOver(context, worker, it, job)));
    }
  }

  /** Gives the job there to the copy, with the size that the copy has. */
  static void takeOver(Context context, Worker worker, Owner owner, JsonNode local) {
    Optional<JsonNode> job = worker.earlierJob(Worker.nameOf(local));
    if (job.isEmpty()) {
      return;
    }
    JsonNode workload = context.workload.tree();
    ObjectNode patch = context.settings.jobCopies().takenOver(job.get(), workload);
    RemoteJobs kind = owner.remote().orElseThrow();
    if (kind.hasSizeOf(local, workload)) {
      patch.setAll(kind.forwarded(local, job.get()));
    }
    context.plan.remote(worker.name(), Chosen.patch(owner.kind(), job.get(), patch));
  }
}
