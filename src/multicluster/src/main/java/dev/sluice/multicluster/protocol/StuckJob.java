package dev.sluice.multicluster.protocol;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.multicluster.waiting.WaitingMessage;
import dev.sluice.multicluster.waiting.WaitingReason;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Tells in the message of a Ready check why a job on its cluster does not start. State and time of
 * transition stay, and the usual message returns when the job has started.
 */
final class StuckJob {
  /** How long a job has to start after its cluster was chosen. */
  static final Duration PATIENCE = Duration.ofMinutes(5);

  private StuckJob() {}

  static void tell(Context context, Worker worker) {
    ManagerWorkload workload = context.workload;
    if (!workload.checkState().equals("Ready") || context.plan.hasLocalWrites()) {
      return; // the next plan tells it
    }
    String usual = ManagerWorkload.admittedOn(worker.name());
    Optional<WaitingReason> reason = reason(context, worker);
    String wanted = reason.map(it -> usual + "; " + it.text()).orElse(usual);
    String shown = workload.checkMessage();
    if (reason.isEmpty() && !shown.startsWith(usual + "; ")) {
      return;
    }
    Optional<Instant> due =
        WaitingMessage.due(shown, wanted, context.plan.memory.told(), context.now);
    if (due.isEmpty()) {
      return;
    }
    Instant begins =
        reason.flatMap(_ -> workload.checkSince()).map(it -> it.plus(PATIENCE)).orElse(due.get());
    Instant from = begins.isAfter(due.get()) ? begins : due.get();
    if (context.now.isBefore(from)) {
      context.plan.again(from);
      return;
    }
    context.plan.local(workload.tell(wanted, context.now));
    context.plan.memory = context.plan.memory.told(context.now);
  }

  private static Optional<WaitingReason> reason(Context context, Worker worker) {
    String kind = context.situation.owner().map(it -> it.kind().kind()).orElse("job");
    return worker.jobs().stream().flatMap(it -> reason(kind, it).stream()).findFirst();
  }

  private static Optional<WaitingReason> reason(String kind, JsonNode job) {
    boolean isHeldBack =
        job.at("/spec/suspend").asBoolean()
            || job.at("/spec/runPolicy/suspend").asBoolean()
            || !job.at("/spec/schedulingGates").isEmpty();
    if (isHeldBack) {
      return Optional.of(new WaitingReason.StillHeldBack(kind));
    }
    return switch (kind) {
      case "Job" ->
          job.at("/status/active").asInt() > 0 && job.at("/status/ready").asInt() == 0
              ? Optional.of(new WaitingReason.NoPodReady(kind, ""))
              : Optional.empty();
      case "Pod" -> unscheduled(job).map(it -> new WaitingReason.NoPodReady(kind, it));
      default -> Optional.empty();
    };
  }

  /** Why a Pod has no node; empty if it has one. */
  private static Optional<String> unscheduled(JsonNode pod) {
    return pod.at("/status/conditions")
        .valueStream()
        .filter(it -> it.path("type").asText().equals("PodScheduled"))
        .filter(it -> it.path("status").asText().equals("False"))
        .map(it -> it.path("message").asText(""))
        .findFirst();
  }
}
