package dev.sluice.cli.explain;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.meta.Conditions;
import dev.sluice.api.vocabulary.ConditionTypes;
import dev.sluice.api.vocabulary.Controllers;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * How a workload is on other clusters: as its manager knows it, and as those clusters themselves
 * say, where they were asked.
 */
final class OtherClusters {
  private final List<JsonNode> objects;
  private final JsonNode workload;
  private final Map<String, JsonNode> asked;

  /**
   * Of a workload.
   *
   * @param objects those of the manager
   * @param asked the workload of that name on each cluster that was asked; missing if there is none
   */
  OtherClusters(List<JsonNode> objects, JsonNode workload, Map<String, JsonNode> asked) {
    this.objects = List.copyOf(objects);
    this.workload = workload;
    this.asked = Map.copyOf(asked);
  }

  /** Each cluster in the order of the configuration; none if no check of MultiKueue is listed. */
  List<OtherCluster> find() {
    Optional<JsonNode> state = checkState();
    if (state.isEmpty()) {
      return List.of();
    }
    Set<String> names = new LinkedHashSet<>(configured(state.get()));
    names.addAll(nominated());
    String chosen = chosen();
    if (!chosen.isEmpty()) {
      names.add(chosen);
    }
    Map<String, String> sentences = sentences(state.get().path("message").asText(""), names);
    List<OtherCluster> all = new ArrayList<>();
    for (String name : names) {
      all.add(new OtherCluster(name, connection(name), here(name, chosen, sentences), there(name)));
    }
    return all;
  }

  /** The object without a namespace of that kind and name. */
  private Optional<JsonNode> object(String kind, String name) {
    return objects.stream()
        .filter(it -> it.path("kind").asText().equals(kind))
        .filter(it -> it.at("/metadata/name").asText().equals(name))
        .findFirst();
  }

  private JsonNode status() {
    return workload.path("status");
  }

  private String chosen() {
    return status().path("clusterName").asText("");
  }

  private List<String> nominated() {
    return status().path("nominatedClusterNames").valueStream().map(JsonNode::asText).toList();
  }

  private Optional<JsonNode> checkState() {
    return status()
        .path("admissionChecks")
        .valueStream()
        .filter(it -> check(it.path("name").asText()).isPresent())
        .findFirst();
  }

  private Optional<JsonNode> check(String name) {
    return object("AdmissionCheck", name)
        .filter(it -> it.at("/spec/controllerName").asText().equals(Controllers.MULTI_KUEUE));
  }

  private List<String> configured(JsonNode state) {
    return check(state.path("name").asText())
        .map(it -> it.at("/spec/parameters/name").asText())
        .flatMap(it -> object("MultiKueueConfig", it))
        .map(it -> it.at("/spec/clusters").valueStream().map(JsonNode::asText).toList())
        .orElse(List.of());
  }

  private String connection(String name) {
    Optional<JsonNode> cluster = object("MultiKueueCluster", name);
    if (cluster.isEmpty()) {
      return "there is no MultiKueueCluster of this name";
    }
    Optional<JsonNode> active = Conditions.find(cluster.get(), ConditionTypes.ACTIVE);
    String message = active.map(it -> it.path("message").asText()).orElse("");
    String draining =
        cluster.get().path("metadata").has("deletionTimestamp") ? "is deleted and drains; " : "";
    if (active.filter(Conditions::isTrue).isPresent()) {
      return draining + "connected" + message.replaceFirst("^Connected", "");
    }
    return draining + "not connected" + (message.isEmpty() ? "" : ": " + message);
  }

  /** What the manager says of that cluster. */
  private String here(String name, String chosen, Map<String, String> sentences) {
    if (name.equals(chosen)) {
      return "chosen";
    }
    String offered = nominated().contains(name) ? "offered" : "not offered";
    return Optional.ofNullable(sentences.get(name)).map(it -> offered + "; " + it).orElse(offered);
  }

  /** The parts of the message of the check, which names each cluster before a colon. */
  static Map<String, String> sentences(String message, Collection<String> names) {
    Map<Integer, String> starts = new TreeMap<>();
    for (String name : names) {
      int start = (" " + message).indexOf(" " + name + ": ");
      if (start >= 0) {
        starts.put(start, name);
      }
    }
    Map<String, String> sentences = new TreeMap<>();
    List<Integer> order = List.copyOf(starts.keySet());
    for (int i = 0; i < order.size(); i++) {
      String name = Optional.ofNullable(starts.get(order.get(i))).orElseThrow();
      int end = i + 1 < order.size() ? order.get(i + 1) : message.length();
      String part = message.substring(order.get(i) + name.length() + 2, end).strip();
      sentences.put(name, part.endsWith(";") ? part.substring(0, part.length() - 1) : part);
    }
    return sentences;
  }

  /** What the cluster itself says; empty if it was not asked. */
  private String there(String name) {
    JsonNode seen = asked.get(name);
    if (seen == null) {
      return "";
    }
    if (seen.isMissingNode()) {
      return "has no such workload";
    }
    for (String type :
        List.of(
            ConditionTypes.FINISHED,
            ConditionTypes.EVICTED,
            ConditionTypes.ADMITTED,
            ConditionTypes.QUOTA_RESERVED)) {
      Optional<JsonNode> condition = Conditions.find(seen, type).filter(Conditions::isTrue);
      if (condition.isPresent()) {
        return said(type, condition.get());
      }
    }
    return Conditions.find(seen, ConditionTypes.QUOTA_RESERVED)
        .map(it -> said("Pending", it))
        .orElse("Pending: its scheduler has not looked at it");
  }

  private static String said(String type, JsonNode condition) {
    String message = condition.path("message").asText("");
    return message.isEmpty() ? type : type + ": " + message;
  }
}
