package dev.sluice.manifests.packages;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.json.yaml.YamlWriter;
import dev.sluice.manifests.Installation;
import dev.sluice.manifests.Monitoring;
import dev.sluice.manifests.ServerCertificates;
import dev.sluice.manifests.ServerConfiguration;
import dev.sluice.manifests.Target;
import dev.sluice.manifests.VisibilityServer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The files of the Helm chart. Its templates are what {@code install} prints, each difference that
 * a value makes found by comparing what it prints with and without.
 */
final class Chart {
  private static final String NAMESPACE = Target.Service.DEFAULT.namespace();
  private static final String RELEASE = "{{ .Release.Namespace }}";
  private static final Pattern WHOLE = Pattern.compile("(?m)(: |- )" + NAMESPACE + "$");

  /** Values that were copied from Kueue's chart name its image, whose programs are others. */
  private static final String ANOTHER_IMAGE =
      """
      {{- $repository := .Values.controllerManager.manager.image.repository }}
      {{- if hasSuffix "/kueue" $repository }}
      {{- fail (printf "controllerManager.manager.image.repository: %s (expected: an image of Sluice)" $repository) }}
      {{- end }}
      """;

  private static final String GATES = "SLUICE_GATES";
  private static final String DOCUMENTS = "SLUICE_DOCUMENTS";
  private static final String LABELS = "SLUICE_LABELS";
  private static final Pattern LABEL = Pattern.compile("(?m)^( *)SLUICE_LABELS: SLUICE_LABELS$");

  private final List<ObjectNode> crds;
  private final String image;

  /**
   * A chart with these definitions.
   *
   * @param image the image of the packed manifests, with the version as its tag
   */
  Chart(List<ObjectNode> crds, String image) {
    this.crds = List.copyOf(crds);
    this.image = image;
  }

  private static ServerConfiguration standard() {
    return ServerConfiguration.NONE.withImage("SLUICE_IMAGE");
  }

  /** Condition to what {@code install} prints if it holds; in the order in which install adds. */
  private static Map<String, Map<String, ObjectNode>> choices() {
    ServerConfiguration monitored =
        standard().monitored(new Monitoring(true, Map.of(LABELS, LABELS)));
    Map<String, Map<String, ObjectNode>> choices = new LinkedHashMap<>();
    choices.put(
        ".Values.enableCertManager",
        documents(standard().withCertificates(new ServerCertificates.CertManager())));
    choices.put(".Values.enableRecorder", documents(standard().recorded()));
    choices.put(
        "and .Values.enableVisibility .Values.enableForecastAnnotations",
        documents(standard().showing(VisibilityServer.DEFAULT.annotating())));
    choices.put(
        ".Values.controllerManager.featureGates",
        documents(new ServerConfiguration("", GATES).withImage("SLUICE_IMAGE")));
    choices.put(
        ".Values.managerConfig.controllerManagerConfigYaml",
        documents(new ServerConfiguration(DOCUMENTS, "").withImage("SLUICE_IMAGE")));
    choices.put(".Values.enablePrometheus", without(monitored, true));
    choices.put("and .Values.enablePrometheus .Values.enableVisibility", without(monitored, false));
    choices.put(
        "and .Values.enableVisibility .Values.enableVisibilityAPF",
        documents(standard().showing(VisibilityServer.DEFAULT.bounded())));
    choices.put(
        "not .Values.enableVisibilityAuthReaderRoleBinding",
        documents(standard().showing(VisibilityServer.DEFAULT.withoutAuthReader())));
    choices.put(
        "not .Values.enableVisibility", documents(standard().showing(VisibilityServer.NONE)));
    choices.put(
        "eq (int .Values.controllerManager.replicas) 1", documents(standard().withReplicas(1)));
    return choices;
  }

  /**
   * What a choice prints, without what it adds for the server of the visibility API, or without
   * what it adds for the others: a release may have no such server.
   */
  private static Map<String, ObjectNode> without(
      ServerConfiguration configuration, boolean isForVisibility) {
    Map<String, ObjectNode> documents = documents(configuration);
    Set<String> base = documents(standard()).keySet();
    Set<String> others = documents(configuration.showing(VisibilityServer.NONE)).keySet();
    documents
        .keySet()
        .removeIf(name -> !base.contains(name) && others.contains(name) != isForVisibility);
    return documents;
  }

  /** Name to text. */
  Map<String, String> files() {
    String version = image.substring(image.lastIndexOf(':') + 1);
    ChartValues values =
        new ChartValues(
            image.substring(0, image.lastIndexOf(':')), ServerConfiguration.DEFAULT_REPLICAS);
    Map<String, String> files = new TreeMap<>();
    files.put("Chart.yaml", description(version));
    files.put("values.yaml", values.yaml());
    files.put("values.schema.json", values.schema().toPrettyString() + "\n");
    files.put("templates/NOTES.txt", values.notes());
    files.put("templates/_helpers.tpl", helpers());
    files.put("templates/crds.yaml", definitions());
    files.put("templates/sluice.yaml", server());
    return files;
  }

  private static String description(String version) {
    return """
    apiVersion: v2
    name: sluice
    description: Job queueing with quotas, in place of Kueue
    type: application
    version: %s
    appVersion: "%s"
    kubeVersion: ">= 1.32.0-0"
    """
        .formatted(version, version);
  }

  private static String helpers() {
    return """
    {{- define "sluice.featureGates" -}}
    {{- range $i, $gate := .Values.controllerManager.featureGates -}}
    {{- if $i }},{{ end }}{{ $gate.name }}={{ $gate.enabled }}
    {{- end -}}
    {{- end -}}
    """;
  }

  /** In templates, because Helm does not upgrade what is in {@code crds/}; kept at uninstall. */
  private String definitions() {
    List<ObjectNode> directed =
        Installation.into(Target.Service.DEFAULT)
            .definitions(crds.stream().map(ObjectNode::deepCopy).toList());
    for (ObjectNode crd : directed) {
      crd.withObject("/metadata/annotations").put("helm.sh/resource-policy", "keep");
    }
    return released(YamlWriter.writeAll(directed));
  }

  private static String server() {
    Map<String, ObjectNode> base = documents(standard());
    List<String> names = List.copyOf(base.keySet());
    Variants order = new Variants(names);
    Map<String, ObjectNode> all = new LinkedHashMap<>(base);
    Map<String, Map<String, ObjectNode>> chosen = choices();
    chosen.forEach(
        (condition, documents) -> {
          order.add(condition, List.copyOf(documents.keySet()));
          documents.forEach(all::putIfAbsent);
        });
    List<String> lines = new ArrayList<>();
    for (String line : order.template()) {
      if (all.containsKey(line)) {
        lines.add("---");
        lines.addAll(document(line, all.get(line), chosen));
      } else {
        lines.add(line);
      }
    }
    return ANOTHER_IMAGE + withMore(released(String.join("\n", lines) + "\n"));
  }

  /** One document with all that values change in it. */
  private static List<String> document(
      String name, ObjectNode document, Map<String, Map<String, ObjectNode>> chosen) {
    Variants variants = new Variants(lines(document));
    chosen.forEach(
        (condition, documents) -> {
          ObjectNode other = documents.get(name);
          // the number of replicas is a value of its own
          if (other != null && !condition.startsWith("eq ") && !other.equals(document)) {
            variants.add(condition, lines(other));
          }
        });
    return variants.template();
  }

  private static List<String> lines(ObjectNode document) {
    return YamlWriter.write(document).lines().toList();
  }

  /** All but our kinds and the namespace, which is the one of the release, by kind and name. */
  private static Map<String, ObjectNode> documents(ServerConfiguration configuration) {
    Map<String, ObjectNode> documents = new LinkedHashMap<>();
    for (ObjectNode document :
        Installation.into(Target.Service.DEFAULT).configuredBy(configuration).documents()) {
      String kind = document.path("kind").asText();
      if (!kind.equals("CustomResourceDefinition") && !kind.equals("Namespace")) {
        documents.put(kind + "/" + document.at("/metadata/name").asText(), document);
      }
    }
    return documents;
  }

  /** For the namespace of the release. */
  private static String released(String text) {
    return WHOLE
        .matcher(text)
        .replaceAll("$1\"{{ .Release.Namespace }}\"")
        .replace(NAMESPACE, RELEASE);
  }

  /** With what only the chart can choose. */
  private static String withMore(String text) {
    String more =
        text.replace(
            "--feature-gates=" + GATES, "--feature-gates={{ include \"sluice.featureGates\" . }}");
    more =
        more.replace(
            "config.yaml: " + DOCUMENTS,
            "config.yaml: {{ .Values.managerConfig.controllerManagerConfigYaml | toJson }}");
    more =
        LABEL
            .matcher(more)
            .replaceAll(
                match ->
                    "{{- with .Values.prometheus.labels }}\n{{ toYaml . | indent %d }}\n{{- end }}"
                        .formatted(match.group(1).length()));
    more =
        more.replaceFirst(
            "(?m)^  replicas: .*$", "  replicas: {{ .Values.controllerManager.replicas }}");
    return PodValues.in(more);
  }
}
