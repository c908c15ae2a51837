package dev.sluice.lifecycle.provisioning;

import dev.sluice.api.names.ShortHash;

/** The names of ProvisioningRequests and of their PodTemplates, which Kueue gives them, too. */
final class RequestNames {
  /** The longest name that needs no hash: with one it has the 253 characters that a name may. */
  private static final int LONGEST = 247;

  private RequestNames() {}

  /**
   * The ProvisioningRequest of a Workload.
   *
   * @param attempt counts from 1
   */
  static String request(String workload, String check, int attempt) {
    return limited(workload + "-" + check + "-" + attempt);
  }

  /** The PodTemplate of one pod set of a ProvisioningRequest. */
  static String template(String request, String podSet) {
    return limited("ppt-" + request + "-" + podSet);
  }

  private static String limited(String name) {
    return name.length() <= LONGEST ? name : name.substring(0, LONGEST) + "-" + ShortHash.of(name);
  }
}
