package dev.sluice.see.shadow;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.quota.Snapshot;
import dev.sluice.quota.decision.Outcome;
import dev.sluice.quota.tree.QuotaTree;
import dev.sluice.quota.world.WorkloadState;
import dev.sluice.see.shadow.Judgement.Evidence;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The Workloads that we would admit, or for which we would preempt, and that the other scheduler
 * leaves. One is left if we would move it for a whole grace, in which the other scheduler decides
 * nothing in the tree of its ClusterQueue. For one thread.
 */
final class LeftWorkloads {
  private final Duration grace;
  private final Map<ObjectKey, Instant> since = new HashMap<>();

  /** When the other scheduler decided last, by the name of the tree's root. */
  private final Map<String, Instant> active = new HashMap<>();

  /** The uids of those that were counted; each counts once until the other scheduler moves it. */
  private final Set<String> counted = new HashSet<>();

  LeftWorkloads(Duration grace) {
    this.grace = grace;
  }

  /** The other scheduler decided in that ClusterQueue. */
  void decided(Snapshot snapshot, String clusterQueue, Instant now) {
    active.put(root(snapshot, clusterQueue), now);
  }

  private static String root(Snapshot snapshot, String clusterQueue) {
    QuotaTree tree = snapshot.treeOf(clusterQueue);
    return tree == null ? clusterQueue : tree.shape().name(0).toString();
  }

  /** The other scheduler moves it; answers whether it was counted before. */
  boolean end(WorkloadState workload) {
    since.remove(workload.key());
    return counted.remove(workload.uid());
  }

  /** It is gone. */
  void forget(WorkloadState workload) {
    since.remove(workload.key());
    counted.remove(workload.uid());
  }

  /**
   * Finds those that are left by now.
   *
   * @param decided whether our scheduler would move it in the place of the other one, which
   *     remembers as much of earlier cycles
   */
  List<Judgement> look(Followed followed, Predicate<ObjectKey> decided, Instant now) {
    Map<ObjectKey, Outcome> moves = followed.plan(now).moves();
    since.keySet().removeIf(it -> !moves.containsKey(it));
    List<Judgement> judgements = new ArrayList<>();
    Snapshot snapshot = followed.snapshot(now);
    moves.forEach(
        (key, outcome) -> {
          WorkloadState workload = snapshot.state(key);
          if (workload == null || workload.holdsQuota() || !decided.test(key)) {
            since.remove(key); // its places change, or it is moved, or all leave it
            return;
          }
          Instant begin = since.computeIfAbsent(key, _ -> now);
          Instant last = active.get(root(snapshot, outcome.clusterQueue()));
          if (isOver(begin, now) && isOver(last, now) && counted.add(workload.uid())) {
            judgements.add(judgement(followed, snapshot, workload, outcome, now));
          }
        });
    return judgements;
  }

  private boolean isOver(@Nullable Instant begin, Instant now) {
    return begin == null || !now.isBefore(begin.plus(grace));
  }

  private static Judgement judgement(
      Followed followed, Snapshot snapshot, WorkloadState workload, Outcome ours, Instant now) {
    String deviation = KnownDeviations.of(Verdict.SOONER, snapshot, workload);
    return new Judgement(
        now,
        deviation.isEmpty() ? Verdict.SOONER : Verdict.KNOWN_DEVIATION,
        deviation,
        workload.key(),
        workload.uid(),
        ours.clusterQueue(),
        "left it waiting",
        Comparison.sentence(ours),
        new Evidence(followed.fork(), now, ours));
  }
}
