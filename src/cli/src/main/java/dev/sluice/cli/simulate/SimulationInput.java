package dev.sluice.cli.simulate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
import dev.sluice.api.GroupKind;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.configuration.Configuration;
import dev.sluice.api.configuration.Framework;
import dev.sluice.cli.progress.FileProgress;
import dev.sluice.cli.world.SimulatedCluster;
import dev.sluice.cli.world.SimulatedConfiguration;
import dev.sluice.server.objects.ManifestObject;
import dev.sluice.server.objects.ManifestObjects;
import dev.sluice.server.program.CommandException;
import java.io.InputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The input of a simulation.
 *
 * @param configuration the Configuration among the documents, or the default one
 * @param objects everything but work, including generated namespaces
 * @param work the jobs and the Workloads
 */
public record SimulationInput(
    Configuration configuration, List<JsonNode> objects, List<JsonNode> work) {
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
            .filter(it -> it.isOurs() || isJob(it.kind().groupKind()))
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

  private static boolean isJob(GroupKind kind) {
    return Framework.find(kind.group(), kind.kind()).isPresent();
  }

  /** Sorts objects; what has no name means nothing here. */
  public static SimulationInput of(List<JsonNode> documents) {
    JsonNode configuration = JsonNodeFactory.instance.objectNode();
    List<JsonNode> objects = new ArrayList<>();
    List<JsonNode> work = new ArrayList<>();
    Names names = new Names();
    for (JsonNode document : documents) {
      JsonNode object = names.complete(document);
      if (object.path("apiVersion").asText().startsWith(CONFIGURATION_GROUP)) {
        configuration = object;
      } else if (Names.has(object)) { // a Kustomization has none, and ours were checked
        (isWork(object) ? work : objects).add(object);
      }
    }
    objects.addAll(0, missingNamespaces(objects, work));
    return new SimulationInput(SimulatedConfiguration.read(configuration), objects, work);
  }

  private static boolean isWork(JsonNode object) {
    GroupKind kind =
        GroupVersionKind.of(object.path("apiVersion").asText(), object.path("kind").asText())
            .groupKind();
    return kind.equals(ApiKind.WORKLOAD.groupKind()) || isJob(kind);
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
