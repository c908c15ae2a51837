package dev.sluice.api.vocabulary;

import static dev.sluice.api.vocabulary.Domains.KUEUE;
import static dev.sluice.api.vocabulary.Domains.SLUICE;

/** Annotations that Kueue's objects, jobs and Pods carry. */
public final class Annotations {
  /** Names of controllers that hold back a job or a Workload, separated by commas. */
  public static final String ADMISSION_GATED_BY = KUEUE + "admission-gated-by";

  /** Asks for scaling of a running job; also the scheduling gate of the Pods of such a job. */
  public static final String ELASTIC_JOB = KUEUE + "elastic-job";

  /** The first Workload of a job that was scaled up; on its Workloads and its Pods. */
  public static final String WORKLOAD_SLICE_NAME = KUEUE + "workload-slice-name";

  /** On a Workload: the one, with its namespace, whose quota it takes over. */
  public static final String WORKLOAD_SLICE_REPLACEMENT_FOR =
      KUEUE + "workload-slice-replacement-for";

  /** On a Workload of a RayJob or RayService: the generation of the RayCluster that sized it. */
  public static final String RAY_CLUSTER_GENERATION = KUEUE + "raycluster-generation";

  /** On a Workload: the ResourceFlavors that it may use, separated by commas. */
  public static final String ALLOWED_RESOURCE_FLAVORS = KUEUE + "workload-allowed-resource-flavors";

  /** On a Workload: what is added to its priority. */
  public static final String PRIORITY_BOOST = KUEUE + "priority-boost";

  /** On a Workload: whether it is of a group of Pods. */
  public static final String IS_GROUP_WORKLOAD = KUEUE + "is-group-workload";

  /** On a Pod: the Workload that it belongs to. */
  public static final String WORKLOAD = KUEUE + "workload";

  /** On a Pod: the framework of the owner that is queued in place of the Pod. */
  public static final String POD_SUSPENDING_PARENT = KUEUE + "pod-suspending-parent";

  /** On a Job: the least parallelism that it may be admitted with. */
  public static final String JOB_MIN_PARALLELISM = KUEUE + "job-min-parallelism";

  /** On a Job: whether completions follow parallelism. */
  public static final String JOB_SYNC_COMPLETIONS = KUEUE + "job-completions-equal-parallelism";

  /** On a Job that is being suspended. */
  public static final String STOPPING = KUEUE + "stopping";

  /** On a Pod: the kind and version of the object that owns its group. */
  public static final String JOB_OWNER_GVK = KUEUE + "job-owner-gvk";

  /** On a Workload of a LeaderWorkerSet: the index of the replica that it is for. */
  public static final String COMPONENT_WORKLOAD_INDEX = KUEUE + "component-workload-index";

  /** On a Pod: the name of the object that owns its group. */
  public static final String JOB_OWNER_NAME = KUEUE + "job-owner-name";

  /** On a job: the uid of the job in the manager cluster. */
  public static final String MULTI_KUEUE_ORIGIN_UID = KUEUE + "multikueue-origin-uid";

  /** On a Pod: how many its group has. */
  public static final String POD_GROUP_TOTAL_COUNT = KUEUE + "pod-group-total-count";

  /** On a Pod: whether its group finishes only when all are ready. */
  public static final String POD_GROUP_SERVING = KUEUE + "pod-group-serving";

  /** On a Pod: whether its group is admitted before all of its Pods are there. */
  public static final String POD_GROUP_FAST_ADMISSION = KUEUE + "pod-group-fast-admission";

  /** On a Pod: the label that has its index. */
  public static final String POD_GROUP_POD_INDEX_LABEL = KUEUE + "pod-group-pod-index-label";

  /** On a Pod template: where the index of its Pods starts. */
  public static final String POD_INDEX_OFFSET = KUEUE + "pod-index-offset";

  /** On a Pod: a hash that is the same for all of its group with the same shape. */
  public static final String ROLE_HASH = KUEUE + "role-hash";

  /** On a Pod: whether a replacement may come when one of its group fails. */
  public static final String RETRIABLE_IN_GROUP = KUEUE + "retriable-in-group";

  /** On a Pod: whether it may be deleted by force when its node is lost. */
  public static final String SAFE_TO_FORCEFULLY_DELETE = KUEUE + "safe-to-forcefully-delete";

  /** What all annotations of a Pod template about its placement start with. */
  public static final String POD_SET_PREFIX = KUEUE + "podset-";

  /** On a Pod template: the level of which one domain must hold all Pods. */
  public static final String REQUIRED_TOPOLOGY = POD_SET_PREFIX + "required-topology";

  /** On a Pod template: the level of which one domain should hold all Pods. */
  public static final String PREFERRED_TOPOLOGY = POD_SET_PREFIX + "preferred-topology";

  /** On a Pod template: whether its Pods may be placed on any node. */
  public static final String UNCONSTRAINED_TOPOLOGY = POD_SET_PREFIX + "unconstrained-topology";

  /** On a Pod template: the level of which one domain must hold each slice. */
  public static final String SLICE_REQUIRED_TOPOLOGY = POD_SET_PREFIX + "slice-required-topology";

  /** On a Pod template: slices of several levels, as JSON. */
  public static final String SLICE_REQUIRED_TOPOLOGY_CONSTRAINTS =
      SLICE_REQUIRED_TOPOLOGY + "-constraints";

  /** On a Pod template: how many Pods a slice has. */
  public static final String SLICE_SIZE = POD_SET_PREFIX + "slice-size";

  /** On a Pod template: templates with the same value are placed together. */
  public static final String POD_SET_GROUP_NAME = POD_SET_PREFIX + "group-name";

  /** On a running SparkApplication: the merge patch of its spec that takes back its start. */
  public static final String UNDO_START = SLUICE + "undo-start";

  /** On a Pod: the ProvisioningRequest whose capacity it uses. */
  public static final String CONSUME_PROVISIONING_REQUEST =
      Domains.AUTOSCALING + "consume-provisioning-request";

  /** On a Pod: the class of the ProvisioningRequest whose capacity it uses. */
  public static final String PROVISIONING_CLASS_NAME =
      Domains.AUTOSCALING + "provisioning-class-name";

  /**
   * On a Workload whose priority was edited: its WorkloadPriorityClass and the value that the class
   * had then, as {@code name=value}. The edited priority is kept until the class has another value.
   */
  public static final String EDITED_PRIORITY = SLUICE + "edited-priority";

  /** On the Secret of the shared authority: each new value requests a new authority. */
  public static final String NEW_AUTHORITY = SLUICE + "new-authority";

  /** On the Secret of the shared authority: the stage of each authority, for people. */
  public static final String AUTHORITIES = SLUICE + "authorities";

  /** On the Lease of the scheduler: the kinds of jobs that its leader plans, comma-separated. */
  public static final String SCHEDULED_JOB_KINDS = SLUICE + "scheduled-job-kinds";

  /** On the Lease of the scheduler: the feature gates of its leader that are not at the default. */
  public static final String SCHEDULER_FEATURE_GATES = SLUICE + "scheduler-feature-gates";

  /** Which manager made a copy on a worker cluster: the uid of its namespace kube-system. */
  public static final String MULTI_KUEUE_MANAGER = SLUICE + "multikueue-manager";

  /** Of which Workload of the manager an object on a worker cluster is a copy, by uid. */
  public static final String MULTI_KUEUE_WORKLOAD_UID = SLUICE + "multikueue-workload-uid";

  /** To which dispatch a copy belongs: how often its Workload had been evicted by then. */
  public static final String MULTI_KUEUE_DISPATCH = SLUICE + "multikueue-dispatch";

  /** A digest of the spec that a copy of a Workload was made from. */
  public static final String MULTI_KUEUE_SPEC = SLUICE + "multikueue-spec";

  /** How often a copy was touched, so that a silent worker looks at it. */
  public static final String MULTI_KUEUE_TOUCHED = SLUICE + "multikueue-touched";

  /** On an object that {@code sluice} prints and that may be left out: what is missing then. */
  public static final String OPTIONAL = SLUICE + "optional";

  /** On a Workload: how long its user expects it to run, such as {@code 1h30m}. */
  public static final String RUNS_FOR = SLUICE + "runs-for";

  /** On a Workload: when it will get quota, as {@code sluice see} last wrote it while it waited. */
  public static final String FORECAST = SLUICE + "forecast";

  private Annotations() {}
}
