package dev.sluice.manifests;

/** The samples that are packed with the manifests. */
public enum Sample {
  /** A Topology with three levels at the stored version. */
  TOPOLOGY("topology.yaml"),
  /** A Topology as it was written for the first releases of Kueue. */
  TOPOLOGY_V1ALPHA1("topology-v1alpha1.yaml"),
  /** A tree of three Cohorts at the stored version. */
  COHORT("cohort.yaml"),
  /** A Cohort whose parent field has its old name. */
  COHORT_V1ALPHA1("cohort-v1alpha1.yaml");

  private final String fileName;

  Sample(String fileName) {
    this.fileName = fileName;
  }

  /** The name of the file in {@code manifests/samples}. */
  public String fileName() {
    return fileName;
  }
}
