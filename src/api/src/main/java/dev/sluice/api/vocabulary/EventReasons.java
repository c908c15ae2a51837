package dev.sluice.api.vocabulary;

/**
 * Reasons of Events. An Event about a condition has the reason of that condition, from {@link
 * ConditionTypes} or {@link Reasons}.
 */
public final class EventReasons {
  // about jobs

  /** A Workload was made for the job. */
  public static final String CREATED_WORKLOAD = "CreatedWorkload";

  /** The Workload follows a change of the job. */
  public static final String UPDATED_WORKLOAD = "UpdatedWorkload";

  /** A Workload that no longer fits the job was deleted. */
  public static final String DELETED_WORKLOAD = "DeletedWorkload";

  /** The Workload of the job is finished. */
  public static final String FINISHED_WORKLOAD = "FinishedWorkload";

  /** No Workload can be made for the job as it is. */
  public static final String ERR_WORKLOAD_COMPOSE = "ErrWorkloadCompose";

  /** The WorkloadPriorityClass that the job names does not exist. */
  public static final String WORKLOAD_PRIORITY_CLASS_NOT_FOUND = "WorkloadPriorityClassNotFound";

  /** The job is started. */
  public static final String STARTED = "Started";

  /** The job is stopped. */
  public static final String STOPPED = "Stopped";

  /** A job whose owner is queued is suspended until its owner starts. */
  public static final String SUSPENDED = "Suspended";

  /** The messages of admission checks that are pending changed. */
  public static final String UPDATED_ADMISSION_CHECK = "UpdatedAdmissionCheck";

  /** A Pod group has more Pods than its total count. */
  public static final String EXCESS_POD_DELETED = "ExcessPodDeleted";

  /** Pods became owners of the Workload of their group. */
  public static final String OWNER_REFERENCES_ADDED = "OwnerReferencesAdded";

  /** The object is deleted, because it was kept as long as configured. */
  public static final String DELETED = "Deleted";

  // about Workloads

  /** The start of the reason of an eviction; the reason of the condition Evicted follows. */
  public static final String EVICTED_DUE_TO = "EvictedDueTo";

  /** Another Workload was evicted for this one. */
  public static final String PREEMPTED_WORKLOAD = "PreemptedWorkload";

  /** A variant of the Workload was created. */
  public static final String CREATED_VARIANT = "CreatedVariant";

  /** A variant of the Workload was deleted. */
  public static final String DELETED_VARIANT = "DeletedVariant";

  /** A variant of the Workload may be queued. */
  public static final String ACTIVATED_VARIANT = "ActivatedVariant";

  /** A variant of the Workload may not be queued. */
  public static final String DEACTIVATED_VARIANT = "DeactivatedVariant";

  /** A variant of the Workload may preempt now. */
  public static final String PREEMPTION_UNGATED_VARIANT = "PreemptionUngatedVariant";

  /** Pods of failed nodes have other places. */
  public static final String NODES_REPLACED = "NodesReplaced";

  /** No place was found after the checks were ready. */
  public static final String SECOND_PASS_FAILED = "SecondPassFailed";

  /** An admission check rejects the Workload. */
  public static final String ADMISSION_CHECK_REJECTED = "AdmissionCheckRejected";

  /** The state of an admission check changed. */
  public static final String ADMISSION_CHECK_UPDATED = "AdmissionCheckUpdated";

  /** No gate of the annotation holds the Workload any more. */
  public static final String ADMISSION_GATE_CLEARED = "AdmissionGateCleared";

  /** A ProvisioningRequest was made for the Workload. */
  public static final String PROVISIONING_REQUEST_CREATED = "ProvisioningRequestCreated";

  /** A status that contradicts itself was repaired. Only Sluice writes it. */
  public static final String STATUS_REPAIRED = "StatusRepaired";

  /** What happens to the Workload on other clusters. */
  public static final String MULTI_KUEUE = "MultiKueue";

  // about other objects

  /** A Pod of a failed node was ended by force. */
  public static final String POD_TERMINATED_BY_KUEUE = "PodTerminatedByKueue";

  /** A Pod on a node that is lost was deleted by force. */
  public static final String FORCEFULLY_DELETED = "KueueForcefullyDeleted";

  /** The API server refuses to create an object. */
  public static final String FAILED_CREATE = "FailedCreate";

  /** The API server refuses to change an object. */
  public static final String FAILED_UPDATE = "FailedUpdate";

  /** The API server refuses to delete an object. */
  public static final String FAILED_DELETE = "FailedDelete";

  /** A kubeconfig lies where it will be refused later. */
  public static final String DEPRECATED_PATH_USAGE = "DeprecatedPathUsage";

  /**
   * A MultiKueueCluster is deleted, but objects may be left on its worker. Only Sluice writes it.
   */
  public static final String OBJECTS_LEFT_ON_WORKER = "ObjectsLeftOnWorker";

  /** Another manager uses the same origin on a worker. Only Sluice writes it. */
  public static final String ORIGIN_SHARED = "OriginShared";

  /** Most of what is on a worker belongs to no Workload here. Only Sluice writes it. */
  public static final String MASS_DELETION = "MassDeletion";

  /** Two nodes have the same hostname. Only Sluice writes it. */
  public static final String HOSTNAME_NOT_UNIQUE = "HostnameNotUnique";

  private EventReasons() {}
}
