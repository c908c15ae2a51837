package dev.sluice.jobs.leaderworkerset;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.vocabulary.Annotations;
import dev.sluice.jobs.object.JobObject;
import dev.sluice.jobs.workload.PodSetShape;
import dev.sluice.jobs.workload.PodSetTopology;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The replicas of a LeaderWorkerSet, and what each of them runs.
 *
 * @param tree the LeaderWorkerSet
 */
record Replicas(JsonNode tree) {
  private static final int MOST = 1_000_000;
  private static final Pattern INDEX = Pattern.compile("[0-9]{1,7}");
  private static final Pattern NO_SURGE = Pattern.compile("0*%?");
  private static final String PREFIX = "leaderworkerset.sigs.k8s.io";
  private static final String KEPT = PREFIX + "/name";
  private static final String WORKER_INDEX = PREFIX + "/worker-index";
  private static final String LEADER = "leader";
  private static final String WORKER = "worker";
  private static final String MAIN = "main";

  /** The number of the replica that a Workload is for; empty if it names none. */
  static OptionalInt index(JsonNode workload) {
    return index(JobObject.of(workload).annotationText(Annotations.COMPONENT_WORKLOAD_INDEX));
  }

  /** The number of a replica; empty for any other text. */
  static OptionalInt index(String text) {
    return INDEX.matcher(text).matches()
        ? OptionalInt.of(Integer.parseInt(text))
        : OptionalInt.empty();
  }

  private JsonNode spec() {
    return tree.path("spec");
  }

  private JsonNode group() {
    return spec().path("leaderWorkerTemplate");
  }

  JsonNode workerTemplate() {
    return group().path("workerTemplate");
  }

  private boolean hasLeaderTemplate() {
    return group().path("leaderTemplate").isObject();
  }

  /** The number of groups, including those that a roll-out adds. */
  int count() {
    int wanted = spec().path("replicas").asInt(1);
    int there = surges() ? tree.path("status").path("replicas").asInt() : 0;
    return Math.min(MOST, Math.max(wanted, there));
  }

  private boolean surges() {
    JsonNode strategy = spec().path("rolloutStrategy");
    String surge = strategy.path("rollingUpdateConfiguration").path("maxSurge").asText("0");
    return strategy.path("type").asText("RollingUpdate").equals("RollingUpdate")
        && !NO_SURGE.matcher(surge).matches();
  }

  /** How many Pods a group has. */
  int size() {
    return group().path("size").asInt(1);
  }

  String leaderRole() {
    return hasLeaderTemplate() ? LEADER : MAIN;
  }

  String workerRole() {
    return hasLeaderTemplate() ? WORKER : MAIN;
  }

  /** What the Workload of a group asks for. */
  List<PodSetShape> podSets() {
    JsonNode workers = workerTemplate();
    ObjectNode topology = PodSetTopology.request(annotations(workers), WORKER_INDEX);
    if (!hasLeaderTemplate()) {
      return List.of(shape(MAIN, workers, size(), topology));
    }
    JsonNode leader = group().path("leaderTemplate");
    return List.of(
        shape(LEADER, leader, 1, PodSetTopology.request(annotations(leader))),
        shape(WORKER, workers, size() - 1, topology));
  }

  private static JsonNode annotations(JsonNode template) {
    return template.path("metadata").path("annotations");
  }

  private static PodSetShape shape(String name, JsonNode source, int count, ObjectNode topology) {
    JsonNode metadata = source.path("metadata");
    List<String> ofKind =
        Stream.of(metadata.path("annotations"), metadata.path("labels"))
            .flatMap(JsonNode::propertyStream)
            .map(Map.Entry::getKey)
            .filter(Replicas::isOfKind)
            .toList();
    JsonNode template = PodSetShape.template(source, ofKind);
    return new PodSetShape(name, template, count, OptionalInt.empty(), topology);
  }

  /** Whether the kind's controller writes what has that key, and differently for each Pod. */
  private static boolean isOfKind(String key) {
    return key.startsWith(PREFIX) && !key.equals(KEPT);
  }
}
