package dev.sluice.multicluster.protocol;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.meta.Conditions;
import dev.sluice.api.vocabulary.ConditionTypes;
import dev.sluice.api.vocabulary.Controllers;
import dev.sluice.api.vocabulary.Reasons;
import dev.sluice.api.write.ObjectRef;
import dev.sluice.api.write.Write;
import dev.sluice.jobs.plan.Patches;
import dev.sluice.jobs.remote.RemoteJobs;
import dev.sluice.jobs.workload.WorkloadView;
import dev.sluice.multicluster.copy.JobCopies;
import dev.sluice.multicluster.copy.WorkloadCopies;
import dev.sluice.multicluster.protocol.Plan.State;
import dev.sluice.multicluster.waiting.WaitingReason;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The Workload runs on one cluster; what others say does not matter. */
final class Chosen {
  static final String LOST = "Admitting remote lost";
  private static final String GONE = "Admitting remote no longer exists";
  private static final int DIFFERENCES = 3;

  private Chosen() {}

  static State plan(Context context) {
    String cluster = context.workload.cluster();
    if (cluster.isEmpty()) {
      context.retry(
          "Admission check is Ready but no admitting cluster is recorded; this is unexpected,"
              + " please report it",
          "Warning");
      return State.RESETTING;
    }
    context.workers.stream()
        .filter(it -> !it.name().equals(cluster))
        .forEach(it -> context.withdraw(it, true, "the workload runs on another cluster"));
    Optional<Worker> chosen = context.worker(cluster);
    if (chosen.isEmpty() || !chosen.get().state().isConfigured()) {
      leaveCluster(context, cluster);
      return State.DRAINING;
    }
    if (context.situation.constraint() instanceof PlacementConstraint.Follow(String first)
        && !first.equals(cluster)) {
      context.retry("The first workload of its job is not on this cluster any more", "Warning");
      return State.RESETTING;
    }
    Worker worker = chosen.get();
    switch (worker.state().link()) {
      case Link.Lost lost -> awaitReturn(context, worker, lost);
      case Link.Connecting _ -> context.plan.waitsFor(cluster, new WaitingReason.Listing());
      case Link.Connected(boolean isComplete) -> {
        if (isComplete) {
          follow(context, worker);
        } else {
          context.plan.waitsFor(cluster, new WaitingReason.Listing());
        }
      }
    }
    return State.CHOSEN;
  }

  static void leaveCluster(Context context, String cluster) {
    context.retry(
        "Worker cluster \"%s\" is deleted or no longer in the MultiKueueConfig".formatted(cluster),
        "Warning");
  }

  private static void awaitReturn(Context context, Worker worker, Link.Lost lost) {
    Instant until = context.lostAt(lost);
    if (context.now.isBefore(until)) {
      context.plan.again(until);
      context.plan.waitsFor(worker.name(), Offering.notConnected(lost, context.now));
    } else {
      context.retry(LOST, "Warning");
    }
  }

  private static void follow(Context context, Worker worker) {
    if (worker.isRelabeled()) {
      context.plan.waitsFor(worker.name(), Offering.labelRemoved());
      return;
    }
    if (worker.state().workload() instanceof Presence.Unlisted) {
      context.plan.ask(worker.askForWorkload());
      return;
    }
    Optional<JsonNode> current = worker.current();
    if (current.isEmpty()) {
      takeUp(context, worker);
      return;
    }
    JsonNode copy = current.get();
    if (Withdrawal.isBeingDeleted(copy)) {
      context.retry(GONE, "Warning");
    } else if (isFinished(copy, Reasons.OUT_OF_SYNC)) {
      outOfSync(context, worker);
    } else if (isFinished(copy, Reasons.OWNER_NOT_FOUND)) {
      context.retry(GONE, "Warning");
    } else if (ranTooLong(copy)) {
      deactivate(context, worker);
    } else if (Worker.is(copy, ConditionTypes.EVICTED)) {
      context.plan.local(context.workload.evictedThere(worker.name(), context.now));
      context.plan.local(
          context.workload.event(
              "Normal", "Workload evicted on worker cluster: \"%s\"".formatted(worker.name())));
    } else if (!WorkloadCopies.isOfSameSpec(context.workload.tree(), copy)) {
      context.retry("The spec of the workload has changed, resetting for re-dispatch", "Normal");
    } else {
      run(context, worker, copy);
    }
  }

  static boolean isFinished(JsonNode copy, String reason) {
    return isTrue(copy, ConditionTypes.FINISHED, reason);
  }

  private static boolean isTrue(JsonNode copy, String condition, String reason) {
    return Conditions.find(copy, condition)
        .filter(Conditions::isTrue)
        .filter(it -> it.path("reason").asText().equals(reason))
        .isPresent();
  }

  private static boolean ranTooLong(JsonNode copy) {
    return isTrue(
        copy,
        ConditionTypes.EVICTED,
        Reasons.DEACTIVATED + Reasons.DUE_TO + Reasons.MAXIMUM_EXECUTION_TIME_EXCEEDED);
  }

  /**
   * The worker counts the time from an admission that is a moment before ours, so it may be the
   * first to see that it is over. Another try would start the job again elsewhere.
   */
  private static void deactivate(Context context, Worker worker) {
    if (!context.workload.is(ConditionTypes.DEACTIVATION_TARGET)) {
      context.workload.ranTooLong(worker.name(), context.now).forEach(context.plan::local);
    }
  }

  private static void takeUp(Context context, Worker worker) {
    Optional<JsonNode> stale = worker.stale().filter(it -> !Withdrawal.isBeingDeleted(it));
    if (stale.isPresent() && !Worker.is(stale.get(), ConditionTypes.EVICTED)) {
      context.plan.remote(worker.name(), mark(context, stale.get()));
    } else {
      context.retry(GONE, "Warning");
    }
  }

  /** Takes up a copy of another dispatch, or one that Kueue made, so that its work goes on. */
  static Write mark(Context context, JsonNode copy) {
    ObjectNode marked = Patches.object();
    WorkloadCopies.marks(context.workload.tree(), context.settings.us()).into(marked);
    return new Write.MergePatch(
        ObjectRef.of(WorkloadView.TYPE, copy),
        "",
        marked,
        Controllers.MULTI_KUEUE,
        Withdrawal.version(copy));
  }

  private static void outOfSync(Context context, Worker worker) {
    boolean isReady = context.workload.checkState().equals("Ready");
    if (!isReady) {
      context.plan.waitsFor(worker.name(), new WaitingReason.BeingRemoved("a copy out of sync"));
      return;
    }
    context.retry(
        "Remote workload on worker cluster \"%s\" is out of sync with its user job, resetting for"
                .formatted(worker.name())
            + " re-dispatch",
        "Warning");
    context.leaveOut(worker, Memory.Cause.OUT_OF_SYNC, differences(context, worker));
  }

  /** What the worker changed in the job, as users read it. */
  static String differences(Context context, Worker worker) {
    JobCopies copies = context.settings.jobCopies();
    List<String> paths =
        worker.localJobs().stream()
            .flatMap(
                local ->
                    worker.job(Worker.nameOf(local)).stream()
                        .flatMap(
                            there ->
                                context.remote().stream()
                                    .map(it -> copies.of(it, local, context.workload.tree()))
                                    .flatMap(
                                        sent ->
                                            JobCopies.differences(sent, there, DIFFERENCES)
                                                .stream())))
            .filter(it -> !it.endsWith(".suspend"))
            .limit(DIFFERENCES)
            .toList();
    return paths.isEmpty()
        ? "the job there is out of sync with its workload"
        : "the job there is out of sync with its workload, it differs at "
            + String.join(", ", paths);
  }

  private static void run(Context context, Worker worker, JsonNode copy) {
    ObjectNode followed = WorkloadCopies.followed(context.workload.tree(), copy);
    if (!followed.isEmpty()) {
      context.plan.remote(worker.name(), patch(WorkloadView.TYPE, copy, followed));
    }
    if (context.situation.owner().filter(Owner::isCarried).isPresent()) {
      becomeReady(context, worker);
      return;
    }
    Set<Plan.Ask> unasked = worker.unasked();
    unasked.forEach(context.plan::ask);
    boolean isRunning = worker.jobs().stream().anyMatch(it -> !Withdrawal.isBeingDeleted(it));
    if (isRunning) {
      becomeReady(context, worker);
      context.mirror(worker, false);
      if (context.remote().filter(it -> worker.jobs().stream().allMatch(it::isReady)).isPresent()) {
        context.plan.ready();
      }
      keepJobs(context, worker);
      StuckJob.tell(context, worker);
    } else if (unasked.isEmpty()) {
      context.retry(GONE, "Warning");
    }
  }

  private static void becomeReady(Context context, Worker worker) {
    if (!context.workload.checkState().equals("Ready")) {
      context.plan.local(context.workload.choose(worker.name(), context.now));
    }
  }

  /** Of a group the members follow: new ones are made there, and those that went here go there. */
  private static void keepJobs(Context context, Worker worker) {
    Owner owner = context.situation.owner().orElseThrow();
    for (JsonNode local : owner.jobs()) {
      Optional<JsonNode> there = worker.job(Worker.nameOf(local));
      Optional<RemoteJobs> kind = owner.remote();
      if (there.isEmpty()) {
        addMember(context, worker, owner, local);
      } else if (kind.filter(it -> it.hasSizeOf(local, context.workload.tree())).isPresent()) {
        ObjectNode forwarded = kind.orElseThrow().forwarded(local, there.get());
        if (!forwarded.isEmpty()) {
          context.plan.remote(worker.name(), patch(owner.kind(), there.get(), forwarded));
        }
      }
    }
    List<String> names = owner.jobs().stream().map(Worker::nameOf).toList();
    if (!names.isEmpty()) {
      worker.jobs().stream()
          .filter(it -> !names.contains(Worker.nameOf(it)) && !Withdrawal.isBeingDeleted(it))
          .forEach(it -> context.plan.remote(worker.name(), Withdrawal.delete(owner.kind(), it)));
    }
  }

  private static void addMember(Context context, Worker worker, Owner owner, JsonNode local) {
    boolean hasSucceeded = local.path("status").path("phase").asText().equals("Succeeded");
    if (worker.state().job(Worker.nameOf(local)).isAbsent()
        && !hasSucceeded
        && owner.wanted().contains(local)
        && !Withdrawal.isBeingDeleted(local)) {
      context.plan.remote(worker.name(), Winning.create(context, owner, local));
    }
  }

  static Write patch(GroupVersionKind kind, JsonNode object, ObjectNode patch) {
    return new Write.MergePatch(
        ObjectRef.of(kind, object), "", patch, Controllers.MULTI_KUEUE, Withdrawal.version(object));
  }
}
