package dev.sluice.cli.doctor.server;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.cli.cluster.Answer;
import dev.sluice.cli.doctor.check.Check;
import dev.sluice.cli.doctor.check.Cluster;
import dev.sluice.cli.doctor.check.Findings;
import dev.sluice.cli.doctor.check.Remedies;
import dev.sluice.manifests.Target;

/** Whether the Service leads to replicas that are ready. */
public final class EndpointCheck implements Check {
  private final Cluster cluster;
  private final ServerPlace place;

  /** A check of that cluster. */
  public EndpointCheck(Cluster cluster, ServerPlace place) {
    this.cluster = cluster;
    this.place = place;
  }

  @Override
  public void check(Findings findings) {
    place.service().ifPresent(service -> check(service, findings));
  }

  private void check(Target.Service service, Findings findings) {
    String object = "service %s/%s".formatted(service.namespace(), service.name());
    Answer found =
        cluster.get(
            "/api/v1/namespaces/%s/services/%s".formatted(service.namespace(), service.name()));
    if (found.status() == 404) {
      findings.error(object, "does not exist: nobody can be asked", Remedies.INSTALL);
      return;
    }
    if (found.isSuccess() && !hasPort(found.json(), service.port())) {
      findings.error(object, "has no port " + service.port(), Remedies.INSTALL);
    }
    Answer slices =
        cluster.get(
            "/apis/discovery.k8s.io/v1/namespaces/%s/endpointslices?labelSelector=%s%%3D%s"
                .formatted(service.namespace(), "kubernetes.io%2Fservice-name", service.name()));
    if (!found.isSuccess() || !slices.isSuccess()) {
      Answer refused = found.isSuccess() ? slices : found;
      findings.warning(object, "cannot be read: " + refused.message(), Remedies.RIGHTS);
      return;
    }
    long ready =
        slices
            .json()
            .path("items")
            .valueStream()
            .flatMap(slice -> slice.path("endpoints").valueStream())
            .filter(endpoint -> endpoint.at("/conditions/ready").asBoolean(true))
            .count();
    if (ready == 0) {
      findings.error(
          object,
          "has no endpoint that is ready: nobody answers",
          "kubectl -n %s get pods, and compare their labels with the selector of the Service"
              .formatted(service.namespace()));
    } else {
      findings.ok(object, "leads to %d replicas that are ready".formatted(ready));
    }
  }

  private static boolean hasPort(JsonNode service, int port) {
    return service.at("/spec/ports").valueStream().anyMatch(it -> it.path("port").asInt() == port);
  }
}
