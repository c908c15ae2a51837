package dev.sluice.manifests;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;

/**
 * The two webhook configurations, made of one list of kinds. For the default Service, without CA
 * bundles.
 */
final class Registration {
  /** What a list of namespaces has in the place of the server's own. */
  static final String OWN_NAMESPACE = Target.Service.DEFAULT.namespace();

  private static final int TIMEOUT_SECONDS = 5;

  /** The registered requests, and the failure policy of each. */
  private enum Phase {
    MUTATE("Mutating", "m%s.kb.io", "Fail"),
    VALIDATE("Validating", "v%s.kb.io", "Fail"),
    /** A guard that stops work when it is away is worse than none. */
    GUARD("Validating", "v%sguard.sluice.dev", "Ignore");

    private final String configuration;
    private final String name;
    private final String failurePolicy;

    Phase(String configuration, String name, String failurePolicy) {
      this.configuration = configuration;
      this.name = name;
      this.failurePolicy = failurePolicy;
    }

    /** As in the list and in paths. */
    String key() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private final List<JsonNode> lists;

  /** The configurations for these lists, whose form the file of the first explains. */
  Registration(JsonNode... lists) {
    this.lists = List.of(lists);
  }

  /** First the configuration of what is set, then that of what is checked. */
  List<ObjectNode> documents() {
    return List.of(configuration("Mutating"), configuration("Validating"));
  }

  private ObjectNode configuration(String word) {
    ObjectNode document = JsonNodeFactory.instance.objectNode();
    document
        .put("apiVersion", "admissionregistration.k8s.io/v1")
        .put("kind", word + "WebhookConfiguration");
    document
        .putObject("metadata")
        .put("name", "sluice-" + word.toLowerCase(Locale.ROOT))
        .putObject("labels")
        .put("app.kubernetes.io/part-of", "sluice");
    ArrayNode webhooks = document.putArray("webhooks");
    for (Phase phase : Phase.values()) {
      if (phase.configuration.equals(word)) {
        addWebhooks(webhooks, phase);
      }
    }
    return document;
  }

  private void addWebhooks(ArrayNode webhooks, Phase phase) {
    for (JsonNode list : lists) {
      for (JsonNode kind : list.path("kinds")) {
        if (kind.has(phase.key())) {
          webhooks.add(webhook(list, kind, phase));
        }
      }
    }
  }

  private static ObjectNode webhook(JsonNode list, JsonNode kind, Phase phase) {
    String word = kind.path("kind").asText().toLowerCase(Locale.ROOT);
    ObjectNode webhook = JsonNodeFactory.instance.objectNode();
    String name = kind.path("name").asText(word).toLowerCase(Locale.ROOT);
    webhook.put("name", phase.name.formatted(name));
    webhook.putArray("rules").add(rule(kind, phase));
    if (kind.path("namespaces").asText().equals("managed")) {
      webhook.set("namespaceSelector", managedNamespaces());
    }
    JsonNode conditions = kind.path(phase.key() + "When");
    if (!conditions.isEmpty()) {
      addConditions(webhook.putArray("matchConditions"), conditions, list.path("conditions"));
    }
    webhook
        .put("matchPolicy", "Equivalent")
        .put("sideEffects", "None")
        .put("failurePolicy", phase.failurePolicy)
        .put("timeoutSeconds", TIMEOUT_SECONDS);
    webhook.putArray("admissionReviewVersions").add("v1");
    webhook.set(
        "clientConfig",
        Target.Service.DEFAULT.clientConfig("/" + phase.key() + "-" + path(kind, word)));
    return webhook;
  }

  private static String path(JsonNode kind, String word) {
    return kind.path("group").asText().replace('.', '-')
        + "-"
        + kind.path("version").asText()
        + "-"
        + word;
  }

  private static ObjectNode rule(JsonNode kind, Phase phase) {
    ObjectNode rule = JsonNodeFactory.instance.objectNode();
    rule.putArray("apiGroups").add(kind.path("group").asText());
    rule.putArray("apiVersions").add(kind.path("version").asText());
    rule.set("operations", kind.path(phase.key()).deepCopy());
    ArrayNode resources = rule.putArray("resources");
    for (JsonNode resource : kind.path("resources")) {
      if (phase == Phase.VALIDATE || !resource.asText().contains("/")) {
        resources.add(resource.asText());
      }
    }
    rule.put("scope", kind.path("scope").asText());
    return rule;
  }

  private static ObjectNode managedNamespaces() {
    ObjectNode selector = JsonNodeFactory.instance.objectNode();
    ObjectNode expression = selector.putArray("matchExpressions").addObject();
    expression.put("key", "kubernetes.io/metadata.name").put("operator", "NotIn");
    expression.putArray("values").add("kube-system").add(OWN_NAMESPACE);
    return selector;
  }

  private static void addConditions(ArrayNode conditions, JsonNode names, JsonNode known) {
    for (JsonNode name : names) {
      String expression = known.path(name.asText()).asText();
      if (expression.isEmpty()) {
        throw new IllegalStateException(name + " (expected: one of the conditions of the list)");
      }
      conditions.addObject().put("name", name.asText()).put("expression", expression);
    }
  }
}
