package dev.sluice.scheduler.metrics;

import java.util.ArrayList;
import java.util.List;

/** What is counted and timed of Workloads. */
final class WorkloadMetricDefinitions {
  /** The same of ClusterQueues and of LocalQueues; with the class of priority as the last label. */
  record Pair(MetricDefinition clusterQueue, MetricDefinition localQueue) {
    private static Pair counter(String name, String help, String... more) {
      return new Pair(
          MetricDefinition.counter("kueue_" + name, help, labels(List.of("cluster_queue"), more)),
          MetricDefinition.counter(
              "kueue_local_queue_" + name, help, labels(List.of("name", "namespace"), more)));
    }

    private static Pair times(String name, String help, List<Double> bounds, List<Double> local) {
      return new Pair(
          MetricDefinition.times("kueue_" + name, help, bounds, labels(List.of("cluster_queue"))),
          MetricDefinition.times(
              "kueue_local_queue_" + name, help, local, labels(List.of("name", "namespace"))));
    }

    private static String[] labels(List<String> queue, String... more) {
      List<String> all = new ArrayList<>(queue);
      all.addAll(List.of(more));
      all.add("priority_class");
      return all.toArray(String[]::new);
    }
  }

  static final Pair RESERVED =
      Pair.counter("quota_reserved_workloads_total", "Workloads that got quota");
  static final Pair RESERVED_WAIT =
      Pair.times(
          "quota_reserved_wait_time_seconds",
          "From being made or requeued to quota",
          MetricDefinition.WAIT,
          MetricDefinition.WAIT);
  static final Pair ADMITTED =
      Pair.counter("admitted_workloads_total", "Workloads that were admitted");
  static final Pair ADMITTED_WAIT =
      Pair.times(
          "admission_wait_time_seconds",
          "From being made or requeued to admission",
          MetricDefinition.LONG,
          MetricDefinition.WAIT);
  static final Pair CHECKS_WAIT =
      Pair.times(
          "admission_checks_wait_time_seconds",
          "From quota to admission",
          MetricDefinition.WAIT,
          MetricDefinition.WAIT);
  static final Pair READY_WAIT =
      Pair.times(
          "ready_wait_time_seconds",
          "From being made or requeued to pods that are ready",
          MetricDefinition.WAIT,
          MetricDefinition.WAIT);
  static final Pair ADMITTED_READY =
      Pair.times(
          "admitted_until_ready_wait_time_seconds",
          "From admission to pods that are ready",
          MetricDefinition.WAIT,
          MetricDefinition.WAIT);
  static final Pair FINISHED = Pair.counter("finished_workloads_total", "Workloads that finished");
  static final Pair EXECUTION =
      Pair.times(
          "execution_time_seconds",
          "From admission to the end",
          MetricDefinition.LONG,
          MetricDefinition.LONG);
  static final Pair EVICTED =
      Pair.counter(
          "evicted_workloads_total", "Evictions of Workloads", "reason", "underlying_cause");

  /** Only of ClusterQueues. */
  static final MetricDefinition EVICTED_ONCE =
      MetricDefinition.counter(
          "kueue_evicted_workloads_once_total",
          "Workloads that were evicted, each counted the first time",
          "cluster_queue",
          "reason",
          "underlying_cause",
          "priority_class");

  static final MetricDefinition READY_EVICTED =
      MetricDefinition.times(
          "kueue_pods_ready_to_evicted_time_seconds",
          "From pods that are ready to the eviction",
          MetricDefinition.WAIT,
          "cluster_queue",
          "reason",
          "underlying_cause");
  static final MetricDefinition EVICTION_LATENCY =
      MetricDefinition.times(
          "kueue_workload_eviction_latency_seconds",
          "From the eviction to quota that is free",
          MetricDefinition.WAIT,
          "cluster_queue",
          "reason");
  static final MetricDefinition PREEMPTED =
      MetricDefinition.counter(
          "kueue_preempted_workloads_total",
          "Workloads that gave way to one of that ClusterQueue",
          "preempting_cluster_queue",
          "reason");
  static final MetricDefinition REPLACED =
      MetricDefinition.counter(
          "kueue_replaced_workload_slices_total",
          "Workloads whose place another one of the same job took",
          "cluster_queue");
  static final MetricDefinition COHORT_ADMITTED =
      MetricDefinition.counter(
          "kueue_cohort_subtree_admitted_workloads_total",
          "Workloads that were admitted by ClusterQueues below the Cohort",
          "cohort",
          "priority_class");

  private WorkloadMetricDefinitions() {}
}
