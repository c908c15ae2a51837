package dev.sluice.multicluster.protocol;

import dev.sluice.api.vocabulary.ConditionTypes;
import dev.sluice.multicluster.protocol.Withdrawal.Progress;

/** The Workload is evicted here and keeps its quota until nothing of it runs anywhere. */
final class Evicting {
  private Evicting() {}

  static void plan(Context context) {
    String why = context.workload.message(ConditionTypes.EVICTED);
    boolean isCertain = true;
    for (Worker worker : context.workers) {
      isCertain &= hasStopped(context, worker, why);
    }
    context.plan.stop(isCertain ? Plan.Stop.CERTAIN : Plan.Stop.MAY_RUN);
  }

  private static boolean hasStopped(Context context, Worker worker, String why) {
    if (!worker.state().isConnected() && wasNeverSentJob(context, worker)) {
      return true; // nothing of it can run there, whenever the worker is back
    }
    return switch (worker.state().link()) {
      case Link.Connected(boolean isComplete) -> {
        Progress progress = context.withdraw(worker, true, why);
        boolean isOver =
            worker.otherJob().isEmpty() && (progress == Progress.GONE || isDeactivated(worker));
        yield isOver && isComplete && isAsked(context, worker);
      }
      case Link.Connecting _ -> false;
      case Link.Lost lost -> context.isLost(lost);
    };
  }

  /** Carried Workloads have no job that is sent: their Pods are started by the copy. */
  private static boolean wasNeverSentJob(Context context, Worker worker) {
    return context.situation.owner().filter(it -> !it.isCarried()).isPresent()
        && context
            .situation
            .ownOffer()
            .filter(it -> it.hasNeverSentJob(context.workload.tree(), worker.name()))
            .isPresent();
  }

  /**
   * Whether a copy that is still there cannot run again: one that was only preempted there could be
   * admitted once more before it is deleted.
   */
  private static boolean isDeactivated(Worker worker) {
    return !worker.target().mayRunNow()
        && worker
            .copy()
            .filter(it -> !it.path("spec").path("active").asBoolean(true))
            .filter(Withdrawal::isStopped)
            .isPresent();
  }

  /** A job that no list has may run; the API server itself must say that it does not. */
  private static boolean isAsked(Context context, Worker worker) {
    worker.unasked().forEach(context.plan::ask);
    return worker.unasked().isEmpty();
  }
}
