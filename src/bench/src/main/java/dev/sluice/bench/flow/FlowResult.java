package dev.sluice.bench.flow;

import dev.sluice.bench.engine.Story.Plot;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * How a run went.
 *
 * @param wall from the first create to the last end
 * @param quotaUse the share of all nominal quota that was reserved, on average
 * @param generatorCalls writes that the generator asked for
 * @param rewatches how often the API server ended the watch of the generator
 * @param requests what the API server was asked in all, by verb and resource; without watches
 * @param writes what the scheduler wrote, by kind, verb and result, by its own count
 */
public record FlowResult(
    Plot plot,
    Duration wall,
    List<OfClass> classes,
    double quotaUse,
    ProcessUse.Used use,
    Probe.Rates bare,
    int generatorCalls,
    int rewatches,
    Map<String, Long> requests,
    Map<String, Long> writes) {
  static final String SCHEDULER = "sluice schedule";
  static final String API_SERVER = "kube-apiserver";
  static final String ETCD = "etcd";
  static final String GENERATOR = "generator";

  /**
   * Workloads of one class.
   *
   * @param mean from being stored to being seen admitted for the first time, as are the next two
   */
  public record OfClass(
      String name, int workloads, Duration mean, Duration p50, Duration p99, int evictions) {}

  int workloads() {
    return plot.workloads();
  }

  double millisPerWorkload(String process) {
    return use.cpu().getOrDefault(process, Duration.ZERO).toNanos() / 1e6 / workloads();
  }

  /** Writes of the scheduler to any kind, those that conflicted included, for one workload. */
  double writesPerWorkload() {
    return (double) writes.values().stream().mapToLong(Long::longValue).sum() / workloads();
  }
}
