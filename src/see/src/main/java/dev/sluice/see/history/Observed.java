package dev.sluice.see.history;

import dev.sluice.api.configuration.GoDuration;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.meta.ObjectMeta;
import dev.sluice.api.vocabulary.Annotations;
import dev.sluice.api.vocabulary.ConditionTypes;
import dev.sluice.api.workload.Admission;
import dev.sluice.api.workload.PodSetAssignment;
import dev.sluice.quota.amount.Amount;
import dev.sluice.quota.amount.Amounts;
import dev.sluice.quota.amount.FlavorResource;
import dev.sluice.quota.amount.Usage;
import dev.sluice.quota.world.WorkloadState;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** What a history takes from one version of a Workload. */
final class Observed {
  private Observed() {}

  static Subject subject(WorkloadState version) {
    ObjectMeta metadata = version.workload().metadata();
    return new Subject(
        metadata.uid(),
        version.key(),
        localQueue(version),
        OwnerSeries.of(metadata),
        Shapes.of(version),
        version.priority(),
        hints(version));
  }

  /** Whether nothing of it changed that may change. */
  static boolean isStill(Subject known, WorkloadState version) {
    return known.priority() == version.priority()
        && known.localQueue().equals(localQueue(version))
        && known.hints().equals(hints(version));
  }

  private static String localQueue(WorkloadState version) {
    ObjectKey queue = version.localQueue();
    return queue == null ? "" : queue.name();
  }

  private static RunTimeHints hints(WorkloadState version) {
    Integer maximum = version.workload().spec().maximumExecutionTimeSeconds();
    String expected =
        version.workload().metadata().annotations().getOrDefault(Annotations.RUNS_FOR, "");
    long seconds = expected.isEmpty() ? 0 : seconds(expected);
    return maximum == null && seconds == 0
        ? RunTimeHints.NONE
        : new RunTimeHints(maximum == null ? 0 : maximum, seconds);
  }

  /** Such as {@code 1h30m}; 0 for what is no time. */
  private static long seconds(String text) {
    return GoDuration.parse(text).map(Duration::toSeconds).orElse(0L);
  }

  /** The ClusterQueue of its admission; empty without one. */
  static String clusterQueue(WorkloadState version) {
    Admission admission = version.admission();
    String name = admission == null ? null : admission.clusterQueue();
    return name == null ? "" : name;
  }

  /** Whether it held quota until it finished. */
  static boolean endedWithQuota(WorkloadState version) {
    return version.finished()
        && version.isTrue(ConditionTypes.QUOTA_RESERVED)
        && version.admission() != null;
  }

  /** What it holds; what it was given where it has finished. */
  static Usage amounts(WorkloadState version) {
    Admission admission = version.admission();
    if (version.holdsQuota() || admission == null) {
      return version.usage();
    }
    Map<FlavorResource, Long> sum = new HashMap<>();
    for (PodSetAssignment podSet : admission.podSetAssignments()) {
      podSet
          .resourceUsage()
          .forEach(
              (resource, quantity) -> {
                String flavor = podSet.flavors().get(resource);
                if (flavor != null) {
                  sum.merge(
                      new FlavorResource(flavor, resource),
                      Amounts.notNegative(Amount.requested(resource, quantity)),
                      Amounts::plus);
                }
              });
    }
    return Usage.of(sum);
  }
}
