package dev.sluice.cli.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.controlplane.ApiClient;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/**
 * Two Jobs and all that they need to run, to be created in an order that is drawn: a namespace, a
 * flavor, a ClusterQueue with quota for one of them, a Cohort that has quota for the other, an
 * AdmissionCheck whose controller says yes to everything, a priority class, and a LocalQueue. Who
 * wants to create something in a namespace that is not there yet does so as soon as it is.
 */
final class World {
  private static final String KUEUE = "/apis/kueue.x-k8s.io/v1beta2/";
  private static final Set<String> OF_ONE_LIFE =
      Set.of(
          "uid",
          "resourceVersion",
          "generation",
          "observedGeneration",
          "creationTimestamp",
          "lastTransitionTime",
          "managedFields");

  private record Step(String collection, boolean inNamespace, String body) {}

  private final ApiClient api;
  private final String name;
  private final Deque<Step> steps = new ArrayDeque<>();

  World(ApiClient api, String name, Random random) {
    this.api = api;
    this.name = name;
    List<Step> drawn = new ArrayList<>(all());
    Collections.shuffle(drawn, random);
    List<Step> early = new ArrayList<>();
    boolean isThere = false;
    for (Step step : drawn) {
      if (step.inNamespace() && !isThere) {
        early.add(step);
        continue;
      }
      steps.add(step);
      if (step.collection().equals("/api/v1/namespaces")) {
        isThere = true;
        steps.addAll(early);
      }
    }
  }

  private List<Step> all() {
    return List.of(
        new Step("/api/v1/namespaces", false, "{\"metadata\":{\"name\":\"" + name + "\"}}"),
        ours("ResourceFlavor", "resourceflavors", "\"spec\":{\"nodeLabels\":{\"pool\":\"x\"}}"),
        ours("Cohort", "cohorts", "\"spec\":{" + quota() + "}"),
        ours(
            "ClusterQueue",
            "clusterqueues",
            """
            "spec":{"namespaceSelector":{},"cohortName":"%1$s",%2$s,"admissionChecksStrategy":{
            "admissionChecks":[{"name":"%1$s"}]}}\
            """
                .formatted(name, quota())),
        ours(
            "AdmissionCheck",
            "admissionchecks",
            "\"spec\":{\"controllerName\":\"example.com/yes\"}"),
        ours("WorkloadPriorityClass", "workloadpriorityclasses", "\"value\":100"),
        new Step(
            KUEUE + "namespaces/" + name + "/localqueues",
            true,
            object("LocalQueue", name, "\"spec\":{\"clusterQueue\":\"" + name + "\"}")),
        job("a"),
        job("b"));
  }

  private Step ours(String kind, String plural, String rest) {
    return new Step(KUEUE + plural, false, object(kind, name, rest));
  }

  private static String object(String kind, String name, String rest) {
    return """
    {"apiVersion":"kueue.x-k8s.io/v1beta2","kind":"%s","metadata":{"name":"%s"},%s}\
    """
        .formatted(kind, name, rest);
  }

  private String quota() {
    return """
    "resourceGroups":[{"coveredResources":["cpu"],"flavors":[{"name":"%s","resources":[
    {"name":"cpu","nominalQuota":1}]}]}]\
    """
        .formatted(name);
  }

  private Step job(String job) {
    return new Step(
        "/apis/batch/v1/namespaces/" + name + "/jobs",
        true,
        """
        {"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"%1$s","labels":{
        "kueue.x-k8s.io/queue-name":"%2$s","kueue.x-k8s.io/priority-class":"%2$s"}},"spec":{
        "template":{"spec":{"restartPolicy":"Never","containers":[{"name":"c","image":"i",
        "resources":{"requests":{"cpu":"1"}}}]}}}}\
        """
            .formatted(job, name));
  }

  /** Creates what comes next; false if all is there. */
  boolean create() {
    Step step = steps.poll();
    if (step == null) {
      return false;
    }
    api.create(step.collection(), step.body()).orThrow();
    if (step.collection().endsWith("/admissionchecks")) {
      api.mergePatch(
              KUEUE + "admissionchecks/" + name + "/status",
              """
              {"status":{"conditions":[{"type":"Active","status":"True","reason":"Active",
              "message":"","lastTransitionTime":"2026-01-01T00:00:00Z"}]}}\
              """)
          .orThrow();
    }
    return true;
  }

  /** Does for all worlds what the controller of the checks has to; to be called again and again. */
  static void check(ApiClient api) {
    for (JsonNode workload : api.get(KUEUE + "workloads").orThrow().json().path("items")) {
      JsonNode check = workload.at("/status/admissionChecks/0");
      if (ApiClient.hasCondition(workload, "QuotaReserved")
          && check.path("state").asText().equals("Pending")) {
        JsonNode metadata = workload.path("metadata");
        // a conflict is left for the next round
        api.mergePatch(
            KUEUE
                + "namespaces/"
                + metadata.path("namespace").asText()
                + "/workloads/"
                + metadata.path("name").asText()
                + "/status",
            """
            {"metadata":{"resourceVersion":"%s"},"status":{"admissionChecks":[{"name":"%s",
            "state":"Ready","message":"yes","lastTransitionTime":"2026-01-01T00:00:00Z"}]}}\
            """
                .formatted(metadata.path("resourceVersion").asText(), check.path("name").asText()));
      }
    }
  }

  private JsonNode workloads() {
    return items(KUEUE + "namespaces/" + name + "/workloads");
  }

  private JsonNode items(String collection) {
    ApiClient.Response answer = api.get(collection);
    return answer.orThrow().json().path("items");
  }

  private JsonNode ours(String plural) {
    return api.get(KUEUE + plural + "/" + name).orThrow().json();
  }

  /** Whether both Jobs were told to run, and the queues count them and nothing else. */
  boolean isAtItsEnd() {
    int running = 0;
    for (JsonNode job : items("/apis/batch/v1/namespaces/" + name + "/jobs")) {
      running += job.at("/spec/suspend").asBoolean() ? 0 : 1;
    }
    JsonNode status = ours("clusterqueues").path("status");
    JsonNode used = status.at("/flavorsUsage/0/resources/0");
    JsonNode local =
        api.get(KUEUE + "namespaces/" + name + "/localqueues/" + name).orThrow().json();
    return running == 2
        && status.path("admittedWorkloads").asInt() == 2
        && status.path("pendingWorkloads").asInt() == 0
        && used.path("total").asText().equals("2")
        && used.path("borrowed").asText().equals("1")
        && status.at("/conditions/0/reason").asText().equals("Ready")
        && local.at("/status/admittedWorkloads").asInt() == 2
        && local.at("/status/pendingWorkloads").asInt() == 0;
  }

  /** All objects of it, without what no two lives have in common. */
  Map<String, String> state() {
    Map<String, String> state = new TreeMap<>();
    for (String plural :
        List.of("resourceflavors", "cohorts", "clusterqueues", "admissionchecks")) {
      state.put(plural, lasting(ours(plural)));
    }
    add(state, items(KUEUE + "namespaces/" + name + "/localqueues"));
    add(state, workloads());
    add(state, items("/apis/batch/v1/namespaces/" + name + "/jobs"));
    return state;
  }

  private void add(Map<String, String> state, JsonNode objects) {
    for (JsonNode object : objects) {
      String text = lasting(object);
      state.put(
          object.path("kind").asText() + " " + general(object.at("/metadata/name").asText()), text);
    }
  }

  private String lasting(JsonNode object) {
    ObjectNode copy = object.deepCopy();
    strip(copy);
    return general(copy.toString());
  }

  /** Which of the Jobs borrows is chance, and so is the end of a name that is made. */
  private String general(String text) {
    return text.replace(name, "NAME")
        .replaceAll("job-([ab])-[0-9a-f]{5}", "job-$1")
        .replaceAll("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "UID");
  }

  private static void strip(JsonNode node) {
    if (node instanceof ObjectNode object) {
      object.remove(OF_ONE_LIFE);
      if (object.get("conditions") instanceof ArrayNode conditions) {
        sort(conditions);
      }
    }
    node.forEach(World::strip);
  }

  /** They are a map by their type, and which of two writers was first is chance. */
  private static void sort(ArrayNode conditions) {
    List<JsonNode> sorted =
        conditions
            .valueStream()
            .sorted(Comparator.comparing(it -> it.path("type").asText()))
            .toList();
    conditions.removeAll().addAll(sorted);
  }

  @Override
  public String toString() {
    return name;
  }
}
