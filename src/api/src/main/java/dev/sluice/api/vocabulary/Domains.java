package dev.sluice.api.vocabulary;

import dev.sluice.api.ApiVersion;

/** The prefixes of names: the part before the slash, with the slash. */
public final class Domains {
  /** Names that Kueue defines. */
  public static final String KUEUE = ApiVersion.GROUP + "/";

  /** Labels of roles for people that Kueue defines. */
  public static final String RBAC = "rbac." + KUEUE;

  /** Names that Sluice adds to those of Kueue. */
  public static final String SLUICE = "sluice.dev/";

  /** Names that the cluster autoscaler defines. */
  public static final String AUTOSCALING = "autoscaling.x-k8s.io/";

  /** Annotations of a job that are passed on to a ProvisioningRequest. */
  public static final String PROVISIONING_REQUEST = "provreq." + KUEUE;

  /**
   * Annotations with what a version cannot hold and a conversion keeps; the version comes after.
   */
  public static final String CONVERSION_FROM = "conversion." + KUEUE + "from-";

  /** The group of the API that lists waiting Workloads, without a slash. */
  public static final String VISIBILITY = "visibility." + ApiVersion.GROUP;

  /** The group of our own API about queues and those who wait in them, without a slash. */
  public static final String VIEW = "view.sluice.dev";

  private Domains() {}
}
