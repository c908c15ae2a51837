package dev.sluice.cli.explain;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.workload.Workload;
import dev.sluice.cli.explain.Explanation.Holder;
import dev.sluice.cli.explain.Explanation.Level;
import dev.sluice.cli.explain.Explanation.Shortage;
import dev.sluice.cli.world.ClusterState;
import dev.sluice.cli.world.SimulatedCluster;
import dev.sluice.cli.world.WorkloadPhase;
import dev.sluice.quota.Snapshot;
import dev.sluice.quota.amount.Amount;
import dev.sluice.quota.amount.FlavorResource;
import dev.sluice.quota.condition.DecisionMessages;
import dev.sluice.quota.decision.AssignedPodSet;
import dev.sluice.quota.decision.Outcome;
import dev.sluice.quota.decision.Refusal;
import dev.sluice.quota.decision.WakeUp;
import dev.sluice.quota.tree.NodeName;
import dev.sluice.quota.tree.QuotaTree;
import dev.sluice.quota.tree.TreeShape;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Finds out why a workload is where it is, by asking the engine. */
final class Explainer {
  private static final int MOST_HOLDERS = 5;

  private final Trials trials;
  private final OtherClusters others;
  private final ObjectKey key;
  private final SimulatedCluster cluster;
  private final Snapshot snapshot;
  private final ClusterState state;

  Explainer(Trials trials, OtherClusters others) {
    this.trials = trials;
    this.others = others;
    this.key = trials.key();
    this.cluster = trials.world();
    this.snapshot = cluster.snapshot();
    this.state = cluster.state();
  }

  Explanation explain() {
    WorkloadPhase phase = state.phase(key);
    String localQueue = trials.subject().path("spec").path("queueName").asText();
    String clusterQueue = clusterQueue(localQueue);
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
              others.find(),
              List.of());
      case PENDING, INADMISSIBLE, UNQUEUED -> waiting(phase, localQueue, clusterQueue);
    };
  }

  private String clusterQueue(String localQueue) {
    return trials
        .object("LocalQueue", key.namespace(), localQueue)
        .map(queue -> queue.at("/spec/clusterQueue").asText())
        .orElse("");
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
        others.find(),
        new Remedies(trials, snapshot, clusterQueue).find(turn));
  }

  private int ahead(String clusterQueue) {
    var all = state.pending().get(clusterQueue);
    return all == null ? -1 : List.copyOf(all).indexOf(key);
  }

  private String because(Optional<Outcome> turn) {
    if (turn.isPresent()) {
      return Trials.helps(turn.get())
          ? DecisionMessages.of(turn.get().decision()) + " as soon as its turn comes"
          : DecisionMessages.of(turn.get().decision());
    }
    return cluster.obstacle(key).orElse(SimulatedCluster.OF_ITS_OWN);
  }

  private List<Shortage> shortages(Outcome turn, String clusterQueue) {
    List<Shortage> shortages = new ArrayList<>();
    for (AssignedPodSet podSet :
        Trials.assignment(turn).map(it -> it.podSets()).orElse(List.of())) {
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
        snapshot.holdersOf(pair, clusterQueue).stream()
            .limit(MOST_HOLDERS)
            .map(
                holder ->
                    new Holder(
                        holder.key(),
                        holder.reservedIn(),
                        holder.priority(),
                        text(resource, holder.usage().of(pair))))
            .toList());
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
