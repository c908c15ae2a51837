package dev.sluice.webhook.settings;

/** The features that rules ask for, by the names and defaults that Kueue has for them. */
public enum Gate {
  PARTIAL_ADMISSION("PartialAdmission", true),
  TOPOLOGY_AWARE_SCHEDULING("TopologyAwareScheduling", true),
  TAS_MULTI_LAYER_TOPOLOGY("TASMultiLayerTopology", true),
  ELASTIC_JOBS("ElasticJobsViaWorkloadSlices", true),
  MULTI_KUEUE("MultiKueue", true),
  ADMISSION_GATED_BY("AdmissionGatedBy", true),
  WORKLOAD_IDENTIFIER_ANNOTATIONS("WorkloadIdentifierAnnotations", true),
  WORKLOAD_PRIORITY_CLASS_DEFAULTING("WorkloadPriorityClassDefaulting", true),
  NON_NEGATIVE_RESOURCES("WorkloadValidateResourcesAreNonNegative", true),
  TAS_WORKLOAD_SLICE_SIZE("TASValidateWorkloadSliceSize", true),
  POD_SET_METADATA("WorkloadValidationForPodSetMetadata", true),
  LWS_IMMUTABLE_GROUP_SIZE("LWSImmutableGroupSize", true),
  SKIP_ANCESTORS_OF_DELETED("SkipAncestorCheckForDeletedWorkloads", true),
  RAY_AND_SPARK_UPDATES("ValidateRayAndSparkJobUpdates", true),
  SHORT_WORKLOAD_NAMES("ShortWorkloadNames", false),
  PRIORITY_BOOST("PriorityBoost", false),
  CONCURRENT_ADMISSION("ConcurrentAdmission", false),
  REJECT_INVALID_ON_FLAVORS("RejectUpdatesToCQWithInvalidOnFlavors", false),
  SPARK_APPLICATION("SparkApplicationIntegration", false),
  QUOTA_AUTOMATION("MultiKueueManagerQuotaAutomation", false);

  private final String text;
  private final boolean onByDefault;

  Gate(String text, boolean onByDefault) {
    this.text = text;
    this.onByDefault = onByDefault;
  }

  /** The name in configuration files. */
  public String text() {
    return text;
  }

  /** Whether the feature is on where nobody says otherwise. */
  public boolean isOnByDefault() {
    return onByDefault;
  }
}
