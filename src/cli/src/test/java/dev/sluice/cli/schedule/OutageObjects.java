package dev.sluice.cli.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.controlplane.ApiClient;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** The jobs of an outage that are no batch Jobs, and what kubelets and operators do with them. */
final class OutageObjects {
  private static final String POD_SPEC =
      """
      {"restartPolicy":"Never","containers":[{"name":"c","image":"i","resources":{"requests":{
      "cpu":"1"}}}]}\
      """;

  private OutageObjects() {}

  /** An object to create: where, and what. */
  record Creation(String collection, String body) {}

  /** What a user creates for the job of that number: one of four kinds, or a Job. */
  static List<Creation> creations(int number, int kinds, String queue) {
    return switch (number % kinds) {
      case 0 -> List.of(new Creation(Fleet.jobs(), job("job-" + number, queue, 1)));
      case 1 -> List.of(new Creation(Fleet.jobSets(), jobSet("set-" + number, queue)));
      case 2 -> List.of(new Creation(Fleet.pods(), pod("pod-" + number, queue)));
      default -> {
        String group = "group-" + number;
        yield Stream.of("-0", "-1")
            .map(it -> new Creation(Fleet.pods(), member(group + it, group, queue)))
            .toList();
      }
    };
  }

  /** Whether a job, or a Pod, was let run. */
  static boolean isLetRun(String collection, JsonNode object) {
    return collection.endsWith("/pods")
        ? object.at("/spec/schedulingGates").isEmpty()
        : !object.at("/spec/suspend").asBoolean();
  }

  /** Whether a job, or a Pod, has ended by itself. */
  static boolean hasEnded(String collection, JsonNode object) {
    return collection.endsWith("/pods")
        ? object.at("/status/phase").asText().equals("Succeeded")
        : ApiClient.hasCondition(object, "Complete") || ApiClient.hasCondition(object, "Completed");
  }

  /** A Job that stays when it has ended. */
  static String job(String name, String queue, int pods) {
    return """
    {"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"%1$s","labels":{
    "kueue.x-k8s.io/queue-name":"%2$s"}},"spec":{"backoffLimit":0,"parallelism":%3$d,
    "completions":%3$d,"managedBy":"kueue.x-k8s.io/multikueue","template":{"spec":%4$s}}}\
    """
        .formatted(name, queue, pods, POD_SPEC);
  }

  static String jobSet(String name, String queue) {
    return """
    {"apiVersion":"jobset.x-k8s.io/v1alpha2","kind":"JobSet","metadata":{"name":"%s","labels":{
    "kueue.x-k8s.io/queue-name":"%s"}},"spec":{"suspend":true,
    "managedBy":"kueue.x-k8s.io/multikueue","replicatedJobs":[{"name":"main","template":{"spec":{
    "parallelism":1,"template":{"spec":%s}}}}]}}\
    """
        .formatted(name, queue, POD_SPEC);
  }

  /** A Pod as webhooks admit it. */
  private static String pod(String name, String queue) {
    return pod(name, queue, "");
  }

  /** A member of a group of two, as users and webhooks make it. */
  static String member(String name, String group, String queue) {
    return pod(
        name,
        queue,
        """
        ,"annotations":{"kueue.x-k8s.io/pod-group-name":"%s",
        "kueue.x-k8s.io/pod-group-total-count":"2","kueue.x-k8s.io/role-hash":"main"}\
        """
            .formatted(group));
  }

  private static String pod(String name, String queue, String more) {
    String gated = "{\"schedulingGates\":[{\"name\":\"kueue.x-k8s.io/admission\"}],";
    return """
    {"apiVersion":"v1","kind":"Pod","metadata":{"name":"%s","labels":{
    "kueue.x-k8s.io/queue-name":"%s","kueue.x-k8s.io/managed":"true"},
    "finalizers":["kueue.x-k8s.io/managed"]%s},"spec":%s}\
    """
        .formatted(name, queue, more, gated + POD_SPEC.substring(1));
  }

  /**
   * Ends what runs on a worker.
   *
   * @param now asked for each: whether it ends now
   */
  static void work(ApiClient worker, BooleanSupplier now) {
    for (JsonNode pod : worker.get(Fleet.pods()).orThrow().json().path("items")) {
      boolean runs =
          pod.at("/status/phase").asText().equals("Pending")
              && pod.at("/spec/schedulingGates").isEmpty();
      if (runs && now.getAsBoolean()) {
        var _ = succeed(worker, Fleet.pods() + "/" + name(pod));
      }
    }
    for (JsonNode set : worker.get(Fleet.jobSets()).orThrow().json().path("items")) {
      boolean runs =
          !set.at("/spec/suspend").asBoolean(true) && !ApiClient.hasCondition(set, "Completed");
      if (runs && now.getAsBoolean()) {
        var _ = complete(worker, Fleet.jobSets() + "/" + name(set));
      }
    }
  }

  /** Lets a Pod succeed, as a kubelet would tell. */
  static ApiClient.Response succeed(ApiClient worker, String pod) {
    return worker.mergePatch(pod + "/status", "{\"status\":{\"phase\":\"Succeeded\"}}");
  }

  /** Lets a JobSet succeed, as its controller would tell. */
  static ApiClient.Response complete(ApiClient worker, String jobSet) {
    return worker.mergePatch(
        jobSet + "/status",
        """
        {"status":{"conditions":[{"type":"Completed","status":"True","reason":"AllJobsCompleted",
        "message":"all is done","lastTransitionTime":"2026-01-01T00:00:00Z"}]}}\
        """);
  }

  private static String name(JsonNode object) {
    return object.at("/metadata/name").asText();
  }

  /** What is left on the workers of a fleet but for what is somebody else's. */
  static List<String> left(Fleet fleet) {
    List<String> left = new ArrayList<>();
    for (String worker : fleet.workers.keySet()) {
      for (String collection :
          List.of(Fleet.workloads(), Fleet.jobs(), Fleet.jobSets(), Fleet.pods())) {
        for (JsonNode object : fleet.items(worker, collection)) {
          if (!name(object).equals("foreign")) {
            left.add(worker + " " + collection + "/" + name(object));
          }
        }
      }
    }
    return left;
  }
}
