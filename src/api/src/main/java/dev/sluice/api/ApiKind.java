package dev.sluice.api;

import static dev.sluice.api.ApiVersion.V1ALPHA1;
import static dev.sluice.api.ApiVersion.V1BETA1;
import static dev.sluice.api.ApiVersion.V1BETA2;

import java.util.EnumSet;
import java.util.List;
import java.util.Optional;

/**
 * The kinds we serve, each with its names and the versions it has: the one list that server,
 * manifests and commands are held against.
 */
public enum ApiKind {
  ADMISSION_CHECK("AdmissionCheck", "admissionchecks", V1BETA1, V1BETA2),
  CLUSTER_QUEUE("ClusterQueue", "clusterqueues", V1BETA1, V1BETA2),
  COHORT("Cohort", "cohorts", V1ALPHA1, V1BETA1, V1BETA2),
  LOCAL_QUEUE("LocalQueue", "localqueues", V1BETA1, V1BETA2),
  MULTI_KUEUE_CLUSTER("MultiKueueCluster", "multikueueclusters", V1BETA1, V1BETA2),
  MULTI_KUEUE_CONFIG("MultiKueueConfig", "multikueueconfigs", V1BETA1, V1BETA2),
  PROVISIONING_REQUEST_CONFIG(
      "ProvisioningRequestConfig", "provisioningrequestconfigs", V1BETA1, V1BETA2),
  RESOURCE_FLAVOR("ResourceFlavor", "resourceflavors", V1BETA1, V1BETA2),
  TOPOLOGY("Topology", "topologies", V1ALPHA1, V1BETA1, V1BETA2),
  WORKLOAD("Workload", "workloads", V1BETA1, V1BETA2),
  WORKLOAD_PRIORITY_CLASS("WorkloadPriorityClass", "workloadpriorityclasses", V1BETA1, V1BETA2);

  private final String kind;
  private final String plural;

  @SuppressWarnings("ImmutableEnumChecker") // an unmodifiable list of enum constants
  private final List<ApiVersion> versions;

  ApiKind(String kind, String plural, ApiVersion first, ApiVersion... others) {
    this.kind = kind;
    this.plural = plural;
    this.versions = List.copyOf(EnumSet.of(first, others));
  }

  /** The value of an object's {@code kind}. */
  public String kind() {
    return kind;
  }

  /** The plural of URLs and CRD names. */
  public String plural() {
    return plural;
  }

  /** The name of the kind's CustomResourceDefinition. */
  public String crdName() {
    return plural + "." + ApiVersion.GROUP;
  }

  /** Whether objects of this kind live in a namespace. */
  public boolean namespaced() {
    return this == LOCAL_QUEUE || this == WORKLOAD;
  }

  /** The versions this kind has, oldest first. */
  public List<ApiVersion> versions() {
    return versions;
  }

  /** Whether this kind has that version. */
  public boolean has(ApiVersion version) {
    return versions.contains(version);
  }

  /** The kind whatever its version. */
  public GroupKind groupKind() {
    return new GroupKind(ApiVersion.GROUP, kind);
  }

  /** The kind at the version that rules are written against. */
  public GroupVersionKind hub() {
    return new GroupVersionKind(ApiVersion.GROUP, ApiVersion.HUB.text(), kind);
  }

  /** The kind with exactly this name; empty for any other text. */
  public static Optional<ApiKind> find(String kind) {
    for (ApiKind candidate : values()) {
      if (candidate.kind.equals(kind)) {
        return Optional.of(candidate);
      }
    }
    return Optional.empty();
  }

  @Override
  public String toString() {
    return kind;
  }
}
