package dev.sluice.api.vocabulary;

import static dev.sluice.api.vocabulary.Domains.KUEUE;
import static dev.sluice.api.vocabulary.Domains.RBAC;

/** Labels that Kueue's objects, jobs and Pods carry. */
public final class Labels {
  /** The LocalQueue that a job is queued in. */
  public static final String QUEUE_NAME = KUEUE + "queue-name";

  /** The WorkloadPriorityClass of a job. */
  public static final String PRIORITY_CLASS = KUEUE + "priority-class";

  /** How long a job may run, in seconds. */
  public static final String MAX_EXEC_TIME = KUEUE + "max-exec-time-seconds";

  /** The Workload that a job uses instead of one that is created for it; also an annotation. */
  public static final String PREBUILT_WORKLOAD = KUEUE + "prebuilt-workload-name";

  /** Marks a managed Pod. */
  public static final String MANAGED = KUEUE + "managed";

  /** The group of a Pod; also an annotation. */
  public static final String POD_GROUP_NAME = KUEUE + "pod-group-name";

  /** The index of a Pod in its group. */
  public static final String POD_GROUP_POD_INDEX = KUEUE + "pod-group-pod-index";

  /** The uid of the job that a Workload was created for. */
  public static final String JOB_UID = KUEUE + "job-uid";

  /** The Workload that a Workload is a variant of. */
  public static final String CONCURRENT_ADMISSION_PARENT = KUEUE + "concurrent-admission-parent";

  /** On a ClusterRole: people who manage queues get what it allows. */
  public static final String OF_BATCH_ADMINS = RBAC + "batch-admin";

  /** On a ClusterRole: people who run jobs get what it allows. */
  public static final String OF_BATCH_USERS = RBAC + "batch-user";

  /** The pod set of a Pod. */
  public static final String POD_SET = KUEUE + "podset";

  /** The LocalQueue that a Pod was admitted from. */
  public static final String LOCAL_QUEUE_NAME = KUEUE + "local-queue-name";

  /** The ClusterQueue that a Pod has quota of. */
  public static final String CLUSTER_QUEUE_NAME = KUEUE + "cluster-queue-name";

  /** The manager cluster that a Workload was copied from. */
  public static final String MULTI_KUEUE_ORIGIN = KUEUE + "multikueue-origin";

  /** Marks a Pod that a manager cluster runs in this one. */
  public static final String MULTI_KUEUE_WORKER_POD = KUEUE + "multikueue-worker-workload-pod";

  private Labels() {}
}
