package dev.sluice.cli.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.controlplane.ApiClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * Answers ProvisioningRequests as the first word of the name of their Job says: quick, late, fails,
 * never, expires, revoked. Notes what an autoscaler could not work with.
 */
final class Autoscaler implements AutoCloseable {
  static final String CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  static final String CRD = "provisioningrequests.autoscaling.x-k8s.io";
  static final String POOL = "example.com/pool";

  private static final JsonMapper JSON = new JsonMapper();
  private static final Duration SOON = Duration.ofMinutes(1);
  private static final Duration LATE = Duration.ofSeconds(3);
  private static final long PAUSE_MILLIS = 100;

  /** As far as it matters here. */
  private static final String DEFINITION =
      """
      {"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
      "metadata":{"name":"provisioningrequests.autoscaling.x-k8s.io",
      "annotations":{"api-approved.kubernetes.io":"unapproved, only for a test"}},
      "spec":{"group":"autoscaling.x-k8s.io","scope":"Namespaced",
      "names":{"kind":"ProvisioningRequest","plural":"provisioningrequests",
      "singular":"provisioningrequest"},
      "versions":[{"name":"v1","served":true,"storage":true,"subresources":{"status":{}},
      "schema":{"openAPIV3Schema":{"type":"object","required":["spec"],"properties":{
      "spec":{"type":"object","required":["podSets","provisioningClassName"],
      "x-kubernetes-validations":[{"rule":"self == oldSelf","message":"Value is immutable"}],
      "properties":{
      "provisioningClassName":{"type":"string","maxLength":253},
      "parameters":{"type":"object","maxProperties":100,
      "additionalProperties":{"type":"string","maxLength":255}},
      "podSets":{"type":"array","minItems":1,"maxItems":32,"items":{"type":"object",
      "required":["count","podTemplateRef"],"properties":{
      "count":{"type":"integer","minimum":1},
      "podTemplateRef":{"type":"object","required":["name"],"properties":{
      "name":{"type":"string","maxLength":253}}}}}}}},
      "status":{"type":"object","properties":{
      "provisioningClassDetails":{"type":"object","additionalProperties":{"type":"string"}},
      "conditions":{"type":"array","x-kubernetes-list-type":"map",
      "x-kubernetes-list-map-keys":["type"],"items":{"type":"object",
      "required":["type","status","reason","message","lastTransitionTime"],"properties":{
      "type":{"type":"string"},"status":{"type":"string"},"reason":{"type":"string"},
      "message":{"type":"string"},"lastTransitionTime":{"type":"string","format":"date-time"}
      }}}}}}}}}]}}\
      """;

  private final ApiClient api;
  private final String requests;
  private final String templates;
  private final String jobs;
  private final ExecutorService thread = Executors.newSingleThreadExecutor();
  private final Map<String, Long> firstSeen = new HashMap<>();
  private final Map<String, Set<String>> attempts = new TreeMap<>();
  private final List<String> breaches = new CopyOnWriteArrayList<>();
  private volatile boolean over;

  /** Answers the requests of that namespace. */
  Autoscaler(ApiClient api, String namespace) {
    this.api = api;
    this.requests =
        "/apis/autoscaling.x-k8s.io/v1/namespaces/" + namespace + "/provisioningrequests";
    this.templates = "/api/v1/namespaces/" + namespace + "/podtemplates";
    this.jobs = "/apis/batch/v1/namespaces/" + namespace + "/jobs";
  }

  /** Has the API server serve ProvisioningRequests. */
  static void install(ApiClient api) {
    if (api.get(CRDS + "/" + CRD).status() == 404) {
      api.create(CRDS, DEFINITION).orThrow();
    }
    api.awaitEstablished(CRD, SOON);
    api.await("/apis/autoscaling.x-k8s.io/v1/provisioningrequests", SOON, _ -> true);
  }

  Autoscaler start() {
    thread.execute(this::run);
    return this;
  }

  private void run() {
    while (!over) {
      try {
        answerAll();
      } catch (RuntimeException e) {
        breaches.add(e.toString());
      }
      pause();
    }
  }

  private static void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  /** What no autoscaler could work with. */
  List<String> breaches() {
    return breaches;
  }

  /** How many requests were made for Jobs of that kind, at most for one of them. */
  int mostAttempts(String kind) {
    return attempts.entrySet().stream()
        .filter(it -> it.getKey().startsWith("job-" + kind + "-"))
        .mapToInt(it -> it.getValue().size())
        .max()
        .orElse(0);
  }

  List<JsonNode> requests() {
    return items(requests);
  }

  List<JsonNode> templates() {
    return items(templates);
  }

  private List<JsonNode> items(String collection) {
    return api.get(collection).orThrow().json().path("items").valueStream().toList();
  }

  private void answerAll() {
    Set<String> known = new HashSet<>();
    templates().forEach(it -> known.add(it.at("/metadata/name").asText()));
    Map<String, String> asking = new HashMap<>();
    for (JsonNode request : requests()) {
      String name = request.at("/metadata/name").asText();
      String workload = request.at("/metadata/ownerReferences/0/name").asText();
      if (request.path("metadata").has("deletionTimestamp")) {
        continue;
      }
      String other = asking.put(workload, name);
      if (other != null) {
        breaches.add("two requests at a time: " + other + " and " + name);
      }
      attempts.computeIfAbsent(workload, _ -> new HashSet<>()).add(name);
      answer(request, name, workload, known);
    }
  }

  private void answer(JsonNode request, String name, String workload, Set<String> known) {
    List<String> conditions = conditions(request, name, workload);
    if (conditions.isEmpty()) {
      return;
    }
    for (JsonNode podSet : request.at("/spec/podSets")) {
      String template = podSet.at("/podTemplateRef/name").asText();
      boolean isThere = known.contains(template) || api.get(templates + "/" + template).isSuccess();
      if (!isThere && api.get(requests + "/" + name).isSuccess()) {
        breaches.add("the PodTemplate is missing: " + template);
      }
    }
    ObjectNode status = JSON.createObjectNode();
    status.putObject("provisioningClassDetails").put("Pool", "grown");
    ArrayNode list = status.putArray("conditions");
    conditions.forEach(it -> list.add(condition(it)));
    ObjectNode patch = JSON.createObjectNode();
    patch.set("status", status);
    api.mergePatch(requests + "/" + name + "/status", patch.toString()); // or it is gone
  }

  /** What to say now; empty for nothing new. A minus means that it does not hold. */
  private List<String> conditions(JsonNode request, String name, String workload) {
    boolean answered = !request.at("/status/conditions").isMissingNode();
    boolean again = !name.endsWith("-1");
    String job = workload.replaceFirst("^job-", "").replaceFirst("-[0-9a-f]{5}$", "");
    return switch (job.replaceFirst("-.*", "")) {
      case "late" -> late(name, answered, ApiClient.hasCondition(request, "Provisioned"));
      case "fails" -> answered ? List.of() : List.of(again ? "Provisioned" : "Failed");
      case "never" -> answered ? List.of() : List.of("Failed");
      case "expires" ->
          answered
              ? List.of()
              : again ? List.of("Provisioned") : List.of("Provisioned", "BookingExpired");
      case "revoked" ->
          !answered
              ? List.of("Provisioned")
              : runs(job) && !ApiClient.hasCondition(request, "CapacityRevoked")
                  ? List.of("Provisioned", "CapacityRevoked")
                  : List.of();
      default -> answered ? List.of() : List.of("Provisioned");
    };
  }

  private List<String> late(String name, boolean answered, boolean provisioned) {
    long since = firstSeen.computeIfAbsent(name, _ -> System.nanoTime());
    boolean isTime = System.nanoTime() - since > LATE.toNanos();
    return !answered
        ? List.of("Accepted", "-Provisioned")
        : isTime && !provisioned ? List.of("Accepted", "Provisioned") : List.of();
  }

  private boolean runs(String job) {
    return api.get(jobs + "/" + job).json().at("/status/active").asInt() > 0;
  }

  private static ObjectNode condition(String word) {
    boolean holds = !word.startsWith("-");
    String type = holds ? word : word.substring(1);
    ObjectNode condition = JSON.createObjectNode();
    condition.put("type", type).put("status", holds ? "True" : "False").put("reason", "Answered");
    return condition
        .put("message", holds ? "it is " + type : "in 3 seconds")
        .put("lastTransitionTime", "2026-01-01T00:00:00Z");
  }

  /** A few requests and answers, for the message of a failed test. */
  List<String> brief() {
    List<String> brief = new ArrayList<>();
    requests()
        .forEach(it -> brief.add(it.at("/metadata/name") + " " + it.at("/status/conditions")));
    return brief;
  }

  @Override
  public void close() {
    over = true;
    thread.close();
  }
}
