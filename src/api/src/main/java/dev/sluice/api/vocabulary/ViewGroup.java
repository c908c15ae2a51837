package dev.sluice.api.vocabulary;

/** Our own API about queues and Workloads, which an API server forwards to. */
public final class ViewGroup {
  /** The only version. */
  public static final String VERSION = "v1alpha1";

  /** Group and version, as objects name them. */
  public static final String API_VERSION = Domains.VIEW + "/" + VERSION;

  /** Where its paths begin, without a slash at the end. */
  public static final String ROOT = "/apis/" + API_VERSION;

  private ViewGroup() {}
}
