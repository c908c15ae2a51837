package dev.sluice.api.vocabulary;

/**
 * Reasons of a Workload's conditions. A reason that has the name of its condition, such as {@code
 * Admitted}, is the constant of {@link ConditionTypes}.
 */
public final class Reasons {
  // of Evicted, and of Requeued=False after it

  /** An AdmissionCheck asks for a retry, or rejects. */
  public static final String ADMISSION_CHECK = "AdmissionCheck";

  /** A node of the job failed. */
  public static final String NODE_FAILURES = "NodeFailures";

  /** The Pods did not become ready in time. */
  public static final String PODS_READY_TIMEOUT = "PodsReadyTimeout";

  /** The LocalQueue is stopped. */
  public static final String LOCAL_QUEUE_STOPPED = "LocalQueueStopped";

  /** The ClusterQueue is stopped. */
  public static final String CLUSTER_QUEUE_STOPPED = "ClusterQueueStopped";

  /** {@code spec.active} is false. */
  public static final String DEACTIVATED = "Deactivated";

  /** Comes between {@link #DEACTIVATED} and the cause of a deactivation. */
  public static final String DUE_TO = "DueTo";

  /** The job ran longer than it may; a cause of a deactivation. */
  public static final String MAXIMUM_EXECUTION_TIME_EXCEEDED = "MaximumExecutionTimeExceeded";

  /** The Pods were not ready in time too often; a cause of a deactivation. */
  public static final String REQUEUING_LIMIT_EXCEEDED = "RequeuingLimitExceeded";

  /** The variant that a Workload had its admission from was evicted. */
  public static final String VARIANT_EVICTED = "VariantEvicted";

  /** A variant goes with the Workload that it is for. */
  public static final String CONCURRENT_ADMISSION = "ConcurrentAdmission";

  /** A variant with a preferred flavor has quota. */
  public static final String FLAVOR_MIGRATION = "FlavorMigration";

  /** {@code Finished}: its job cannot be started with what was decided; the message says why. */
  public static final String FAILED_TO_START = "FailedToStart";

  /** The stored admission is missing. Only Sluice writes it. */
  public static final String ADMISSION_MISSING = "AdmissionMissing";

  // of Requeued=True

  public static final String REACTIVATED = "Reactivated";
  public static final String BACKOFF_FINISHED = "BackoffFinished";
  public static final String LOCAL_QUEUE_RESTARTED = "LocalQueueRestarted";
  public static final String CLUSTER_QUEUE_RESTARTED = "ClusterQueueRestarted";

  // of Finished

  public static final String SUCCEEDED = "Succeeded";
  public static final String FAILED = "Failed";
  public static final String WORKLOAD_SLICE_REPLACED = "WorkloadSliceReplaced";
  public static final String OWNER_NOT_FOUND = "OwnerNotFound";
  public static final String OUT_OF_SYNC = "OutOfSync";

  // of Admitted=False

  public static final String NO_RESERVATION = "NoReservation";
  public static final String NO_RESERVATION_UNSATISFIED_CHECKS = "NoReservationUnsatisfiedChecks";
  public static final String UNSATISFIED_CHECKS = "UnsatisfiedChecks";
  public static final String UNSATISFIED_ADMISSION_CHECKS = "UnsatisfiedAdmissionChecks";
  public static final String PENDING_DELAYED_TOPOLOGY_REQUESTS = "PendingDelayedTopologyRequests";

  // of PodsReady

  /** All Pods are ready for the first time. */
  public static final String STARTED = "Started";

  /** The Pods were never all ready. */
  public static final String WAIT_FOR_START = "WaitForStart";

  /** The Pods were all ready once. */
  public static final String WAIT_FOR_RECOVERY = "WaitForRecovery";

  /** All Pods are ready again. */
  public static final String RECOVERED = "Recovered";

  // of Active of a LocalQueue

  public static final String READY = "Ready";

  /** The queue is stopped. */
  public static final String STOPPED = "Stopped";

  public static final String CLUSTER_QUEUE_DOES_NOT_EXIST = "ClusterQueueDoesNotExist";
  public static final String CLUSTER_QUEUE_IS_INACTIVE = "ClusterQueueIsInactive";

  // of Active=False of an AdmissionCheck

  /** The parameters of the check name no usable configuration. */
  public static final String BAD_PARAMETERS_REF = "BadParametersRef";

  /** The API server does not serve ProvisioningRequests. Only Sluice writes it. */
  public static final String PROVISIONING_REQUESTS_NOT_SERVED = "ProvisioningRequestsNotServed";

  // of Active of a MultiKueueCluster and of an AdmissionCheck of MultiKueue

  /** There is no kubeconfig where the MultiKueueCluster says. */
  public static final String BAD_KUBE_CONFIG = "BadKubeConfig";

  /** The kubeconfig asks for what is not allowed, or cannot be read. */
  public static final String INSECURE_KUBE_CONFIG = "InsecureKubeConfig";

  /** No client can be made of the kubeconfig. */
  public static final String BAD_REST_CONFIG = "BadRestConfig";

  public static final String MULTI_KUEUE_CLUSTER_PROFILE_FEATURE_DISABLED =
      "MultiKueueClusterProfileFeatureDisabled";
  public static final String CLIENT_CONNECTION_FAILED = "ClientConnectionFailed";

  /** The parameters of the check name no usable MultiKueueConfig. */
  public static final String BAD_CONFIG = "BadConfig";

  public static final String NO_USABLE_CLUSTERS = "NoUsableClusters";
  public static final String SOME_ACTIVE_CLUSTERS = "SomeActiveClusters";

  // of DeactivationTarget

  /** The manager of a copy wants it stopped. */
  public static final String EVICTED_ON_MANAGER_CLUSTER = "EvictedOnManagerCluster";

  // of others

  /** Of BlockedOnPreemptionGates. */
  public static final String PREEMPTION_GATED = "PreemptionGated";

  /** Of the condition {@link ConditionTypes#IMPOSSIBLE_PLACEMENT}. */
  public static final String IMPOSSIBLE_PLACEMENT = "ImpossiblePlacement";

  private Reasons() {}
}
