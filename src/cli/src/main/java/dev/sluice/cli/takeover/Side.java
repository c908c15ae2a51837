package dev.sluice.cli.takeover;

/**
 * One of the two schedulers.
 *
 * @param name for people
 * @param namespace in which it runs
 * @param deployment of its controller, which holds the Lease
 * @param webhooks how the names of its webhook configurations begin
 */
record Side(String name, String namespace, String deployment, String webhooks) {
  static Side kueue(String namespace) {
    return new Side("Kueue", namespace, "kueue-controller-manager", "kueue-");
  }

  static Side sluice(String namespace) {
    return new Side("Sluice", namespace, "sluice-webhook", "sluice-");
  }

  /** The path of its Deployment. */
  String path() {
    return "/apis/apps/v1/namespaces/%s/deployments/%s".formatted(namespace, deployment);
  }

  /** The command that stops it. */
  String stop() {
    return "kubectl -n %s scale deployment %s --replicas=0".formatted(namespace, deployment);
  }
}
