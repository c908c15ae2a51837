package dev.sluice.conversion.kinds;

import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
import dev.sluice.conversion.step.VersionStep;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The steps of every kind, and the way from any version to any other as a chain of them. */
public final class Steps {
  private static final Map<ApiKind, List<VersionStep>> STEPS = steps();

  private Steps() {}

  /**
   * The steps to take, in order; none if the versions are the same.
   *
   * @throws IllegalArgumentException if the kind lacks one of the versions
   */
  public static List<VersionStep> between(ApiKind kind, ApiVersion from, ApiVersion to) {
    require(kind, from);
    require(kind, to);
    boolean up = from.compareTo(to) < 0;
    ApiVersion lowest = up ? from : to;
    ApiVersion highest = up ? to : from;
    List<VersionStep> way = new ArrayList<>();
    for (VersionStep step : STEPS.getOrDefault(kind, List.of())) {
      if (step.older().compareTo(lowest) >= 0 && step.newer().compareTo(highest) <= 0) {
        way.add(step);
      }
    }
    return up ? way : way.reversed();
  }

  private static void require(ApiKind kind, ApiVersion version) {
    if (!kind.has(version)) {
      throw new IllegalArgumentException(version + " (expected: one of " + kind.versions() + ")");
    }
  }

  private static Map<ApiKind, List<VersionStep>> steps() {
    Map<ApiKind, List<VersionStep>> steps = new EnumMap<>(ApiKind.class);
    for (ApiKind kind : ApiKind.values()) {
      steps.put(
          kind,
          switch (kind) {
            case ADMISSION_CHECK -> PlainSteps.ADMISSION_CHECK;
            case CLUSTER_QUEUE -> ClusterQueueSteps.ALL;
            case COHORT -> CohortSteps.ALL;
            case LOCAL_QUEUE -> LocalQueueSteps.ALL;
            case MULTI_KUEUE_CLUSTER -> MultiKueueClusterSteps.ALL;
            case MULTI_KUEUE_CONFIG -> PlainSteps.MULTI_KUEUE_CONFIG;
            case PROVISIONING_REQUEST_CONFIG, RESOURCE_FLAVOR, WORKLOAD_PRIORITY_CLASS ->
                PlainSteps.SAME;
            case TOPOLOGY -> TopologySteps.ALL;
            case WORKLOAD -> WorkloadSteps.ALL;
          });
    }
    return steps;
  }
}
