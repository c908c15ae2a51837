package dev.sluice.api.vocabulary;

/** Finalizers that keep an object until what depends on it is done. */
public final class Finalizers {
  /** On Workloads, queues, flavors and topologies that are in use. */
  public static final String RESOURCE_IN_USE = Domains.KUEUE + "resource-in-use";

  /** On managed Pods, until their end is counted. */
  public static final String MANAGED = Labels.MANAGED;

  /** On MultiKueueClusters, until nothing of this manager is left on the worker. Only ours. */
  public static final String MULTI_KUEUE_CLEANUP = Domains.SLUICE + "multikueue-cleanup";

  private Finalizers() {}
}
