package dev.sluice.scheduler.metrics;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.queue.LocalQueue;
import dev.sluice.api.vocabulary.ConditionTypes;
import dev.sluice.api.vocabulary.PendingReason;
import dev.sluice.api.vocabulary.Reasons;
import dev.sluice.api.workload.ImpossiblePlacement;
import dev.sluice.quota.Snapshot;
import dev.sluice.quota.amount.Amounts;
import dev.sluice.quota.request.PodSetRequests;
import dev.sluice.quota.world.WorkloadState;
import dev.sluice.scheduler.queue.Holdings;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** The Workloads of each queue, counted in one pass on each scrape. */
final class QueueStats {
  private static final String NO_RESERVATION = Reasons.NO_RESERVATION;
  private static final String PENDING = PendingReason.PENDING_EVALUATION.text();

  /** Why a Workload is not admitted. */
  record Why(String clusterQueue, String reason, String cause) {}

  /** How many Workloads have the same values of the labels that are taken from them. */
  static final class Tagged {
    int active;
    int inadmissible;
    int reserving;
    int admitted;
  }

  /** What one queue has. */
  static final class Load {
    private final Map<List<String>, Tagged> tagged = new HashMap<>();
    int finished;
    int impossible;
    Instant oldest = Instant.MAX;
    final Set<Integer> activeShapes = new HashSet<>();
    final Set<Integer> inadmissibleShapes = new HashSet<>();
    final Map<String, Long> requested = new TreeMap<>();
    final Holdings held = new Holdings();
    final Map<Why, Integer> unadmitted = new HashMap<>();

    /** Reports each combination of label values; with none, a zero. */
    void tell(WorkloadLabels labels, BiConsumer<List<String>, Tagged> listener) {
      (tagged.isEmpty() ? Map.of(labels.none(), new Tagged()) : tagged).forEach(listener);
    }

    private Tagged tagged(List<String> tags) {
      return tagged.computeIfAbsent(tags, _ -> new Tagged());
    }

    private void hold(WorkloadState workload, List<String> tags) {
      held.add(workload);
      tagged(tags).reserving++;
      tagged(tags).admitted += workload.admitted() ? 1 : 0;
    }

    private void await(WorkloadState workload, boolean pending, List<String> tags) {
      (pending ? activeShapes : inadmissibleShapes).add(workload.shape().number());
      tagged(tags).active += pending ? 1 : 0;
      tagged(tags).inadmissible += pending ? 0 : 1;
      oldest = oldest.isBefore(workload.queueTimestamp()) ? oldest : workload.queueTimestamp();
      for (PodSetRequests podSet : workload.requests()) {
        for (int i = 0; i < podSet.total().size(); i++) {
          requested.merge(podSet.total().resource(i), podSet.total().amount(i), Amounts::plus);
        }
      }
    }
  }

  private final Snapshot snapshot;
  private final WorkloadLabels labels;
  private final Map<String, Load> clusterQueues = new HashMap<>();
  private final Map<ObjectKey, Load> localQueues = new HashMap<>();

  private QueueStats(Snapshot snapshot, WorkloadLabels labels) {
    this.snapshot = snapshot;
    this.labels = labels;
  }

  static QueueStats of(Snapshot snapshot, WorkloadLabels labels) {
    QueueStats stats = new QueueStats(snapshot, labels);
    snapshot.workloads().forEach(stats::add);
    return stats;
  }

  /** The labels whose values divide the Workloads. */
  WorkloadLabels labels() {
    return labels;
  }

  Load clusterQueue(String name) {
    return clusterQueues.getOrDefault(name, new Load());
  }

  Load localQueue(ObjectKey key) {
    return localQueues.getOrDefault(key, new Load());
  }

  private void add(WorkloadState workload) {
    String queue = queue(workload);
    ObjectKey key = workload.localQueue();
    Load whole = queue == null ? new Load() : clusterQueues.computeIfAbsent(queue, _ -> new Load());
    Load part = key == null ? new Load() : localQueues.computeIfAbsent(key, _ -> new Load());
    if (workload.finished()) {
      whole.finished++;
      part.finished++;
      return;
    }
    List<String> tags = labels.of(workload.workload().metadata());
    if (workload.holdsQuota()) {
      whole.impossible += isImpossible(workload) ? 1 : 0;
      whole.hold(workload, tags);
      part.hold(workload, tags);
    } else if (queue != null && waits(workload)) {
      boolean pending = snapshot.isPending(workload.key(), queue);
      whole.await(workload, pending, tags);
      part.await(workload, pending, tags);
    }
    if (!workload.admitted() && queue != null) {
      Why why = why(workload, queue);
      whole.unadmitted.merge(why, 1, Integer::sum);
      part.unadmitted.merge(why, 1, Integer::sum);
    }
  }

  private static boolean isImpossible(WorkloadState workload) {
    var admission = workload.admission();
    return admission != null
        && ImpossiblePlacement.of(admission, workload.workload().spec().podSets()).isPresent();
  }

  /** Without Workloads of a stopped LocalQueue: those wait for that queue only. */
  private boolean waits(WorkloadState workload) {
    return workload.admissible() && snapshot.queueFor(workload) != null;
  }

  /** Where its quota is or was from, else where its LocalQueue leads. */
  private @Nullable String queue(WorkloadState workload) {
    var admission = workload.admission();
    if (admission != null && (workload.holdsQuota() || workload.finished())) {
      return admission.clusterQueue();
    }
    ObjectKey key = workload.localQueue();
    LocalQueue queue = key == null ? null : snapshot.localQueue(key);
    return queue == null ? null : queue.spec().clusterQueue();
  }

  private static Why why(WorkloadState workload, String queue) {
    return new Why(
        queue,
        reason(workload, ConditionTypes.ADMITTED, NO_RESERVATION),
        workload.holdsQuota() ? "" : reason(workload, ConditionTypes.QUOTA_RESERVED, PENDING));
  }

  private static String reason(WorkloadState workload, String type, String otherwise) {
    var condition = workload.condition(type);
    return condition == null ? otherwise : condition.reason();
  }
}
