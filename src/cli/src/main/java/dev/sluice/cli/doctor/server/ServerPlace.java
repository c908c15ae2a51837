package dev.sluice.cli.doctor.server;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.ApiKind;
import dev.sluice.cli.cluster.Answer;
import dev.sluice.cli.cluster.StoredKind;
import dev.sluice.cli.doctor.check.Cluster;
import dev.sluice.manifests.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Where the server is, as the cluster says: what leads to it, and the Deployment behind it.
 *
 * @param service the Service that conversions or reviews go to; empty if they go to a URL, or
 *     nowhere
 * @param deployment what runs behind it; empty if it is not there or may not be read
 */
public record ServerPlace(Optional<Target.Service> service, Optional<JsonNode> deployment) {
  private static final String REGISTRATION = "/apis/admissionregistration.k8s.io/v1/";

  /** Asks the API server. */
  public static ServerPlace in(Cluster cluster) {
    Optional<Target.Service> service =
        Stream.of(
                StoredKind.definition(ApiKind.TOPOLOGY),
                REGISTRATION + "mutatingwebhookconfigurations/sluice-mutating",
                REGISTRATION + "validatingwebhookconfigurations/sluice-validating")
            .map(cluster::get)
            .filter(Answer::isSuccess)
            .flatMap(answer -> service(answer.json()).stream())
            .findFirst();
    return new ServerPlace(service, service.flatMap(it -> deployment(cluster, it)));
  }

  private static Optional<Target.Service> service(JsonNode object) {
    JsonNode config =
        object.has("webhooks")
            ? object.at("/webhooks/0/clientConfig")
            : object.at("/spec/conversion/webhook/clientConfig");
    JsonNode service = config.path("service");
    try {
      return service.isMissingNode()
          ? Optional.empty()
          : Optional.of(
              new Target.Service(
                  service.path("namespace").asText(),
                  service.path("name").asText(),
                  service.path("port").asInt(443)));
    } catch (IllegalArgumentException _) {
      return Optional.empty(); // another check names what is odd about it
    }
  }

  /** The one whose Pods the Service selects. */
  static Optional<JsonNode> deployment(Cluster cluster, Target.Service service) {
    JsonNode selector =
        cluster
            .get("/api/v1/namespaces/%s/services/%s".formatted(service.namespace(), service.name()))
            .json()
            .at("/spec/selector");
    Answer answer = cluster.get("/apis/apps/v1/namespaces/" + service.namespace() + "/deployments");
    if (!answer.isSuccess() || selector.isEmpty()) {
      return Optional.empty();
    }
    for (JsonNode deployment : answer.json().path("items")) {
      JsonNode labels = deployment.at("/spec/template/metadata/labels");
      if (selector.propertyStream().allMatch(it -> it.getValue().equals(labels.get(it.getKey())))) {
        return Optional.of(deployment);
      }
    }
    return Optional.empty();
  }

  /** The namespace of the server; the usual one if it is not known. */
  public String namespace() {
    return service.orElse(Target.Service.DEFAULT).namespace();
  }

  /** The arguments of each container. */
  public List<List<String>> arguments() {
    List<List<String>> arguments = new ArrayList<>();
    deployment
        .map(it -> it.at("/spec/template/spec/containers"))
        .ifPresent(
            containers ->
                containers.forEach(
                    it ->
                        arguments.add(
                            it.path("args").valueStream().map(JsonNode::asText).toList())));
    return arguments;
  }

  /** The value of an option of the first container that has it, such as {@code --config}. */
  public Optional<String> option(String name) {
    return arguments().stream()
        .flatMap(List::stream)
        .filter(it -> it.startsWith(name + "="))
        .map(it -> it.substring(name.length() + 1))
        .findFirst();
  }
}
