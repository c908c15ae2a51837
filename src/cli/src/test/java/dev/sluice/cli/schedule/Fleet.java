package dev.sluice.cli.schedule;

import static dev.sluice.api.ApiKind.ADMISSION_CHECK;
import static dev.sluice.api.ApiKind.CLUSTER_QUEUE;
import static dev.sluice.api.ApiKind.LOCAL_QUEUE;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
import dev.sluice.api.configuration.Configuration;
import dev.sluice.api.configuration.Extensions;
import dev.sluice.cli.kinds.KindStories;
import dev.sluice.cli.kinds.KindStory;
import dev.sluice.cli.testcluster.Kueue;
import dev.sluice.cli.testcluster.OwnCluster;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.controlplane.ControlPlaneException;
import dev.sluice.controlplane.Poll;
import dev.sluice.multicluster.MultiKueue;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A manager and two workers, each a real API server with its controllers, for one class of tests:
 * from before its first test until after its last. It stands in a static field with
 * {@code @RegisterExtension}. Before the tests, the manager has accounts on its workers, and a
 * check.
 */
final class Fleet implements BeforeAllCallback, AfterTestExecutionCallback, AfterAllCallback {
  /** The namespace of Sluice on the manager. */
  static final String HOME = "sluice-home";

  static final String NAMESPACE = "team";
  static final Duration AMPLE = Duration.ofMinutes(2);

  private static final Duration PAUSE = Duration.ofMillis(100);

  /** How much cpu a queue has if nothing else is said. */
  private static final int ROOM = 10;

  final OwnCluster manager = OwnCluster.ofControllers();
  final Map<String, OwnCluster> workers = new LinkedHashMap<>();
  private final List<AutoCloseable> open = new ArrayList<>();

  Fleet() {
    this(_ -> OwnCluster.ofControllers());
  }

  /** A fleet whose workers are made for their names. */
  Fleet(Function<String, OwnCluster> worker) {
    List.of("a", "b").forEach(it -> workers.put(it, worker.apply(it)));
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    clusters().forEach(it -> it.beforeAll(context));
    FleetSetup.connect(api(), workers);
  }

  @Override
  public void afterTestExecution(ExtensionContext context) {
    clusters().forEach(it -> it.afterTestExecution(context));
  }

  @Override
  public void afterAll(ExtensionContext context) throws Exception {
    for (AutoCloseable part : open.reversed()) {
      part.close();
    }
    for (OwnCluster cluster : clusters()) {
      cluster.afterAll(context);
    }
  }

  private List<OwnCluster> clusters() {
    return Stream.concat(Stream.of(manager), workers.values().stream()).toList();
  }

  ApiClient api() {
    return manager.api();
  }

  /** The tokens with which the manager logs in to its workers. */
  List<String> tokens() {
    return FleetSetup.tokens(api());
  }

  ApiClient api(String worker) {
    return cluster(worker).api();
  }

  OwnCluster cluster(String worker) {
    return Optional.ofNullable(workers.get(worker)).orElseThrow();
  }

  /** Starts the schedulers of all clusters, which end with the fleet. */
  void start(Configuration configuration) {
    workers.values().forEach(it -> opened(InProcessScheduler.of(it, configuration)));
    startManager(configuration);
  }

  /** Starts the scheduler of the manager, which ends with the fleet. */
  void startManager(Configuration configuration) {
    opened(manager(manager, configuration));
  }

  /** The scheduler of a manager; its parts in the order in which they were opened. */
  static List<AutoCloseable> manager(OwnCluster manager, Configuration configuration) {
    return InProcessScheduler.of(
        manager,
        configuration,
        new MultiKueue(
            configuration, Extensions.DEFAULT, Path.of("/nowhere"), InProcessScheduler.TIMES));
  }

  /** Parts that end with the fleet, the last one first. */
  void opened(List<? extends AutoCloseable> parts) {
    open.addAll(parts);
  }

  /** Creates that queue on all clusters, and waits until the check can be used. */
  void openQueue(String name) {
    openQueue(ROOM, name);
  }

  /** The same with room for so many Pods of one cpu on each. */
  void openQueue(int cpu, String name) {
    queueOf(cpu, name);
    api()
        .await(
            Kueue.path(ADMISSION_CHECK, ApiVersion.HUB, "multikueue"),
            AMPLE,
            it -> it.at("/status/conditions/0/reason").asText().equals("Active"));
  }

  /** Creates a namespace on all clusters, with a LocalQueue to that queue. */
  void openNamespace(String name, String queue) {
    for (OwnCluster cluster : clusters()) {
      FleetSetup.namespace(cluster.api(), name);
      Kueue.create(cluster.api(), LOCAL_QUEUE, name, queue, Kueue.localQueue(queue)).orThrow();
    }
  }

  /**
   * Gives each cluster a kind, whose controller the test plays.
   *
   * @param definition the CustomResourceDefinition, as YAML
   * @param name its name
   */
  void serve(String definition, String name) {
    for (OwnCluster cluster : clusters()) {
      ApiClient each = cluster.api();
      each.send(
              "POST",
              "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
              "application/yaml",
              definition)
          .orThrow();
      each.awaitEstablished(name, AMPLE);
    }
  }

  /** Gives each cluster the kinds of these stories, whose controllers the test plays. */
  void serve(List<KindStory> stories) {
    clusters().forEach(it -> KindStories.serve(it.api(), stories));
  }

  /** Creates an object on the manager and on the workers. */
  void createEverywhere(String collection, String body) {
    clusters().forEach(it -> it.api().create(collection, body).orThrow());
  }

  /** Gives the manager the rights to send jobs of that kind to that worker. */
  void allow(String worker, String group, String resource) {
    FleetSetup.allow(api(worker), group, resource);
  }

  static String jobSets() {
    return "/apis/jobset.x-k8s.io/v1alpha2/namespaces/" + NAMESPACE + "/jobsets";
  }

  /** Creates that queue on the manager, with the check. */
  void managerQueue(String name) {
    managerQueue(api(), name);
  }

  /** The same on another manager. */
  static void managerQueue(ApiClient manager, String name) {
    managerQueue(manager, name, ROOM);
  }

  private static void managerQueue(ApiClient manager, String name, int cpu) {
    FleetSetup.queue(
        manager,
        name,
        cpu,
        ",\"admissionChecksStrategy\":{\"admissionChecks\":[{\"name\":\"multikueue\"}]}");
  }

  /** Creates that queue on all clusters, with room for so many Pods of one cpu on each. */
  void queueOf(int cpu, String name) {
    managerQueue(api(), name, cpu);
    workers.keySet().forEach(it -> FleetSetup.queue(api(it), name, cpu, ""));
  }

  /** Creates that queue on a worker. */
  void workerQueue(String worker, String name) {
    FleetSetup.queue(api(worker), name, "");
  }

  /** Changes whether a worker's queue admits, and keeps what it admitted. */
  void stopPolicy(String worker, String queue, String policy) {
    api(worker)
        .mergePatch(
            Kueue.path(CLUSTER_QUEUE, ApiVersion.HUB, queue),
            "{\"spec\":{\"stopPolicy\":\"%s\"}}".formatted(policy))
        .orThrow();
  }

  static String jobs() {
    return "/apis/batch/v1/namespaces/" + NAMESPACE + "/jobs";
  }

  static String job(String name) {
    return jobs() + "/" + name;
  }

  static String pods() {
    return "/api/v1/namespaces/" + NAMESPACE + "/pods";
  }

  static String workloads() {
    return Kueue.collection(ApiKind.WORKLOAD, ApiVersion.HUB, NAMESPACE);
  }

  /** Creates a Job of one Pod on the manager. */
  void createJob(String name, String queue) {
    createJob(api(), name, queue);
  }

  /** The same on another manager. */
  static void createJob(ApiClient manager, String name, String queue) {
    manager
        .create(
            jobs(),
            """
            {"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"%s","labels":{
            "kueue.x-k8s.io/queue-name":"%s"}},"spec":{"backoffLimit":0,
            "managedBy":"kueue.x-k8s.io/multikueue","ttlSecondsAfterFinished":600,"template":{
            "spec":{"restartPolicy":"Never","containers":[{"name":"c","image":"i","resources":{
            "requests":{"cpu":"1"}}}]}}}}\
            """
                .formatted(name, queue))
        .orThrow();
  }

  /** The Workload of a Job on the manager; empty while there is none. */
  Optional<JsonNode> workload(String job) {
    return workloads(job).stream().findFirst();
  }

  /** The Workloads of a job with several on the manager. */
  List<JsonNode> workloads(String job) {
    return api()
        .get(workloads())
        .orThrow()
        .json()
        .path("items")
        .valueStream()
        .filter(it -> it.at("/metadata/ownerReferences/0/name").asText().equals(job))
        .toList();
  }

  /** Where a Job runs as the manager says; empty for nowhere. */
  String chosen(String job) {
    return workload(job).map(it -> it.path("status").path("clusterName").asText("")).orElse("");
  }

  /** Waits until a worker was chosen and runs the Job, and the manager says so. */
  String runs(String job) {
    await(job + " runs", () -> !chosen(job).isEmpty() && isActiveHere(job) && isActive(job));
    return chosen(job);
  }

  private boolean isActiveHere(String job) {
    JsonNode here = api().get(job(job)).json();
    return !here.at("/spec/suspend").asBoolean(true) && here.at("/status/active").asInt() == 1;
  }

  private boolean isActive(String job) {
    return api(chosen(job)).get(job(job)).json().at("/status/active").asInt() == 1;
  }

  /** Lets the Pods of a Job on a worker succeed, as a kubelet would tell. */
  void succeed(String worker, String job) {
    for (JsonNode pod : items(worker, pods())) {
      if (pod.at("/metadata/labels/job-name").asText().equals(job)) {
        api(worker)
            .mergePatch(
                pods() + "/" + pod.at("/metadata/name").asText() + "/status",
                "{\"status\":{\"phase\":\"Succeeded\"}}")
            .orThrow();
      }
    }
  }

  JsonNode items(String worker, String collection) {
    return api(worker).get(collection).orThrow().json().path("items");
  }

  /** Waits until a Job is finished on the manager. */
  void finishes(String job) {
    await(
        job + " finishes",
        () -> workload(job).filter(it -> ApiClient.hasCondition(it, "Finished")).isPresent());
  }

  /** Waits until nothing of a Job is on a worker; no worker is waited for when another one wins. */
  void hasNothing(String worker, String job) {
    hasNothing(worker, job, jobs());
  }

  /**
   * Waits until nothing of a job of any kind is on a worker.
   *
   * @param collectionOfJobs where jobs of the kind are
   */
  void hasNothing(String worker, String job, String collectionOfJobs) {
    await(worker + " has nothing of " + job, () -> left(worker, job, collectionOfJobs).isEmpty());
  }

  /** What is on a worker of a Job: Workload, Job and Pods. */
  List<String> left(String worker, String job) {
    return left(worker, job, jobs());
  }

  /**
   * What is on a worker of a job of any kind: Workload, job and Pods.
   *
   * @param collectionOfJobs where jobs of the kind are
   */
  List<String> left(String worker, String job, String collectionOfJobs) {
    List<String> left = new ArrayList<>();
    for (String collection : List.of(workloads(), collectionOfJobs, pods())) {
      for (JsonNode object : items(worker, collection)) {
        String name = object.at("/metadata/name").asText();
        if (name.equals(job) || name.startsWith(job + "-") || name.contains("-" + job + "-")) {
          left.add(object.path("kind").asText(collection) + " " + name);
        }
      }
    }
    return left;
  }

  /** Waits until nothing of a Job is on a worker. */
  void leavesNothingOn(String worker, String job) {
    await(job + " leaves nothing on " + worker, () -> left(worker, job).isEmpty());
  }

  /** Waits until nothing of a job, of which the collection is given, is on any worker. */
  void leavesNothingElsewhere(String job, String collection) {
    await(
        job + " leaves nothing",
        () -> workers.keySet().stream().allMatch(it -> left(it, job, collection).isEmpty()));
  }

  void leavesNothingElsewhere(String job) {
    workers.keySet().forEach(it -> leavesNothingOn(it, job));
  }

  static String other(String worker) {
    return worker.equals("a") ? "b" : "a";
  }

  /** Waits for it; the failure tells how the objects are. */
  void await(String what, BooleanSupplier condition) {
    await(AMPLE, what, condition);
  }

  /** The same with a bound of its own. */
  void await(Duration bound, String what, BooleanSupplier condition) {
    if (!Poll.until(bound, PAUSE, () -> holds(condition))) {
      throw new AssertionError(what + "\n" + state());
    }
  }

  /** A worker that has just come back may answer that it is not ready yet. */
  private static boolean holds(BooleanSupplier condition) {
    try {
      return condition.getAsBoolean();
    } catch (ControlPlaneException _) {
      return false;
    }
  }

  private String state() {
    StringBuilder state = new StringBuilder();
    for (String kind : List.of("multikueueclusters", "admissionchecks")) {
      append(state, "manager", api().get("/apis/kueue.x-k8s.io/v1beta2/" + kind));
    }
    for (String collection : List.of(workloads(), jobs())) {
      append(state, "manager", api().get(collection));
      workers.forEach((name, cluster) -> append(state, name, cluster.api().get(collection)));
    }
    return state.toString();
  }

  private static void append(StringBuilder state, String where, ApiClient.Response answer) {
    for (JsonNode object : answer.json().path("items")) {
      state
          .append(where)
          .append(' ')
          .append(object.at("/metadata/name").asText())
          .append(' ')
          .append(object.at("/metadata/deletionTimestamp").asText())
          .append(" suspend=")
          .append(object.at("/spec/suspend"))
          .append(' ')
          .append(object.path("status"))
          .append('\n');
    }
  }
}
