package dev.sluice.api.vocabulary;

/** Names of objects that count where a job names none. */
public final class DefaultNames {
  /** The LocalQueue of the namespace, if it exists. */
  public static final String LOCAL_QUEUE = "default";

  /** The WorkloadPriorityClass, if it exists. */
  public static final String WORKLOAD_PRIORITY_CLASS = "default";

  private DefaultNames() {}
}
