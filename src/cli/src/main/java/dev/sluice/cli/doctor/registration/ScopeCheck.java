package dev.sluice.cli.doctor.registration;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.cli.doctor.check.Check;
import dev.sluice.cli.doctor.check.Cluster;
import dev.sluice.cli.doctor.check.Findings;
import dev.sluice.cli.doctor.check.Remedies;
import dev.sluice.cli.doctor.server.ServerPlace;
import java.util.List;
import java.util.Set;

/**
 * Whether the webhooks can hold up what the server itself needs: Pods and Deployments of
 * kube-system, and of its own namespace. And whether they answer before callers give up.
 */
public final class ScopeCheck implements Check {
  private static final String GROUP = "/apis/admissionregistration.k8s.io/v1/";
  private static final String NAME = "kubernetes.io/metadata.name";

  /** Groups with what a cluster is run by. */
  private static final Set<String> VITAL = Set.of("", "apps", "batch", "*");

  /** A client waits for 30 s or so, and several webhooks may be asked one after the other. */
  private static final int LONGEST_SECONDS = 10;

  private final Cluster cluster;
  private final ServerPlace place;

  /** A check of that cluster. */
  public ScopeCheck(Cluster cluster, ServerPlace place) {
    this.cluster = cluster;
    this.place = place;
  }

  @Override
  public void check(Findings findings) {
    List<ObjectNode> vital = List.of(labels("kube-system"), labels(place.namespace()));
    for (String name :
        List.of(
            "mutatingwebhookconfigurations/sluice-mutating",
            "validatingwebhookconfigurations/sluice-validating")) {
      int fine = 0;
      JsonNode webhooks = cluster.get(GROUP + name).json().path("webhooks");
      for (JsonNode webhook : webhooks) {
        fine += check(name, webhook, vital, findings) ? 1 : 0;
      }
      if (fine > 0 && fine == webhooks.size()) {
        findings.ok(
            name,
            "leaves kube-system and %s alone, and answers in time".formatted(place.namespace()));
      }
    }
  }

  private static boolean check(
      String name, JsonNode webhook, List<ObjectNode> vital, Findings findings) {
    boolean fine = true;
    String object = name + " " + webhook.path("name").asText();
    int seconds = webhook.path("timeoutSeconds").asInt(LONGEST_SECONDS);
    if (seconds > LONGEST_SECONDS) {
      fine = false;
      findings.warning(
          object,
          "timeoutSeconds is %d: clients may give up before (expected: up to %d)"
              .formatted(seconds, LONGEST_SECONDS),
          Remedies.REGISTER);
    }
    if (webhook.path("failurePolicy").asText("Fail").equals("Fail") && isVital(webhook)) {
      for (ObjectNode labels : vital) {
        if (selects(webhook.path("namespaceSelector"), labels)) {
          fine = false;
          findings.error(
              object,
              "also asks about namespace %s: while no server answers, none can be started there"
                  .formatted(labels.path(NAME).asText()),
              Remedies.REGISTER);
        }
      }
    }
    return fine;
  }

  private static boolean isVital(JsonNode webhook) {
    return webhook
        .path("rules")
        .valueStream()
        .flatMap(rule -> rule.path("apiGroups").valueStream())
        .anyMatch(group -> VITAL.contains(group.asText()));
  }

  /** The labels of a namespace, as far as they can be read. */
  private ObjectNode labels(String namespace) {
    JsonNode found = cluster.get("/api/v1/namespaces/" + namespace).json().at("/metadata/labels");
    ObjectNode labels =
        found instanceof ObjectNode some ? some : JsonNodeFactory.instance.objectNode();
    return labels.put(NAME, namespace); // the API server sets it
  }

  /** Whether a label selector selects these labels; an empty one selects all. */
  static boolean selects(JsonNode selector, JsonNode labels) {
    return selector
            .path("matchLabels")
            .propertyStream()
            .allMatch(it -> it.getValue().equals(labels.get(it.getKey())))
        && selector.path("matchExpressions").valueStream().allMatch(it -> holds(it, labels));
  }

  private static boolean holds(JsonNode expression, JsonNode labels) {
    JsonNode value = labels.path(expression.path("key").asText());
    boolean isAmong =
        expression.path("values").valueStream().anyMatch(it -> it.asText().equals(value.asText()));
    return switch (expression.path("operator").asText()) {
      case "In" -> !value.isMissingNode() && isAmong;
      case "NotIn" -> value.isMissingNode() || !isAmong;
      case "Exists" -> !value.isMissingNode();
      default -> value.isMissingNode(); // DoesNotExist
    };
  }
}
