package dev.sluice.server.rehearse;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.sluice.api.ApiVersion;
import dev.sluice.api.meta.Conditions;
import dev.sluice.api.vocabulary.ConditionTypes;
import dev.sluice.api.vocabulary.Labels;
import dev.sluice.server.rehearse.RehearsalStore.Change;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;

/**
 * Lets Jobs flow through a rehearsal's cluster, so that a scheduler does what it does most of the
 * time. It creates them, more than the quota is for, and plays the Job controller and the kubelet:
 * a Job that is started gets a Pod, a Job that is suspended loses it, and the one that has run
 * longest ends. Of one thread.
 */
final class RehearsalJobs {
  private static final String NAMESPACE = "team-a";
  private static final String CORE = "/api/v1";
  private static final String KUEUE = "/apis/" + ApiVersion.HUB.groupVersion();
  private static final ObjectPath JOBS = new ObjectPath("/apis/batch/v1", NAMESPACE, "jobs", "");
  private static final ObjectPath PODS = new ObjectPath(CORE, NAMESPACE, "pods", "");
  private static final ObjectPath WORKLOADS = new ObjectPath(KUEUE, NAMESPACE, "workloads", "");

  private static final JsonMapper MAPPER = new JsonMapper();

  /** Jobs that are there at one time. */
  private static final int OUTSTANDING = 40;

  /** Fewer than the quota is for, so that those that wait are admitted as others end. */
  private static final int RUNNING = 8;

  private static final int URGENT = 7; // each seventh preempts others
  private static final Duration PATIENCE = Duration.ofMillis(20);

  private final RehearsalStore store;
  private final int total;
  private final Deque<String> running = new ArrayDeque<>();
  private int created;
  private int ended;

  /**
   * A flow of so many Jobs.
   *
   * @param total how many there are from first to last
   */
  RehearsalJobs(RehearsalStore store, int total) {
    this.store = store;
    this.total = total;
  }

  /** Stores what quota needs. */
  void prepare() {
    create(
        new ObjectPath(CORE, "", "namespaces", ""),
        """
        {"apiVersion":"v1","kind":"Namespace","metadata":{"name":"%s"}}
        """
            .formatted(NAMESPACE));
    createOurs(
        "",
        "resourceflavors",
        """
        "kind":"ResourceFlavor","metadata":{"name":"default"},"spec":{}
        """);
    for (String queue : new String[] {"batch", "research"}) {
      createOurs(
          "",
          "clusterqueues",
          """
          "kind":"ClusterQueue","metadata":{"name":"%s"},"spec":{"cohortName":"all",
          "namespaceSelector":{},"queueingStrategy":"BestEffortFIFO",
          "preemption":{"withinClusterQueue":"LowerPriority","reclaimWithinCohort":"Any"},
          "resourceGroups":[{"coveredResources":["cpu","memory"],"flavors":[{"name":"default",
          "resources":[{"name":"cpu","nominalQuota":"8","borrowingLimit":"8"},
          {"name":"memory","nominalQuota":"64Gi"}]}]}]}
          """
              .formatted(queue));
      createOurs(
          NAMESPACE,
          "localqueues",
          """
          "kind":"LocalQueue","metadata":{"name":"%s"},"spec":{"clusterQueue":"%s"}
          """
              .formatted(queue, queue));
    }
    createOurs(
        "",
        "workloadpriorityclasses",
        """
        "kind":"WorkloadPriorityClass","metadata":{"name":"usual"},"value":0
        """);
    createOurs(
        "",
        "workloadpriorityclasses",
        """
        "kind":"WorkloadPriorityClass","metadata":{"name":"urgent"},"value":100
        """);
  }

  /** Stores a Workload that holds quota, for a server that reads it at its start. */
  void addRunning() {
    createOurs(
        NAMESPACE,
        "workloads",
        """
        "kind":"Workload","metadata":{"name":"job-running","uid":"1","ownerReferences":[
        {"apiVersion":"batch/v1","kind":"Job","name":"running","uid":"2","controller":true}]},
        "spec":{"active":true,"queueName":"batch","priority":0,"podSets":[{"name":"main","count":1,
        "template":{"metadata":{},"spec":{"restartPolicy":"Never","containers":[{"name":"main",
        "image":"main","resources":{"requests":{"cpu":"1","memory":"1Gi"}}}]}}}]},
        "status":{"admission":{"clusterQueue":"batch","podSetAssignments":[{"name":"main","count":1,
        "flavors":{"cpu":"default","memory":"default"},
        "resourceUsage":{"cpu":"1","memory":"1Gi"}}]},
        "conditions":[%s,%s]}
        """
            .formatted(
                condition(ConditionTypes.QUOTA_RESERVED), condition(ConditionTypes.ADMITTED)));
  }

  private static String condition(String type) {
    return """
    {"type":"%s","status":"True","reason":"%s","message":"",
     "lastTransitionTime":"2026-01-01T12:00:00Z"}\
    """
        .formatted(type, type);
  }

  private void createOurs(String namespace, String resource, String members) {
    create(
        new ObjectPath(KUEUE, namespace, resource, ""),
        "{\"apiVersion\":\"%s\",%s}".formatted(ApiVersion.HUB.groupVersion(), members));
  }

  /** Plays until all Jobs have ended, and their Workloads are Finished. */
  void play() throws InterruptedException {
    long seen = 0;
    while (ended < total) {
      while (created < total && created - ended < OUTSTANDING) {
        createJob();
      }
      boolean quiet = true;
      for (Change change : store.changesAfter(JOBS, seen, PATIENCE)) {
        quiet = false;
        seen = change.version();
        follow(change.object().at("/metadata/name").asText());
      }
      if ((quiet && !running.isEmpty()) || running.size() > RUNNING) {
        end(running.remove());
      }
    }
    awaitFinished();
  }

  private void awaitFinished() throws InterruptedException {
    Set<String> finished = new HashSet<>();
    long seen = 0;
    while (finished.size() < total) {
      for (Change change : store.changesAfter(WORKLOADS, seen, PATIENCE)) {
        seen = change.version();
        if (Conditions.isTrue(change.object(), ConditionTypes.FINISHED)) {
          finished.add(change.object().at("/metadata/name").asText());
        }
      }
    }
  }

  private void createJob() {
    int number = created++;
    create(
        JOBS,
        """
        {"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"job-%d",
        "labels":{"%s":"%s","%s":"%s"}},
        "spec":{"suspend":true,"parallelism":1,"completions":1,"backoffLimit":6,
        "completionMode":"NonIndexed","template":{"metadata":{"labels":{"app":"train"}},
        "spec":{"restartPolicy":"Never","containers":[{"name":"main","image":"train",
        "command":["train","--all"],"resources":{"requests":{"cpu":"%d","memory":"1Gi"},
        "limits":{"memory":"1Gi"}}}]}}}}
        """
            .formatted(
                number,
                Labels.QUEUE_NAME,
                number % 2 == 0 ? "batch" : "research",
                Labels.PRIORITY_CLASS,
                number % URGENT == 0 ? "urgent" : "usual",
                1 + number % 2));
  }

  /** What is stored counts: a change may have been told after the answer to a later one. */
  private void follow(String name) {
    JsonNode job = store.get(JOBS.named(name)).body();
    boolean suspended = job.at("/spec/suspend").asBoolean();
    boolean active = job.at("/status/active").asInt() > 0;
    if (!suspended && !active && job.at("/status/conditions").isMissingNode()) {
      start(name, job);
    } else if (suspended && active) {
      running.remove(name);
      store.delete(PODS.named(name + "-0"));
      patch(JOBS.named(name), "{\"status\":{\"active\":0,\"ready\":0,\"startTime\":null}}");
    }
  }

  private void start(String name, JsonNode job) {
    running.add(name);
    patch(
        JOBS.named(name),
        "{\"status\":{\"active\":1,\"ready\":0,\"startTime\":\"%s\"}}".formatted(now()));
    create(
        PODS,
        """
        {"apiVersion":"v1","kind":"Pod","metadata":{"name":"%s-0","labels":{"app":"train",
        "batch.kubernetes.io/job-name":"%s"},"ownerReferences":[{"apiVersion":"batch/v1",
        "kind":"Job","name":"%s","uid":"%s","controller":true,"blockOwnerDeletion":true}]},
        "spec":{"restartPolicy":"Never","nodeName":"node-1","containers":[{"name":"main",
        "image":"train","resources":{"requests":{"cpu":"1"}}}]},"status":{"phase":"Pending"}}
        """
            .formatted(name, name, name, job.at("/metadata/uid").asText()));
    patch(
        PODS.named(name + "-0"),
        """
        {"status":{"phase":"Running","conditions":[{"type":"Ready","status":"True"}]}}
        """);
    patch(JOBS.named(name), "{\"status\":{\"ready\":1}}");
  }

  private void end(String name) {
    ended++;
    patch(PODS.named(name + "-0"), "{\"status\":{\"phase\":\"Succeeded\"}}");
    patch(
        JOBS.named(name),
        """
        {"status":{"active":0,"ready":0,"succeeded":1,"conditions":[
        {"type":"Complete","status":"True","lastTransitionTime":"%s"}]}}
        """
            .formatted(now()));
  }

  private static String now() {
    return Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
  }

  private void create(ObjectPath collection, String object) {
    store.create(collection, parsed(object));
  }

  private void patch(ObjectPath path, String patch) {
    store.patch(path, parsed(patch));
  }

  private static JsonNode parsed(String text) {
    try {
      return MAPPER.readTree(text);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("an object of the rehearsal is no JSON", e);
    }
  }
}
