package dev.sluice.api.vocabulary;

/** Scheduling gates of Pods. */
public final class SchedulingGates {
  /** Of a Pod that waits for quota. */
  public static final String ADMISSION = Domains.KUEUE + "admission";

  /** Of a Pod that waits for its place in a topology. */
  public static final String TOPOLOGY = Domains.KUEUE + "topology";

  /** Of a Pod of a job that may grow, until the quota of its slice is there. */
  public static final String ELASTIC_JOB = Annotations.ELASTIC_JOB;

  private SchedulingGates() {}
}
