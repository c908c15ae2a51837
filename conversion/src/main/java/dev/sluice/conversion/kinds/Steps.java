package dev.sluice.conversion.kinds;

import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
import dev.sluice.conversion.step.KindVersions;
import dev.sluice.conversion.step.VersionStep;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The steps of every kind, and the way from any version to any other as a chain of them. */
public final class Steps {
  private static final Map<ApiKind, KindVersions> KINDS = kinds();

  private Steps() {}

  /** The kinds of Kueue. */
  public static List<KindVersions> all() {
    return List.copyOf(KINDS.values());
  }

  /**
   * The steps to take, in order; none if the versions are the same.
   *
   * @throws IllegalArgumentException if the kind lacks one of the versions
   */
  public static List<VersionStep> between(ApiKind kind, ApiVersion from, ApiVersion to) {
    return Objects.requireNonNull(KINDS.get(kind)).between(from.text(), to.text());
  }

  private static Map<ApiKind, KindVersions> kinds() {
    Map<ApiKind, KindVersions> kinds = new EnumMap<>(ApiKind.class);
    for (ApiKind kind : ApiKind.values()) {
      List<String> versions = kind.versions().stream().map(ApiVersion::text).toList();
      kinds.put(kind, new KindVersions(kind.groupKind(), versions, steps(kind)));
    }
    return kinds;
  }

  private static List<VersionStep> steps(ApiKind kind) {
    return switch (kind) {
      case ADMISSION_CHECK -> PlainSteps.ADMISSION_CHECK;
      case CLUSTER_QUEUE -> ClusterQueueSteps.ALL;
      case COHORT -> CohortSteps.ALL;
      case LOCAL_QUEUE -> LocalQueueSteps.ALL;
      case MULTI_KUEUE_CLUSTER -> MultiKueueClusterSteps.ALL;
      case MULTI_KUEUE_CONFIG -> PlainSteps.MULTI_KUEUE_CONFIG;
      case PROVISIONING_REQUEST_CONFIG, RESOURCE_FLAVOR, WORKLOAD_PRIORITY_CLASS -> PlainSteps.SAME;
      case TOPOLOGY -> TopologySteps.ALL;
      case WORKLOAD -> WorkloadSteps.ALL;
    };
  }
}
