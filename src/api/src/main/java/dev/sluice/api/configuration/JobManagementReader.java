package dev.sluice.api.configuration;

import static dev.sluice.api.configuration.FeatureGate.SPARK_APPLICATION_INTEGRATION;
import static dev.sluice.api.configuration.Problem.Type.DUPLICATE;
import static dev.sluice.api.configuration.Problem.Type.FORBIDDEN;
import static dev.sluice.api.configuration.Problem.Type.INVALID;
import static dev.sluice.api.configuration.Problem.Type.NOT_SUPPORTED;
import static dev.sluice.api.configuration.Problem.Type.REQUIRED;
import static dev.sluice.api.configuration.Problem.Type.WARNING;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.meta.LabelSelector;
import dev.sluice.api.meta.LabelSelectorRequirement;
import dev.sluice.api.names.LabelKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads which jobs are managed. */
final class JobManagementReader {
  private static final String SELECTOR = "managedJobsNamespaceSelector";
  private static final String NAME_LABEL = "kubernetes.io/metadata.name";
  private static final String KUBE_SYSTEM = "kube-system";
  private static final List<String> FRAMEWORK_NAMES =
      Arrays.stream(Framework.values()).map(Framework::frameworkName).toList();

  private final FeatureGates gates;
  private final String namespace;
  private final String ownNamespace;
  private final boolean beta1;

  JobManagementReader(FeatureGates gates, String namespace, String ownNamespace, boolean beta1) {
    this.gates = gates;
    this.namespace = namespace;
    this.ownNamespace = ownNamespace;
    this.beta1 = beta1;
  }

  JobManagement read(Fields fields) {
    boolean withoutQueueName = fields.flag("manageJobsWithoutQueueName", false);
    LabelSelector namespaces = namespaces(fields);
    Fields integrations = fields.object("integrations");
    List<Framework> frameworks = frameworks(integrations);
    List<GroupVersionKind> external = external(integrations);
    List<String> labels = labelKeys(integrations);
    if (beta1) {
      ConfigurationReader.noteRetired(
          integrations, "podOptions", "say with " + SELECTOR + " which namespaces are managed");
    }
    integrations.end();
    return new JobManagement(withoutQueueName, namespaces, frameworks, external, labels);
  }

  private LabelSelector namespaces(Fields fields) {
    Optional<LabelSelector> named = SelectorReader.read(fields.object(SELECTOR));
    if (named.isEmpty()) {
      return everywhereBut(List.of(KUBE_SYSTEM, namespace, ownNamespace));
    }
    List<String> kept =
        fields.has("namespace") ? List.of(KUBE_SYSTEM, namespace) : List.of(KUBE_SYSTEM);
    List<String> matched = kept.stream().filter(it -> matches(named.get(), it)).toList();
    if (!matched.isEmpty()) {
      fields.problem(
          INVALID, SELECTOR, "matches " + String.join(" and ", matched) + remedy(matched));
    }
    if (!kept.contains(ownNamespace) && matches(named.get(), ownNamespace)) {
      fields.problem(
          WARNING,
          SELECTOR,
          "matches %s, where this process runs; it is kept away from there by its registration%s"
              .formatted(ownNamespace, remedy(List.of(ownNamespace))));
    }
    return named.get();
  }

  private static boolean matches(LabelSelector selector, String name) {
    return selector.matches(Map.of(NAME_LABEL, name));
  }

  private static String remedy(List<String> names) {
    return " (expected: it does not, for example by %s NotIn %s)".formatted(NAME_LABEL, names);
  }

  private static LabelSelector everywhereBut(List<String> names) {
    return new LabelSelector(
        Map.of(),
        List.of(
            new LabelSelectorRequirement(NAME_LABEL, "NotIn", names.stream().distinct().toList())));
  }

  private List<Framework> frameworks(Fields fields) {
    List<String> names = fields.texts("frameworks");
    JsonNode given = fields.find("frameworks");
    if (given != null && given.isArray() && given.isEmpty()) {
      fields.problem(REQUIRED, "frameworks", Fields.wrong("[]", "at least one kind of jobs"));
    }
    List<Framework> frameworks = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      framework(fields, "frameworks[" + i + "]", names.get(i), frameworks);
    }
    return names.isEmpty() ? List.of(Framework.JOB) : frameworks;
  }

  private void framework(Fields fields, String at, String name, List<Framework> frameworks) {
    Optional<Framework> framework = Framework.find(name);
    if (framework.isEmpty()) {
      fields.problem(NOT_SUPPORTED, at, Fields.unsupported(name, FRAMEWORK_NAMES));
    } else if (frameworks.contains(framework.get())) {
      fields.problem(DUPLICATE, at, "\"" + name + "\" is there twice (expected: once)");
    } else if (framework.get() == Framework.SPARK_APPLICATION
        && !gates.isOn(SPARK_APPLICATION_INTEGRATION)) {
      fields.problem(
          FORBIDDEN,
          at,
          "\"%s\" needs the feature gate %s (expected: featureGates has it true)"
              .formatted(name, SPARK_APPLICATION_INTEGRATION));
    } else {
      frameworks.add(framework.get());
    }
  }

  private static List<GroupVersionKind> external(Fields fields) {
    List<String> names = fields.texts("externalFrameworks");
    List<GroupVersionKind> types = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      String at = fields.path("externalFrameworks") + "[" + i + "]";
      externalKind(fields.problems(), at, names.get(i), types);
    }
    return types;
  }

  /** Adds a kind, unless it is malformed, already present or built in. */
  static void externalKind(
      Problems problems, String at, String name, List<GroupVersionKind> types) {
    Optional<GroupVersionKind> type = parse(name);
    if (type.isEmpty()) {
      problems.add(INVALID, at, Fields.wrong("\"" + name + "\"", "Kind.version.group"));
    } else if (types.contains(type.get())) {
      problems.add(DUPLICATE, at, "\"" + name + "\" is there twice (expected: once)");
    } else if (Framework.find(type.get().group(), type.get().kind()).isPresent()) {
      problems.add(
          FORBIDDEN, at, "\"" + name + "\" is built in (expected: name it under frameworks)");
    } else {
      types.add(type.get());
    }
  }

  private static Optional<GroupVersionKind> parse(String text) {
    String[] parts = text.split("\\.", 3);
    return parts.length == 3 && !parts[0].isEmpty() && !parts[1].isEmpty() && !parts[2].isEmpty()
        ? Optional.of(new GroupVersionKind(parts[2], parts[1], parts[0]))
        : Optional.empty();
  }

  private static List<String> labelKeys(Fields fields) {
    List<String> keys = fields.texts("labelKeysToCopy");
    for (int i = 0; i < keys.size(); i++) {
      for (String problem : LabelKey.problems(keys.get(i))) {
        fields.problem(INVALID, "labelKeysToCopy[" + i + "]", "\"" + keys.get(i) + "\" " + problem);
      }
    }
    return keys;
  }
}
