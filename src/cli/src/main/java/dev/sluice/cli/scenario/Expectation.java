package dev.sluice.cli.scenario;

import dev.sluice.api.Quantity;
import dev.sluice.api.meta.ConditionStatus;
import dev.sluice.api.meta.Copies;
import dev.sluice.api.meta.Default;
import dev.sluice.api.workload.Admission;
import dev.sluice.see.phase.WorkloadPhase;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is expected of a moment. What is not mentioned may be anything.
 *
 * @param pending all that is left in the queues, by ClusterQueue, as {@code namespace/name}
 * @param inadmissible all that is parked, likewise
 * @param usage what is reserved, by ClusterQueue, flavor and resource; of a queue that is mentioned
 *     all that is not zero
 */
public record Expectation(
    List<ExpectedWorkload> workloads,
    @Nullable Map<String, List<String>> pending,
    @Nullable Map<String, List<String>> inadmissible,
    Map<String, Map<String, Map<String, Quantity>>> usage) {
  /** Copies what is given. */
  public Expectation {
    workloads = List.copyOf(workloads);
    usage = Copies.of(usage);
  }

  /**
   * What is expected of one workload.
   *
   * @param state how far it is
   * @param reason why it has no quota, the reason of its condition QuotaReserved
   * @param flavors by pod set and resource
   * @param counts the pods that were admitted, by pod set
   * @param admission all of its admission; with conditions given, and without this, it has none
   * @param conditions all its conditions
   */
  public record ExpectedWorkload(
      @Default("default") String namespace,
      String name,
      @Nullable WorkloadPhase state,
      @Nullable String reason,
      Map<String, Map<String, String>> flavors,
      Map<String, Integer> counts,
      @Nullable Admission admission,
      @Nullable List<ExpectedCondition> conditions) {
    /** Copies what is given. */
    public ExpectedWorkload {
      flavors = Copies.of(flavors);
      counts = Copies.of(counts);
    }
  }

  /**
   * A condition.
   *
   * @param reason any, where it is not given
   */
  public record ExpectedCondition(String type, ConditionStatus status, @Nullable String reason) {}
}
