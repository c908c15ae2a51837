package dev.sluice.cli.simulate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
import dev.sluice.api.GroupKind;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.configuration.Extensions;
import dev.sluice.api.configuration.Framework;
import dev.sluice.cli.progress.FileProgress;
import dev.sluice.server.objects.ManifestObject;
import dev.sluice.server.objects.ManifestObjects;
import dev.sluice.server.program.CommandException;
import dev.sluice.server.world.SimulatedCluster;
import dev.sluice.server.world.SimulatedConfiguration;
import java.io.InputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The input of a simulation.
 *
 * @param configuration the Configuration and the Extensions among the documents, or the defaults
 * @param objects everything but work, including generated namespaces
 * @param work the jobs and the Workloads
 */
public record SimulationInput(
    SimulatedConfiguration configuration, List<JsonNode> objects, List<JsonNode> work) {
  private static final String CONFIGURATION_GROUP = ApiVersion.CONFIGURATION_GROUP + "/";

  public SimulationInput {
    objects = List.copyOf(objects);
    work = List.copyOf(work);
  }

  /**
   * The objects of files and folders. What means something to us has a name, or says how one
   * begins.
   *
   * @param stdin what is meant where a file is called {@code -}
   * @throws CommandException with all that cannot be read
   */
  public static List<JsonNode> read(List<String> names, InputStream stdin) {
    List<ManifestObject> objects =
        new ManifestObjects(stdin, files -> FileProgress.over("read", files, false))
            .read(names, true);
    String nameless =
        objects.stream()
            .filter(it -> it.isOurs() || isBuiltIn(it.kind().groupKind()))
            .filter(it -> !Names.canHave(it.tree()))
            .map(
                it ->
                    it.placeOf("metadata")
                        + ": "
                        + it.kind().kind()
                        + ": metadata.name: missing (expected: a name)")
            .collect(Collectors.joining("\n"));
    if (!nameless.isEmpty()) {
      throw new CommandException(nameless);
    }
    return objects.stream().map(ManifestObject::tree).toList();
  }

  /**
   * The objects of files that are given for a Configuration.
   *
   * @param stdin what is meant where a file is called {@code -}
   * @throws CommandException with all that cannot be read, or if none is a Configuration
   */
  public static List<JsonNode> readConfiguration(List<String> names, InputStream stdin) {
    List<JsonNode> documents = read(names, stdin);
    if (!names.isEmpty()
        && documents.stream().noneMatch(it -> isConfiguration(it.path("apiVersion").asText()))) {
      throw new CommandException(
          "--config %s: no Configuration of %s (expected: the file itself, not a ConfigMap)"
              .formatted(String.join(" ", names), ApiVersion.CONFIGURATION_GROUP));
    }
    return documents;
  }

  private static boolean isBuiltIn(GroupKind kind) {
    return Framework.find(kind.group(), kind.kind()).isPresent();
  }

  /**
   * Sorts objects; what has no name means nothing here, unless it is a job.
   *
   * @throws IllegalArgumentException with all that is wrong with the Configuration or the
   *     Extensions, or naming the kind of a job without a name
   */
  public static SimulationInput of(List<JsonNode> documents) {
    SimulatedConfiguration chosen =
        SimulatedConfiguration.read(
            last(documents, SimulationInput::isOfKueue),
            last(documents, Extensions.API_VERSION::equals));
    List<JsonNode> objects = new ArrayList<>();
    List<JsonNode> work = new ArrayList<>();
    Names names = new Names();
    for (JsonNode document : documents) {
      JsonNode object = names.complete(document);
      if (isConfiguration(object.path("apiVersion").asText())) {
        continue;
      }
      if (Names.has(object)) {
        (isWork(object, chosen) ? work : objects).add(object);
      } else if (isWork(object, chosen)) { // of a custom kind; the others were checked
        throw new IllegalArgumentException(
            object.path("kind").asText() + ": metadata.name: missing (expected: a name)");
      }
    }
    objects.addAll(0, missingNamespaces(objects, work));
    return new SimulationInput(chosen, objects, work);
  }

  private static boolean isOfKueue(String apiVersion) {
    return apiVersion.startsWith(CONFIGURATION_GROUP);
  }

  private static boolean isConfiguration(String apiVersion) {
    return isOfKueue(apiVersion) || apiVersion.equals(Extensions.API_VERSION);
  }

  /** The last document of such an API version; an empty object if there is none. */
  private static JsonNode last(List<JsonNode> documents, Predicate<String> apiVersion) {
    return documents.stream()
        .filter(it -> apiVersion.test(it.path("apiVersion").asText()))
        .reduce((_, later) -> later)
        .orElseGet(JsonNodeFactory.instance::objectNode);
  }

  private static boolean isWork(JsonNode object, SimulatedConfiguration chosen) {
    GroupKind kind =
        GroupVersionKind.of(object.path("apiVersion").asText(), object.path("kind").asText())
            .groupKind();
    return kind.equals(ApiKind.WORKLOAD.groupKind()) || chosen.isJob(kind);
  }

  /** A cluster with all of it, in which the jobs have their Workloads and nothing is decided. */
  public SimulatedCluster cluster(Instant now) {
    SimulatedCluster cluster = new SimulatedCluster(configuration, now);
    objects.forEach(cluster::apply);
    work.forEach(cluster::apply);
    cluster.planJobs();
    return cluster;
  }

  /** Generates the missing namespaces of objects, without labels. */
  private static List<JsonNode> missingNamespaces(List<JsonNode> objects, List<JsonNode> work) {
    Set<String> given = new LinkedHashSet<>();
    Set<String> used = new TreeSet<>();
    for (JsonNode object : objects) {
      JsonNode metadata = object.path("metadata");
      if (object.path("kind").asText().equals("Namespace")) {
        given.add(metadata.path("name").asText());
      }
      used.add(metadata.path("namespace").asText());
    }
    work.forEach(it -> used.add(it.at("/metadata/namespace").asText()));
    used.removeAll(given);
    used.remove("");
    return used.stream().map(SimulationInput::namespace).toList();
  }

  private static JsonNode namespace(String name) {
    ObjectNode namespace = JsonNodeFactory.instance.objectNode();
    namespace.put("apiVersion", "v1").put("kind", "Namespace");
    namespace.putObject("metadata").put("name", name);
    return namespace;
  }
}
