package dev.sluice.quota.world;

/** The annotations and labels of a Workload that the engine reads. */
final class Annotation {
  static final String PRIORITY_BOOST = "kueue.x-k8s.io/priority-boost";
  static final String ADMISSION_GATED_BY = "kueue.x-k8s.io/admission-gated-by";
  static final String SLICE_REPLACEMENT_FOR = "kueue.x-k8s.io/workload-slice-replacement-for";
  static final String ALLOWED_FLAVORS = "kueue.x-k8s.io/workload-allowed-resource-flavors";
  static final String CONCURRENT_ADMISSION_PARENT = "kueue.x-k8s.io/concurrent-admission-parent";

  static final String JOB_UID = "kueue.x-k8s.io/job-uid";

  private Annotation() {}
}
