package dev.sluice.lifecycle.provisioning;

import dev.sluice.api.GroupVersionKind;

/** The kinds of requests to an autoscaler. */
public final class ProvisioningKinds {
  /** Of the cluster autoscaler; not every cluster serves it. */
  public static final GroupVersionKind REQUEST =
      new GroupVersionKind("autoscaling.x-k8s.io", "v1", "ProvisioningRequest");

  /** The Pods that a request is for. */
  public static final GroupVersionKind POD_TEMPLATE = new GroupVersionKind("", "v1", "PodTemplate");

  private ProvisioningKinds() {}
}
