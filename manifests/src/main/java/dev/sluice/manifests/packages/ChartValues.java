package dev.sluice.manifests.packages;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.json.yaml.YamlWriter;
import java.util.List;
import java.util.stream.Stream;

/**
 * The values of the chart: one list, from which come {@code values.yaml} and its schema. Values
 * that mean the same as in Kueue's chart have their names.
 */
final class ChartValues {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  /** The other values of Kueue's chart: a file with them can be used as it is. */
  private static final List<String> WITHOUT_EFFECT =
      List.of(
          "certManager",
          "enableKueueViz",
          "enableMutatingAdmissionPolicy",
          "fullnameOverride",
          "kubernetesClusterDomain",
          "kueueViz",
          "metrics",
          "metricsService",
          "mutatingWebhook",
          "nameOverride",
          "webhookService",
          "controllerManager.dnsPolicy",
          "controllerManager.hostNetwork",
          "controllerManager.livenessProbe",
          "controllerManager.podDisruptionBudget",
          "controllerManager.readinessProbe",
          "controllerManager.strategy",
          "controllerManager.manager.containerSecurityContext",
          "controllerManager.manager.logLevel",
          "controllerManager.manager.podSecurityContext",
          "controllerManager.manager.resources");

  private final List<Value> values;

  /**
   * One value.
   *
   * @param path its keys, joined by dots
   * @param schema what may stand there
   * @param standard what is there if nobody chooses
   */
  private record Value(String path, String description, ObjectNode schema, JsonNode standard) {}

  /**
   * The values of a release.
   *
   * @param repository of the image
   */
  ChartValues(String repository, int replicas) {
    values =
        List.of(
            new Value(
                "enableCertManager",
                "Let cert-manager make the certificates; otherwise the servers sign their own.",
                type("boolean"),
                JSON.booleanNode(false)),
            new Value(
                "enableForecastAnnotations",
                "Let the server of the visibility API write forecasts to Workloads that wait.",
                type("boolean"),
                JSON.booleanNode(false)),
            new Value(
                "enablePrometheus",
                "Also PodMonitors and alerts for the Prometheus operator, and dashboards.",
                type("boolean"),
                JSON.booleanNode(false)),
            new Value(
                "enableRecorder",
                "Record the decisions of the scheduler in a volume of its Pod, for sluice replay.",
                type("boolean"),
                JSON.booleanNode(false)),
            new Value(
                "enableVisibility",
                "Serve the visibility API. Set it to false together with the gate"
                    + " VisibilityOnDemand.",
                type("boolean"),
                JSON.booleanNode(true)),
            new Value(
                "enableVisibilityAPF",
                "A priority level of the API server for requests to the visibility API.",
                type("boolean"),
                JSON.booleanNode(false)),
            new Value(
                "enableVisibilityAuthReaderRoleBinding",
                "Bind the server of the visibility API to a role in kube-system, which it needs.",
                type("boolean"),
                JSON.booleanNode(true)),
            new Value(
                "prometheus.labels",
                "Labels for PodMonitors and alerts, by which your Prometheus selects them.",
                map("string"),
                JSON.objectNode()),
            new Value(
                "controllerManager.replicas",
                "How many Pods answer; one of them schedules.",
                type("integer").put("minimum", 1),
                JSON.numberNode(replicas)),
            new Value(
                "controllerManager.featureGates",
                "Feature gates that differ from their defaults.",
                gates(),
                JSON.arrayNode()),
            new Value(
                "controllerManager.manager.image.repository",
                "Where the image is.",
                type("string").put("minLength", 1),
                JSON.textNode(repository)),
            new Value(
                "controllerManager.manager.image.tag",
                "Empty for the version of the chart.",
                type("string"),
                JSON.textNode("")),
            new Value(
                "controllerManager.manager.image.pullPolicy",
                "Empty for what Kubernetes chooses.",
                oneOf("", "Always", "IfNotPresent", "Never"),
                JSON.textNode("")),
            new Value(
                "controllerManager.manager.podAnnotations",
                "Annotations of all Pods.",
                map("string"),
                JSON.objectNode()),
            new Value(
                "controllerManager.manager.priorityClassName",
                "Empty for system-cluster-critical.",
                type("string"),
                JSON.textNode("")),
            new Value(
                "controllerManager.imagePullSecrets",
                "Secrets for the registry.",
                listOf(type("object")),
                JSON.arrayNode()),
            new Value(
                "controllerManager.nodeSelector",
                "Labels of the nodes for the Pods.",
                map("string"),
                JSON.objectNode()),
            new Value(
                "controllerManager.tolerations",
                "Taints that the Pods tolerate.",
                listOf(type("object")),
                JSON.arrayNode()),
            new Value(
                "controllerManager.topologySpreadConstraints",
                "How the Pods are spread; empty for one to a node where possible.",
                listOf(type("object")),
                JSON.arrayNode()),
            resources("webhook", "answers reviews and conversions", "512Mi"),
            resources("scheduler", "schedules", "1Gi"),
            resources("see", "serves the visibility API", "1Gi"),
            new Value(
                "managerConfig.controllerManagerConfigYaml",
                "The configuration file, such as Kueue's; empty for the defaults.",
                type("string"),
                JSON.textNode("")));
  }

  private static Value resources(String container, String does, String memory) {
    return new Value(
        "resources." + container,
        "Of the container that %s; empty for requests of 100m and 256Mi, and a limit of %s memory."
            .formatted(does, memory),
        type("object"),
        JSON.objectNode());
  }

  private static ObjectNode type(String name) {
    return JSON.objectNode().put("type", name);
  }

  private static ObjectNode listOf(ObjectNode items) {
    ObjectNode list = type("array");
    list.set("items", items);
    return list;
  }

  private static ObjectNode map(String of) {
    ObjectNode map = type("object");
    map.set("additionalProperties", type(of));
    return map;
  }

  private static ObjectNode oneOf(String... texts) {
    ObjectNode choice = type("string");
    Stream.of(texts).forEach(choice.putArray("enum")::add);
    return choice;
  }

  private static ObjectNode gates() {
    ObjectNode gate = type("object");
    gate.putObject("properties").set("name", type("string").put("minLength", 1));
    gate.withObject("/properties").set("enabled", type("boolean"));
    gate.putArray("required").add("name").add("enabled");
    gate.put("additionalProperties", false);
    return listOf(gate);
  }

  /** The schema; a value that is not known is refused. */
  ObjectNode schema() {
    ObjectNode schema = closed(JSON.objectNode());
    schema.put("$schema", "http://json-schema.org/draft-07/schema#");
    // Helm gives these to every chart
    schema.withObject("/properties").set("global", type("object"));
    for (Value value : values) {
      add(schema, value.path(), value.schema().deepCopy(), value.description());
    }
    WITHOUT_EFFECT.forEach(
        path -> add(schema, path, JSON.objectNode(), "Of Kueue's chart; has no effect here."));
    return schema;
  }

  private static void add(ObjectNode schema, String path, ObjectNode leaf, String description) {
    ObjectNode at = schema;
    String[] keys = path.split("\\.", -1);
    for (int i = 0; i < keys.length - 1; i++) {
      ObjectNode below = at.withObject("/properties").withObject("/" + keys[i]);
      at = below.has("type") ? below : closed(below);
    }
    at.withObject("/properties").set(keys[keys.length - 1], leaf.put("description", description));
  }

  /** What Helm prints after an installation: where to look, and which values have no effect. */
  String notes() {
    StringBuilder text = new StringBuilder();
    text.append(
        """
        Sluice {{ .Chart.AppVersion }} is installed in the namespace {{ .Release.Namespace }}.
        Look whether it serves the cluster well:

          sluice doctor
        {{- $without := list }}
        """);
    for (String path : WITHOUT_EFFECT) {
      int dot = path.lastIndexOf('.');
      text.append(
          "{{- if hasKey .Values%s \"%s\" }}{{ $without = append $without \"%s\" }}{{ end }}%n"
              .formatted(
                  dot < 0 ? "" : "." + path.substring(0, dot), path.substring(dot + 1), path));
    }
    text.append(
        """
        {{- if $without }}

        These values of Kueue's chart have no effect in the chart of Sluice:
        {{- range $without }}
          {{ . }}
        {{- end }}
        {{- end }}
        """);
    return text.toString();
  }

  private static ObjectNode closed(ObjectNode schema) {
    schema.put("type", "object").put("additionalProperties", false);
    return schema;
  }

  /** {@code values.yaml}: each value with its explanation. */
  String yaml() {
    StringBuilder text = new StringBuilder();
    List<String> open = List.of();
    for (Value value : values) {
      List<String> keys = List.of(value.path().split("\\.", -1));
      List<String> parents = keys.subList(0, keys.size() - 1);
      int common = 0;
      while (common < Math.min(open.size(), parents.size())
          && open.get(common).equals(parents.get(common))) {
        common++;
      }
      for (int i = common; i < parents.size(); i++) {
        text.append("  ".repeat(i)).append(parents.get(i)).append(":\n");
      }
      String indent = "  ".repeat(parents.size());
      ObjectNode entry = JSON.objectNode();
      entry.set(keys.getLast(), value.standard());
      text.append(indent).append("# ").append(value.description()).append('\n');
      text.append(indent).append(YamlWriter.write(entry));
      open = parents;
    }
    return text.toString();
  }
}
