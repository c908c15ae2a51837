package dev.sluice.multicluster.protocol;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.jobs.remote.RemoteJobs;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Waits for the last status of a job whose Workload has finished on a worker. Jobs and Workloads
 * are watched apart, so the end of the Workload may be seen first. Once the manager's Workload has
 * finished, too, the job on the worker is deleted, and its status with it.
 */
final class LastStatus {
  /** A Workload may have finished without an end of its job that a status tells. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private LastStatus() {}

  /** Whether the status may come; then the plan asks for it once, and looks again. */
  static boolean isAwaited(Context context, Worker worker) {
    List<String> behind =
        context.remote().stream()
            .flatMap(
                it ->
                    worker.localJobs().stream()
                        .map(Worker::nameOf)
                        .filter(name -> isBehind(it, worker, name)))
            .toList();
    if (behind.isEmpty() || context.situation.isMirrorRefused()) {
      return false;
    }
    PlanBuilder plan = context.plan;
    Optional<Instant> before = plan.memory.ended();
    Instant since = before.orElse(context.now);
    if (before.isEmpty()) {
      plan.memory = plan.memory.ended(Optional.of(context.now));
      behind.forEach(
          it -> context.situation.owner().ifPresent(owner -> ask(context, worker, owner, it)));
    }
    Instant until =
        worker.state().link() instanceof Link.Lost lost
            ? context.lostAt(lost)
            : since.plus(PATIENCE);
    plan.again(until);
    return context.now.isBefore(until);
  }

  private static boolean isBehind(RemoteJobs remote, Worker worker, String name) {
    Optional<JsonNode> job = worker.job(name).or(() -> worker.earlierJob(name));
    return job.map(it -> !remote.hasEnded(it))
        .orElse(worker.state().job(name) instanceof Presence.Unlisted);
  }

  private static void ask(Context context, Worker worker, Owner owner, String name) {
    context.plan.ask(new Plan.Ask(worker.name(), owner.kind(), context.namespace(), name));
  }
}
