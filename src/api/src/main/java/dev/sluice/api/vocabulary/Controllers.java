package dev.sluice.api.vocabulary;

/** Names of controllers in {@code controllerName}, {@code managedBy} and the configuration. */
public final class Controllers {
  /** Runs jobs in other clusters; of AdmissionChecks and of jobs. */
  public static final String MULTI_KUEUE = Domains.KUEUE + "multikueue";

  /** Asks for nodes before a job starts; of AdmissionChecks. */
  public static final String PROVISIONING_REQUEST = Domains.KUEUE + "provisioning-request";

  /** Offers a Workload to all clusters at once. */
  public static final String DISPATCHER_ALL_AT_ONCE =
      Domains.KUEUE + "multikueue-dispatcher-all-at-once";

  /** Offers a Workload to a few clusters at a time. */
  public static final String DISPATCHER_INCREMENTAL =
      Domains.KUEUE + "multikueue-dispatcher-incremental";

  private Controllers() {}
}
