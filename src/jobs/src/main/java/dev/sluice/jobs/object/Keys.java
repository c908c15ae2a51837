package dev.sluice.jobs.object;

/** Labels, annotations, gates and finalizers that jobs and Pods carry for us. */
public final class Keys {
  /** What all keys of ours start with. */
  public static final String DOMAIN = "kueue.x-k8s.io/";

  /** Label: the LocalQueue that a job waits in. */
  public static final String QUEUE_NAME = DOMAIN + "queue-name";

  /** Label: the WorkloadPriorityClass of a job. */
  public static final String PRIORITY_CLASS = DOMAIN + "priority-class";

  /** Label: how long a job may run, in seconds. */
  public static final String MAX_EXEC_TIME = DOMAIN + "max-exec-time-seconds";

  /** Label or annotation: a Workload that is there already. */
  public static final String PREBUILT_WORKLOAD = DOMAIN + "prebuilt-workload-name";

  /** Annotation that asks for scaling while running, and scheduling gate of such a job's Pods. */
  public static final String ELASTIC_JOB = DOMAIN + "elastic-job";

  /** An annotation of the Workloads of a job that grew, and of its Pods: the first of them. */
  public static final String SLICE_NAME = DOMAIN + "workload-slice-name";

  /** An annotation of a Workload: the one, with its namespace, whose quota it takes over. */
  public static final String SLICE_REPLACES = DOMAIN + "workload-slice-replacement-for";

  /** Annotation: names of others that hold a job back. */
  public static final String ADMISSION_GATED_BY = DOMAIN + "admission-gated-by";

  /** Label that marks a managed Pod, and the finalizer it has. */
  public static final String MANAGED = DOMAIN + "managed";

  /** Scheduling gate of Pods that wait for quota. */
  public static final String ADMISSION_GATE = DOMAIN + "admission";

  /** Scheduling gate of Pods that wait for a place in a topology. */
  public static final String TOPOLOGY_GATE = DOMAIN + "topology";

  /** Annotation: the framework of the owner that queues this Pod. */
  public static final String SUSPENDING_PARENT = DOMAIN + "pod-suspending-parent";

  /** Annotation of Jobs: the parallelism that would do. */
  public static final String MIN_PARALLELISM = DOMAIN + "job-min-parallelism";

  /** Annotation of Jobs: whether completions follow parallelism. */
  public static final String SYNC_COMPLETIONS = DOMAIN + "job-completions-equal-parallelism";

  /** Annotation of Jobs that are on their way to be suspended. */
  public static final String STOPPING = DOMAIN + "stopping";

  /** Label or annotation of Pods: their group. */
  public static final String POD_GROUP_NAME = DOMAIN + "pod-group-name";

  /** Annotation of Pods: how many their group has. */
  public static final String POD_GROUP_TOTAL_COUNT = DOMAIN + "pod-group-total-count";

  /** Annotation of Pods: whether a group has done its work only when all are ready. */
  public static final String POD_GROUP_SERVING = DOMAIN + "pod-group-serving";

  /** Annotation of Pods: which label has the index. */
  public static final String POD_INDEX_LABEL = DOMAIN + "pod-group-pod-index-label";

  /** Label of Pods: the index in the group. */
  public static final String POD_INDEX = DOMAIN + "pod-group-pod-index";

  /** Annotation of Pod templates: where their index starts. */
  public static final String POD_INDEX_OFFSET = DOMAIN + "pod-index-offset";

  /** Annotation of Pods: which others of the group have the same shape. */
  public static final String ROLE_HASH = DOMAIN + "role-hash";

  /** Annotation of Pods: whether a replacement may come when one of the group fails. */
  public static final String RETRIABLE_IN_GROUP = DOMAIN + "retriable-in-group";

  /** Annotation of Pod templates: the level of which one domain must hold all Pods. */
  public static final String REQUIRED_TOPOLOGY = DOMAIN + "podset-required-topology";

  /** Annotation of Pod templates: the level of which one domain should hold all Pods. */
  public static final String PREFERRED_TOPOLOGY = DOMAIN + "podset-preferred-topology";

  /** Annotation of Pod templates: whether any place will do. */
  public static final String UNCONSTRAINED_TOPOLOGY = DOMAIN + "podset-unconstrained-topology";

  /** Annotation of Pod templates: the level of which one domain must hold each slice. */
  public static final String SLICE_TOPOLOGY = DOMAIN + "podset-slice-required-topology";

  /** Annotation of Pod templates: how many Pods a slice has. */
  public static final String SLICE_SIZE = DOMAIN + "podset-slice-size";

  /** Annotation of Pod templates: slices of several levels. */
  public static final String SLICE_CONSTRAINTS = SLICE_TOPOLOGY + "-constraints";

  /** Annotation of Pod templates: those with one name are placed together. */
  public static final String PODSET_GROUP_NAME = DOMAIN + "podset-group-name";

  /** Name of the controller of AdmissionChecks, and of jobs, that are run in other clusters. */
  public static final String MULTI_KUEUE = DOMAIN + "multikueue";

  /** The LocalQueue and the WorkloadPriorityClass that count where none is named. */
  public static final String DEFAULT = "default";

  private Keys() {}
}
