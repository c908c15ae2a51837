package dev.sluice.cli.simulate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.configuration.Framework;
import dev.sluice.api.meta.Messages;
import dev.sluice.api.vocabulary.ViewGroup;
import dev.sluice.cli.cluster.ApiServer;
import dev.sluice.cli.cluster.ApiServer.Call;
import dev.sluice.cli.cluster.ViewServer;
import dev.sluice.rules.ValueText;
import dev.sluice.see.whatif.Answer;
import dev.sluice.server.program.CommandException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Asks a server of our API what would become of manifests in its cluster. */
final class LiveSimulation {
  private static final Duration BOUND = Duration.ofSeconds(60);
  private static final int LONGEST_SHOWN = 60;

  private LiveSimulation() {}

  /**
   * The answer as it came.
   *
   * @param namespace of objects that name none
   * @param forward for how long queues are played forward; null for not at all
   * @param note receives a sentence for the user
   * @throws CommandException if the server refuses, or does not answer
   */
  static JsonNode ask(
      ApiServer cluster,
      List<JsonNode> documents,
      String namespace,
      @Nullable Duration forward,
      Consumer<String> note) {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    body.put("apiVersion", ViewGroup.API_VERSION).put("kind", "Simulation");
    ObjectNode spec = body.putObject("spec");
    if (forward != null) {
      spec.put("forward", forward.toMillis() + "ms");
    }
    ArrayNode objects = spec.putArray("objects");
    ArrayNode edits = spec.putArray("edits");
    Set<String> namespaces = new TreeSet<>();
    Set<String> leftOut = new TreeSet<>();
    for (JsonNode document : documents) {
      if (!(document.deepCopy() instanceof ObjectNode object)) {
        throw new CommandException(
            "%s is no object (expected: manifests with apiVersion and kind)"
                .formatted(ValueText.quoted(Messages.cut(document.toString(), LONGEST_SHOWN))));
      }
      if (isEdit(object)) {
        if (object.path("kind").asText().equals(ApiKind.LOCAL_QUEUE.kind())) {
          complete(object, namespace);
        }
        edits.add(object);
      } else if (isNoJob(object)) {
        leftOut.add(object.path("kind").asText());
      } else {
        namespaces.add(complete(object, namespace));
        objects.add(object);
      }
    }
    if (!leftOut.isEmpty()) {
      note.accept("left out, because they are not jobs: " + String.join(", ", leftOut));
    }
    if (objects.isEmpty() && edits.isEmpty()) {
      throw new CommandException("nothing to simulate (expected: jobs, Workloads, or queues)");
    }
    boolean inOne = edits.isEmpty() && namespaces.size() == 1;
    String path =
        ViewServer.path(
            inOne
                ? "namespaces/%s/simulations"
                    .formatted(ViewServer.encoded(namespaces.iterator().next()))
                : "clustersimulations");
    var answer = cluster.send(Call.post(path, body.toString(), BOUND));
    if (!answer.isSuccess()) {
      throw new CommandException(
          "%s cannot simulate it: %s".formatted(cluster.base(), answer.message()));
    }
    return answer.json().path("status");
  }

  /** Whether it is a queue or what queues are made of. */
  private static boolean isEdit(JsonNode object) {
    return object.path("apiVersion").asText().startsWith(ApiVersion.GROUP + "/")
        && !object.path("kind").asText().equals(ApiKind.WORKLOAD.kind());
  }

  /**
   * Whether it is of a kind of Kubernetes that is not queued, such as a Namespace beside jobs in a
   * folder. What other kinds are, the server knows, and what a wrong version is.
   */
  private static boolean isNoJob(JsonNode object) {
    String version = object.path("apiVersion").asText();
    String kind = object.path("kind").asText();
    String group = GroupVersionKind.of(version, kind).groupKind().group();
    boolean isOfKubernetes =
        !group.contains(".") || (group.endsWith(".k8s.io") && !group.endsWith("x-k8s.io"));
    return isOfKubernetes
        && !version.isEmpty()
        && Arrays.stream(Framework.values()).noneMatch(it -> it.type().kind().equals(kind));
  }

  private static String complete(ObjectNode object, String namespace) {
    ObjectNode metadata = object.withObjectProperty("metadata");
    if (metadata.path("namespace").asText().isEmpty()) {
      metadata.put("namespace", namespace);
    }
    return metadata.path("namespace").asText();
  }

  /** Whether all would get quota at once. */
  static boolean allAdmitted(JsonNode status) {
    return status
        .path("outcomes")
        .valueStream()
        .allMatch(it -> it.path("answer").asText().equals(Answer.ADMITTED.text()));
  }
}
