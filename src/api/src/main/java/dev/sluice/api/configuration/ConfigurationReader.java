package dev.sluice.api.configuration;

import static dev.sluice.api.configuration.Problem.Type.DUPLICATE;
import static dev.sluice.api.configuration.Problem.Type.INVALID;
import static dev.sluice.api.configuration.Problem.Type.NOT_SUPPORTED;
import static dev.sluice.api.configuration.Problem.Type.WARNING;
import static java.util.stream.Collectors.joining;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.sluice.api.ApiVersion;
import dev.sluice.api.names.DnsLabel;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads a configuration: at most one Configuration of {@code config.kueue.x-k8s.io} (v1beta2 or
 * v1beta1) and at most one document of our own {@link Extensions}. Defaults are filled in, and all
 * problems are found in one go. Immutable.
 */
public final class ConfigurationReader {
  private static final String GROUP = ApiVersion.CONFIGURATION_GROUP;
  private static final String V1BETA2 = GROUP + "/v1beta2";
  private static final String V1BETA1 = GROUP + "/v1beta1";
  private static final String KIND = "Configuration";

  private final String ownNamespace;
  private final Optional<String> featureGates;
  private final boolean excerpt;

  private ConfigurationReader(String ownNamespace, Optional<String> featureGates, boolean excerpt) {
    this.ownNamespace = ownNamespace;
    this.featureGates = featureGates;
    this.excerpt = excerpt;
  }

  /** A reader for a process in that namespace, which holds where a file names none. */
  public static ConfigurationReader in(String ownNamespace) {
    return new ConfigurationReader(ownNamespace, Optional.empty(), false);
  }

  /** The same with gates from a flag: {@code Name=true,Other=false}; then a file may set none. */
  public ConfigurationReader withFeatureGates(String flag) {
    return new ConfigurationReader(ownNamespace, Optional.of(flag), excerpt);
  }

  /**
   * Reads what a scenario or a simulation says of its configuration: it need not say what it is,
   * gates that are not known are passed over, each may be set without those it needs, and fair
   * sharing without strategies has both.
   *
   * @throws IllegalArgumentException with all that is wrong with it
   */
  public static Configuration excerpt(JsonNode document) {
    return excerpts(List.of(document)).configuration();
  }

  /**
   * The same with a document of our {@link Extensions} beside it.
   *
   * @throws IllegalArgumentException with all that is wrong with them
   */
  public static Reading.Accepted excerpts(List<JsonNode> documents) {
    var reader = new ConfigurationReader("sluice-system", Optional.empty(), true);
    return switch (reader.read(documents)) {
      case Reading.Accepted accepted -> accepted;
      case Reading.Refused refused ->
          throw new IllegalArgumentException(
              refused.problems().stream().map(Problem::toString).collect(joining("; ")));
    };
  }

  /** Reads the documents, in any order; none at all means all defaults. */
  public Reading read(List<JsonNode> documents) {
    List<Problem> errors = new ArrayList<>();
    List<Problem> warnings = new ArrayList<>();
    Configuration configuration = null;
    JsonNode extensionsDocument = null;
    Problems extensionsProblems = new Problems(0);
    Set<String> kinds = new HashSet<>();
    for (int i = 0; i < documents.size(); i++) {
      JsonNode document = documents.get(i);
      Problems problems = new Problems(i);
      if (!isKnown(document, problems) || !isFirst(document, kinds, problems)) {
        errors.addAll(problems.errors());
      } else if (isExtensions(document)) {
        extensionsDocument = document;
        extensionsProblems = problems;
      } else {
        configuration = configuration(document, problems);
        errors.addAll(problems.errors());
        warnings.addAll(problems.warnings());
      }
    }
    Configuration effective = configuration == null ? flagsOnly(errors) : configuration;
    Extensions extensions = extensions(extensionsDocument, effective.jobs(), extensionsProblems);
    errors.addAll(extensionsProblems.errors());
    warnings.addAll(extensionsProblems.warnings());
    return errors.isEmpty()
        ? new Reading.Accepted(effective, extensions, warnings)
        : new Reading.Refused(inOrder(errors));
  }

  private static List<Problem> inOrder(List<Problem> problems) {
    return problems.stream().sorted(Comparator.comparingInt(Problem::document)).toList();
  }

  private static Extensions extensions(
      @Nullable JsonNode document, JobManagement jobs, Problems problems) {
    return document == null
        ? Extensions.DEFAULT
        : ExtensionsReader.read(Fields.of(document, problems, new HashSet<>()), jobs);
  }

  /** What holds without any document. */
  Configuration defaults() {
    return flagsOnly(new ArrayList<>());
  }

  private Configuration flagsOnly(List<Problem> errors) {
    Problems problems = new Problems(0);
    Configuration defaults = configuration(JsonNodeFactory.instance.objectNode(), problems);
    errors.addAll(problems.errors());
    return defaults;
  }

  private boolean isKnown(JsonNode document, Problems problems) {
    String apiVersion = document.path("apiVersion").asText();
    String kind = document.path("kind").asText();
    if ((apiVersion.equals(V1BETA2) || apiVersion.equals(V1BETA1)) && kind.equals(KIND)) {
      return true;
    }
    if (isExtensions(document) || (excerpt && apiVersion.isEmpty() && kind.isEmpty())) {
      return true;
    }
    problems.add(
        NOT_SUPPORTED,
        "",
        "apiVersion \"%s\", kind \"%s\" (expected: %s %s, %s %s or %s %s)"
            .formatted(
                apiVersion,
                kind,
                V1BETA2,
                KIND,
                V1BETA1,
                KIND,
                Extensions.API_VERSION,
                Extensions.KIND));
    return false;
  }

  private static boolean isFirst(JsonNode document, Set<String> kinds, Problems problems) {
    String kind = document.path("kind").asText();
    if (kinds.add(kind)) {
      return true;
    }
    problems.add(DUPLICATE, "", "another document of kind " + kind + " (expected: one at most)");
    return false;
  }

  private static boolean isExtensions(JsonNode document) {
    return document.path("apiVersion").asText().equals(Extensions.API_VERSION)
        && document.path("kind").asText().equals(Extensions.KIND);
  }

  /** Reads Kueue's document; what is wrong with a field gives its default. */
  Configuration configuration(JsonNode document, Problems problems) {
    boolean beta1 = document.path("apiVersion").asText().equals(V1BETA1);
    Set<String> given = new LinkedHashSet<>();
    Fields fields = Fields.of(document, problems, given);
    fields.ignore("apiVersion", "kind");
    String namespace = namespace(fields);
    FeatureGates gates = FeatureGatesReader.read(fields, featureGates, excerpt);
    JobManagement jobs =
        new JobManagementReader(gates, namespace, ownNamespace, beta1).read(fields);
    Manager manager = ManagerReader.read(fields, gates, namespace);
    Scheduling scheduling = new SchedulingReader(gates, beta1, excerpt).read(fields);
    if (beta1) {
      noteRetired(fields, "queueVisibility", "pending workloads are served by the visibility API");
    }
    fields.end();
    return new Configuration(namespace, jobs, manager, scheduling, gates, given);
  }

  /** A field of v1beta1 that no longer has a meaning. */
  static void noteRetired(Fields fields, String name, String instead) {
    if (fields.has(name)) {
      fields.problem(WARNING, name, "has no effect any more: " + instead);
    }
  }

  private String namespace(Fields fields) {
    String namespace = fields.text("namespace", ownNamespace);
    for (String problem : DnsLabel.problems(namespace)) {
      fields.problem(INVALID, "namespace", "\"" + namespace + "\" " + problem);
    }
    return namespace;
  }
}
