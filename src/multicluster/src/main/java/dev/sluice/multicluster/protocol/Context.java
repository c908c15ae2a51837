package dev.sluice.multicluster.protocol;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.vocabulary.Controllers;
import dev.sluice.api.write.ObjectRef;
import dev.sluice.api.write.Write;
import dev.sluice.jobs.plan.Patches;
import dev.sluice.jobs.remote.Mirror;
import dev.sluice.jobs.remote.RemoteJobs;
import dev.sluice.multicluster.waiting.WaitingReason;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** One plan: what it rests on, and what it has so far. */
final class Context {
  private static final Duration MIRRORED_EVERY = Duration.ofSeconds(1);
  private static final Duration MIRRORED_AGAIN = Duration.ofSeconds(2);

  final Situation situation;
  final ProtocolSettings settings;
  final ManagerWorkload workload;
  final List<Worker> workers;
  final PlanBuilder plan;
  final Instant now;

  Context(Situation situation, ProtocolSettings settings) {
    this.situation = situation;
    this.settings = settings;
    this.workload = new ManagerWorkload(situation.workload(), situation.check());
    this.workers =
        situation.workers().stream()
            .map(
                it ->
                    new Worker(
                        it,
                        situation.workload(),
                        situation.owner(),
                        situation.constraint(),
                        settings.us()))
            .toList();
    this.plan = new PlanBuilder(situation.memory());
    this.now = situation.now();
  }

  Optional<Worker> worker(String name) {
    return workers.stream().filter(it -> it.name().equals(name)).findFirst();
  }

  String namespace() {
    return workload.tree().path("metadata").path("namespace").asText();
  }

  Optional<RemoteJobs> remote() {
    return situation.owner().flatMap(Owner::remote);
  }

  /**
   * Takes all of ours from a worker, as far as it is known what it has.
   *
   * @param stopsFirst whether what may be running is stopped cleanly
   */
  Withdrawal.Progress withdraw(Worker worker, boolean stopsFirst, String why) {
    Withdrawal.Target target = worker.target();
    if (!worker.state().isConnected()) {
      return target.mayRunNow()
          ? Withdrawal.Progress.RUNNING
          : target.isThere() ? Withdrawal.Progress.ENDING : Withdrawal.Progress.GONE;
    }
    return plan.add(worker.name(), Withdrawal.plan(target, stopsFirst, why, now));
  }

  void leaveOut(Worker worker, Memory.Cause cause, String why) {
    if (plan.memory.leftOut(worker.name(), now).isPresent()) {
      return;
    }
    plan.memory = plan.memory.leaveOut(worker.name(), cause, why, now);
    plan.memory
        .leftOut(worker.name(), now)
        .ifPresent(
            it -> {
              plan.again(it.until());
              plan.waitsFor(worker.name(), new WaitingReason.LeftOut(why, it.until()));
            });
    plan.local(
        workload.event("Warning", "Worker cluster \"%s\": %s".formatted(worker.name(), why)));
  }

  /**
   * When a worker that is out of reach is lost. While no cluster of the check is connected it may
   * be this manager that is cut off, so the time is twice as long.
   */
  Instant lostAt(Link.Lost lost) {
    boolean isAnyConnected =
        workers.stream().anyMatch(it -> it.state().isConfigured() && it.state().isConnected());
    Duration timeout = settings.workerLostTimeout();
    return lost.since().plus(isAnyConnected ? timeout : timeout.multipliedBy(2));
  }

  /** Whether a worker that is out of reach is lost; if not, the next plan is at that time. */
  boolean isLost(Link.Lost lost) {
    Instant until = lostAt(lost);
    boolean isLost = !now.isBefore(until);
    if (!isLost) {
      plan.again(until);
    }
    return isLost;
  }

  /** Asks for another try; the scheduler evicts the Workload. */
  void retry(String message, String eventType) {
    plan.local(workload.reset("Retry", message, now));
    plan.local(workload.event(eventType, message));
  }

  /**
   * Gives the local jobs the status of those on the worker.
   *
   * @param isLast whether the jobs there have ended
   */
  void mirror(Worker worker, boolean isLast) {
    if (situation.isMirrorRefused()) {
      return;
    }
    Optional<Instant> next =
        plan.memory.mirrored().map(it -> it.plus(MIRRORED_EVERY)).filter(now::isBefore);
    boolean isWritten = false;
    for (JsonNode local : worker.localJobs()) {
      String name = Worker.nameOf(local);
      Optional<Mirror> mirror =
          worker.job(name).or(() -> worker.earlierJob(name)).flatMap(it -> mirror(local, it));
      if (mirror.isEmpty()) {
        continue;
      }
      if (!mirror.get().isWhole()) {
        plan.again(now.plus(MIRRORED_AGAIN));
      }
      if (mirror.get().patch().isEmpty()) {
        continue;
      }
      if (next.isPresent() && !isLast) {
        plan.again(next.get());
        continue;
      }
      plan.local(statusOf(local, mirror.get().patch()));
      isWritten = true;
    }
    if (isWritten) {
      plan.memory = plan.memory.mirrored(now);
    }
  }

  private Optional<Mirror> mirror(JsonNode local, JsonNode there) {
    return remote().map(it -> it.mirror(local, there));
  }

  private Write statusOf(JsonNode local, ObjectNode status) {
    ObjectNode patch = Patches.object();
    patch.set("status", status);
    return new Write.MergePatch(
        ObjectRef.of(situation.owner().orElseThrow().kind(), local),
        "status",
        patch,
        Controllers.MULTI_KUEUE,
        Withdrawal.version(local));
  }
}
