package dev.sluice.multicluster.protocol;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.vocabulary.Controllers;
import dev.sluice.api.write.ObjectRef;
import dev.sluice.api.write.Write;
import dev.sluice.multicluster.copy.JobCopies;
import dev.sluice.multicluster.protocol.Withdrawal.Progress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A worker has admitted the Workload, and that is not written down yet. */
final class Winning {
  /** So long a link without an answer counts as connected, too. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final String LOST = "the workload runs on another cluster";

  private Winning() {}

  /**
   * The winner: one that has the job already, else the first that was seen to admit it, else the
   * first in the configuration. No clock of a worker is asked.
   */
  static Optional<Worker> winner(Context context) {
    List<Worker> admitted =
        context.workers.stream()
            .filter(it -> it.state().isConfigured() && it.state().isKnown())
            .filter(it -> candidate(it).filter(Worker::isRunnable).isPresent())
            .filter(it -> it.foreignJob().isEmpty())
            .toList();
    context.plan.memory =
        context.plan.memory.seeing(admitted.stream().map(Worker::name).toList(), context.now);
    return admitted.stream()
        .min(
            Comparator.<Worker, Boolean>comparing(it -> it.jobs().isEmpty())
                .thenComparing(it -> since(context, it)));
  }

  private static Instant since(Context context, Worker worker) {
    return context.plan.memory.admitted().getOrDefault(worker.name(), context.now);
  }

  /** The copy of this dispatch, or an earlier one whose job is there and goes on. */
  private static Optional<JsonNode> candidate(Worker worker) {
    return worker.current().or(() -> worker.stale().filter(_ -> !worker.jobs().isEmpty()));
  }

  static void plan(Context context, Worker winner) {
    winner.state().refusal().ifPresent(it -> context.plan.waitsFor(winner.name(), it));
    if (winner.current().isEmpty()) {
      winner.stale().ifPresent(it -> context.plan.remote(winner.name(), Chosen.mark(context, it)));
      return;
    }
    boolean isFree = true;
    for (Worker other : context.workers) {
      if (other != winner) {
        isFree &= isOutOfTheWay(context, winner, other);
      }
    }
    Owner owner = context.situation.owner().orElseThrow();
    List<JsonNode> missing =
        owner.wanted().stream().filter(it -> winner.job(Worker.nameOf(it)).isEmpty()).toList();
    if (Offering.isWithoutJob(context)) {
      context.plan.say("no job here is to run there");
    } else if (missing.isEmpty() && (isFree || !owner.isCarried())) {
      choose(context, winner);
    } else if (isFree) {
      missing.forEach(it -> bring(context, winner, owner, it));
    }
  }

  /**
   * Whether nothing runs there as far as this manager can reach; a loser is withdrawn. Where this
   * process knows that no job was sent, nothing is waited for. Otherwise one that is admitted must
   * be gone: a create that an earlier process sent may still reach it. One that shows no job and
   * does not say for long whether it has one is as good as out of reach.
   */
  private static boolean isOutOfTheWay(Context context, Worker winner, Worker other) {
    if (other.state().isKnown() && wasSentNoJob(context, other)) {
      context.withdraw(other, true, LOST);
      return true;
    }
    if (!other.state().isConnected()) {
      return !(other.state().link() instanceof Link.Connecting);
    }
    boolean mayHaveJob =
        other.there().isPresent() || context.workload.nominated().contains(other.name());
    Set<Plan.Ask> unasked = mayHaveJob ? other.unasked() : Set.of();
    unasked.forEach(context.plan::ask);
    boolean isAbsent = other.jobs().isEmpty() && other.copy().filter(Worker::isRunnable).isEmpty();
    Progress progress = context.withdraw(other, true, LOST);
    Instant patience = since(context, winner).plus(PATIENCE);
    boolean isAwaited = !unasked.isEmpty() && context.now.isBefore(patience);
    if (isAwaited) {
      context.plan.again(patience);
    }
    return other.state().isKnown() && !isAwaited && isAbsent && progress != Progress.RUNNING;
  }

  /** Whether this process knows that no job of the Workload can be there. */
  private static boolean wasSentNoJob(Context context, Worker other) {
    return other.jobs().isEmpty()
        && other.copy().equals(other.current())
        && context.situation.owner().filter(Owner::isCarried).isEmpty()
        && context
            .situation
            .ownOffer()
            .filter(it -> it.hasSentNoJob(context.workload.tree(), other.name()))
            .isPresent();
  }

  /** A job that an earlier slice has there is taken over; what is missing is created. */
  private static void bring(Context context, Worker winner, Owner owner, JsonNode local) {
    if (winner.earlierJob(Worker.nameOf(local)).isPresent()) {
      SliceTakeover.takeOver(context, winner, owner, local);
    } else if (winner.otherJob().isPresent()) {
      context.plan.say(Offering.EARLIER_JOB + " is being removed there");
    } else if (!owner.remote().orElseThrow().hasSizeOf(local, context.workload.tree())) {
      context.plan.say("the workload has another size than its job, and is about to follow it");
    } else {
      context.plan.remote(winner.name(), create(context, owner, local));
    }
  }

  /** A cluster can be chosen only while the stored nominations name it. */
  private static void choose(Context context, Worker winner) {
    List<String> nominated = context.workload.nominated();
    if (!nominated.contains(winner.name())) {
      List<String> widened = new ArrayList<>(nominated);
      widened.add(winner.name());
      context.plan.local(context.workload.nominate(widened));
      return;
    }
    context.plan.local(context.workload.choose(winner.name(), context.now));
    context.plan.local(context.workload.event("Normal", ManagerWorkload.admittedOn(winner.name())));
    context.plan.count(Plan.Counter.What.ADMITTED, winner.name());
  }

  static Write create(Context context, Owner owner, JsonNode local) {
    JobCopies copies = context.settings.jobCopies();
    ObjectNode body = copies.of(owner.remote().orElseThrow(), local, context.workload.tree());
    body.put("apiVersion", owner.kind().apiVersion()).put("kind", owner.kind().kind());
    return new Write.Create(ObjectRef.of(owner.kind(), body), body, Controllers.MULTI_KUEUE);
  }
}
