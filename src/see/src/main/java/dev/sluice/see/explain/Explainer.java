package dev.sluice.see.explain;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.queue.LocalQueue;
import dev.sluice.api.workload.Workload;
import dev.sluice.quota.QuotaEngine;
import dev.sluice.quota.Snapshot;
import dev.sluice.quota.amount.Amount;
import dev.sluice.quota.amount.Amounts;
import dev.sluice.quota.amount.FlavorResource;
import dev.sluice.quota.condition.DecisionMessages;
import dev.sluice.quota.decision.AssignedPodSet;
import dev.sluice.quota.decision.Decision;
import dev.sluice.quota.decision.Outcome;
import dev.sluice.quota.decision.Refusal;
import dev.sluice.quota.decision.WakeUp;
import dev.sluice.quota.queue.WaitingLine;
import dev.sluice.quota.tree.NodeName;
import dev.sluice.quota.tree.QuotaTree;
import dev.sluice.quota.tree.TreeShape;
import dev.sluice.quota.world.WorkloadState;
import dev.sluice.see.explain.Explanation.Holder;
import dev.sluice.see.explain.Explanation.Level;
import dev.sluice.see.explain.Explanation.Shortage;
import dev.sluice.see.names.Names;
import dev.sluice.see.phase.WorkloadPhase;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Finds out why a workload is where it is, by asking the engine. */
public final class Explainer {
  private static final int MOST_HOLDERS = 5;

  private final Trials trials;
  private final ObjectKey key;
  private final Snapshot snapshot;
  private final Names names;
  private final Supplier<String> outOfQueue;

  private Explainer(Trials trials, Names names, Supplier<String> outOfQueue) {
    this.trials = trials;
    this.key = trials.key();
    this.snapshot = trials.snapshot();
    this.names = names;
    this.outOfQueue = outOfQueue;
  }

  /**
   * Explains one workload. The engine is only forked, so this belongs on its thread or on a fork of
   * it; what it costs is the forks' cycles.
   *
   * @param now the present time
   * @param names whose names the explanation may have
   * @param outOfQueue a sentence about what keeps the workload from every queue; asked only if
   *     nothing else explains that it waits
   */
  public static Explanation explain(
      QuotaEngine engine, ObjectKey key, Instant now, Names names, Supplier<String> outOfQueue) {
    return new Explainer(new Trials(engine, key, now), names, outOfQueue).explain();
  }

  private Explanation explain() {
    Workload workload = snapshot.workload(key);
    String named = workload == null ? null : workload.spec().queueName();
    String localQueue = named == null ? "" : named;
    String clusterQueue = clusterQueue(localQueue);
    WorkloadPhase phase = workload == null ? WorkloadPhase.GONE : phase(workload, clusterQueue);
    return switch (phase) {
      case FINISHED, ADMITTED, RESERVED, EVICTED, GONE ->
          new Explanation(
              key,
              phase.text(),
              localQueue,
              clusterQueue,
              -1,
              settled(phase),
              List.of(),
              List.of(),
              List.of());
      case PENDING, INADMISSIBLE, UNQUEUED -> waiting(phase, localQueue, clusterQueue);
    };
  }

  private WorkloadPhase phase(Workload workload, String clusterQueue) {
    WaitingLine.Place place = snapshot.line(clusterQueue).find(key);
    return WorkloadPhase.of(
        workload, place != null && !place.parked(), place != null && place.parked());
  }

  private String clusterQueue(String localQueue) {
    LocalQueue queue = snapshot.localQueue(new ObjectKey(key.namespace(), localQueue));
    String name = queue == null ? null : queue.spec().clusterQueue();
    return name == null ? "" : name;
  }

  private String settled(WorkloadPhase phase) {
    Workload workload = snapshot.workload(key);
    return switch (phase) {
      case FINISHED -> "It has ended.";
      case ADMITTED -> "It has quota and its pods may run.";
      case RESERVED -> "It has quota; " + missing(workload) + ".";
      case EVICTED -> "It was told to give way and still has pods.";
      default -> "There is no such workload.";
    };
  }

  private static String missing(@Nullable Workload workload) {
    List<String> checks = new ArrayList<>();
    if (workload != null) {
      workload.status().admissionChecks().stream()
          .filter(check -> !check.state().text().equals("Ready"))
          .forEach(check -> checks.add(check.name() + " is " + check.state().text()));
    }
    return checks.isEmpty()
        ? "its pods are still to be placed or its checks to be listed"
        : "admission checks are to come: " + String.join(", ", checks);
  }

  private Explanation waiting(WorkloadPhase phase, String localQueue, String clusterQueue) {
    Optional<Outcome> turn = trials.turn();
    List<String> wakeUps =
        turn
            .map(Outcome::wakeUps)
            .filter(it -> !it.isEmpty())
            .orElse(snapshot.wakeUps(key))
            .stream()
            .map(Explainer::sentence)
            .distinct()
            .toList();
    return new Explanation(
        key,
        phase.text(),
        localQueue,
        clusterQueue,
        ahead(clusterQueue),
        because(turn),
        turn.map(it -> shortages(it, clusterQueue)).orElse(List.of()),
        wakeUps,
        new Remedies(trials, snapshot, clusterQueue, names).find(turn));
  }

  private int ahead(String clusterQueue) {
    WaitingLine.Place place = snapshot.line(clusterQueue).find(key);
    return place == null ? -1 : place.inClusterQueue();
  }

  private String because(Optional<Outcome> turn) {
    if (turn.isPresent()) {
      String decided = sentence(turn.get().decision());
      return Trials.helps(turn.get()) ? decided + " as soon as its turn comes" : decided;
    }
    return outOfQueue.get();
  }

  /** Of all decisions only this one names a workload that may be somebody else's. */
  private String sentence(Decision decision) {
    return decision instanceof Decision.Looping(_, var other) && !names.shows(other.workload())
        ? "A workload of another namespace was made to give way for this one again and again, and"
            + " came back each time; it is left alone now"
        : DecisionMessages.of(decision);
  }

  private List<Shortage> shortages(Outcome turn, String clusterQueue) {
    List<Shortage> shortages = new ArrayList<>();
    for (AssignedPodSet podSet :
        Assignments.of(turn.decision()).map(it -> it.podSets()).orElse(List.of())) {
      for (Refusal refusal : podSet.refusals()) {
        switch (refusal) {
          case Refusal.Lacking(var flavor, var resource, var requested, var free, var scarce) ->
              shortages.add(
                  shortage(
                      podSet,
                      new FlavorResource(flavor, resource),
                      requested,
                      free,
                      scarce,
                      clusterQueue));
          case Refusal.TooLarge(var flavor, var resource, var requested, var potential) ->
              shortages.add(
                  shortage(
                      podSet,
                      new FlavorResource(flavor, resource),
                      requested,
                      potential,
                      "",
                      clusterQueue));
          case Refusal.Uncovered _,
              Refusal.Unsuitable _,
              Refusal.NoRoom _ -> {} // no quota is short
        }
      }
    }
    return shortages.stream().distinct().toList();
  }

  private Shortage shortage(
      AssignedPodSet podSet,
      FlavorResource pair,
      long requested,
      long free,
      String scarce,
      String clusterQueue) {
    String resource = pair.resource();
    return new Shortage(
        podSet.name(),
        pair.flavor(),
        resource,
        text(resource, requested),
        text(resource, free),
        scarce,
        levels(pair, clusterQueue),
        holders(pair, clusterQueue));
  }

  private List<Holder> holders(FlavorResource pair, String clusterQueue) {
    List<Holder> holders = new ArrayList<>();
    int hidden = 0;
    long amount = 0;
    for (WorkloadState holder : snapshot.holdersOf(pair, clusterQueue)) {
      long held = holder.usage().of(pair);
      if (!names.shows(holder.key())) {
        hidden++;
        amount = Amounts.plus(amount, held);
      } else if (holders.size() < MOST_HOLDERS) {
        holders.add(
            new Holder(
                holder.key(),
                1,
                holder.reservedIn(),
                holder.priority(),
                text(pair.resource(), held)));
      }
    }
    if (hidden > 0) {
      holders.add(new Holder(null, hidden, "", 0, text(pair.resource(), amount)));
    }
    return holders;
  }

  private List<Level> levels(FlavorResource pair, String clusterQueue) {
    QuotaTree tree = snapshot.treeOf(clusterQueue);
    List<Level> levels = new ArrayList<>();
    if (tree == null) {
      return levels;
    }
    TreeShape shape = tree.shape();
    int column = shape.column(pair);
    int node = shape.node(NodeName.clusterQueue(clusterQueue));
    while (column != TreeShape.NOWHERE && node != TreeShape.NOWHERE) {
      levels.add(
          new Level(
              shape.name(node).toString(),
              text(pair.resource(), shape.nominal(node, column)),
              text(pair.resource(), tree.ledger().usage(node, column)),
              text(pair.resource(), tree.ledger().available(node, column))));
      node = shape.parent(node);
    }
    return levels;
  }

  private static String text(String resource, long amount) {
    return new Amount(amount).text(resource);
  }

  private static String sentence(WakeUp wakeUp) {
    return switch (wakeUp) {
      case WakeUp.QuotaReleased(var root, var pair) ->
          "%s of flavor %s is released in the tree of %s, or its quota there changes"
              .formatted(pair.resource(), pair.flavor(), root);
      case WakeUp.TreeChanged(var root) ->
          "cohorts in the tree of %s come, go or move".formatted(root);
      case WakeUp.ClusterQueueChanged(var name) ->
          "ClusterQueue %s comes, changes or becomes active".formatted(name);
      case WakeUp.LocalQueueChanged(var namespace, var name) ->
          "LocalQueue %s/%s comes or changes".formatted(namespace, name);
      case WakeUp.NamespaceChanged(var name) ->
          "namespace %s comes, or its labels, limits or ResourceClaimTemplates change"
              .formatted(name);
      case WakeUp.FlavorChanged(var name) -> "ResourceFlavor %s comes or changes".formatted(name);
      case WakeUp.RoomChanged(var flavor) ->
          "there is more room on the nodes of flavor %s".formatted(flavor);
      case WakeUp.TimeReached(var time) -> "it is " + time;
      case WakeUp.WorkloadChanged() -> "the workload itself changes";
      case WakeUp.NextCycle() -> "the next cycle, without anything else";
    };
  }
}
