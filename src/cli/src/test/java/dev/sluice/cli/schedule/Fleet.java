package dev.sluice.cli.schedule;

import static dev.sluice.api.ApiKind.ADMISSION_CHECK;
import static dev.sluice.api.ApiKind.CLUSTER_QUEUE;
import static dev.sluice.api.ApiKind.LOCAL_QUEUE;
import static dev.sluice.api.ApiKind.MULTI_KUEUE_CLUSTER;
import static dev.sluice.api.ApiKind.MULTI_KUEUE_CONFIG;
import static dev.sluice.api.ApiKind.RESOURCE_FLAVOR;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
import dev.sluice.api.configuration.Configuration;
import dev.sluice.api.configuration.Extensions;
import dev.sluice.cli.Commands;
import dev.sluice.cli.installed.Printed;
import dev.sluice.cli.testcluster.Kueue;
import dev.sluice.cli.testcluster.OwnCluster;
import dev.sluice.cluster.api.Connection;
import dev.sluice.cluster.view.WatchTimes;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.controlplane.ControlPlaneException;
import dev.sluice.controlplane.Poll;
import dev.sluice.multicluster.MultiKueue;
import dev.sluice.multicluster.link.LinkTimes;
import dev.sluice.scheduler.ControllerFactory;
import dev.sluice.scheduler.Scheduler;
import dev.sluice.scheduler.SchedulerOptions;
import dev.sluice.supervision.Supervisor;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.opentelemetry.api.OpenTelemetry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** A manager and its workers, with a queue of the same name on each, and Jobs for it. */
final class Fleet {
  static final String NAMESPACE = "team";
  static final Duration AMPLE = Duration.ofMinutes(2);

  /** As in a cluster, but a broken watch counts as lost soon. */
  static final LinkTimes TIMES =
      new LinkTimes(
          LinkTimes.DEFAULT.probe(),
          Duration.ofSeconds(2),
          LinkTimes.DEFAULT.connecting(),
          Duration.ofMillis(200),
          Duration.ofMillis(200));

  private static final Duration PAUSE = Duration.ofMillis(100);

  final OwnCluster manager;
  final Map<String, OwnCluster> workers = new LinkedHashMap<>();
  private final String home;

  /**
   * A fleet of clusters that run.
   *
   * @param home the namespace of Sluice on the manager
   */
  Fleet(String home, OwnCluster manager, OwnCluster a, OwnCluster b) {
    this.home = home;
    this.manager = manager;
    workers.put("a", a);
    workers.put("b", b);
  }

  ApiClient api() {
    return manager.api();
  }

  ApiClient api(String worker) {
    return cluster(worker).api();
  }

  OwnCluster cluster(String worker) {
    return Optional.ofNullable(workers.get(worker)).orElseThrow();
  }

  /** A scheduler of a worker in this process; its parts in the order in which they were opened. */
  static List<AutoCloseable> scheduler(OwnCluster on, Configuration configuration) {
    return scheduler(on, configuration, ControllerFactory.NONE);
  }

  /** A scheduler in this process, with more controllers. */
  static List<AutoCloseable> scheduler(
      OwnCluster on, Configuration configuration, ControllerFactory others) {
    Connection connection = Connection.to(on.controlPlane().kubeconfig());
    Scheduler scheduler =
        Scheduler.start(
            connection,
            new SchedulerOptions(
                configuration,
                Extensions.DEFAULT,
                "test",
                Optional.empty(),
                SchedulerOptions.WRITERS,
                WatchTimes.EAGER,
                SchedulerOptions.APART),
            InstantSource.system(),
            new SimpleMeterRegistry(),
            OpenTelemetry.noop(),
            () -> {},
            new Supervisor(),
            others);
    return List.of(connection, scheduler);
  }

  /** Starts the schedulers of all clusters; their parts in the order in which they were opened. */
  List<AutoCloseable> start(Configuration configuration) {
    List<AutoCloseable> open = new ArrayList<>();
    workers.values().forEach(it -> open.addAll(scheduler(it, configuration)));
    open.addAll(
        scheduler(
            manager,
            configuration,
            new MultiKueue(configuration, Extensions.DEFAULT, Path.of("/nowhere"), TIMES)));
    return open;
  }

  /** Creates that queue on all clusters, and waits until the check can be used. */
  void openQueue(String name) {
    managerQueue(name);
    workers.keySet().forEach(it -> workerQueue(it, name));
    api()
        .await(
            Kueue.path(ADMISSION_CHECK, ApiVersion.HUB, "multikueue"),
            AMPLE,
            it -> it.at("/status/conditions/0/reason").asText().equals("Active"));
  }

  /**
   * Gives each cluster a kind, whose controller the test plays.
   *
   * @param definition the CustomResourceDefinition, as YAML
   * @param name its name
   */
  void serve(String definition, String name) {
    List<ApiClient> all = new ArrayList<>(List.of(api()));
    workers.values().forEach(it -> all.add(it.api()));
    for (ApiClient each : all) {
      each.send(
              "POST",
              "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
              "application/yaml",
              definition)
          .orThrow();
      each.awaitEstablished(name, AMPLE);
    }
  }

  static String jobSets() {
    return "/apis/jobset.x-k8s.io/v1alpha2/namespaces/" + NAMESPACE + "/jobsets";
  }

  /** Creates what a manager and workers need before queues. */
  void connect() {
    namespace(api(), home);
    namespace(api(), NAMESPACE);
    workers.forEach(
        (name, cluster) -> {
          namespace(cluster.api(), NAMESPACE);
          api()
              .create("/api/v1/namespaces/" + home + "/secrets", secret(name, cluster, home))
              .orThrow();
          Kueue.create(
                  api(),
                  MULTI_KUEUE_CLUSTER,
                  name,
                  """
                  {"clusterSource":{"kubeConfig":{"locationType":"Secret","location":"%s"}}}\
                  """
                      .formatted(name))
              .orThrow();
        });
    Kueue.create(api(), MULTI_KUEUE_CONFIG, "config", "{\"clusters\":[\"a\",\"b\"]}").orThrow();
    Kueue.create(
            api(),
            ADMISSION_CHECK,
            "multikueue",
            """
            {"controllerName":"kueue.x-k8s.io/multikueue","parameters":{
            "apiGroup":"kueue.x-k8s.io","kind":"MultiKueueConfig","name":"config"}}\
            """)
        .orThrow();
  }

  private static void namespace(ApiClient api, String name) {
    api.create("/api/v1/namespaces", "{\"metadata\":{\"name\":\"%s\"}}".formatted(name)).orThrow();
  }

  /**
   * What an operator does on a worker: makes the account of the manager, and asks for its
   * kubeconfig.
   */
  private static String secret(String name, OwnCluster worker, String home) {
    Printed.apply(worker.api(), documents(run("multikueue", "account")));
    return documents(
            run(
                "multikueue",
                "kubeconfig",
                "--kubeconfig=" + worker.controlPlane().kubeconfig(),
                "--secret=" + name,
                "--namespace=" + home))
        .getFirst()
        .toString();
  }

  private static String run(String... command) {
    Commands.Ran ran = Commands.run(command);
    assertThat(ran.code()).as(ran.err()).isZero();
    return ran.out();
  }

  private static List<JsonNode> documents(String yaml) {
    try (MappingIterator<JsonNode> documents =
        new YAMLMapper().readerFor(JsonNode.class).readValues(yaml)) {
      return documents.readAll();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Creates that queue on the manager, with the check. */
  void managerQueue(String name) {
    queue(
        api(),
        name,
        ",\"admissionChecksStrategy\":{\"admissionChecks\":[{\"name\":\"multikueue\"}]}");
  }

  /** Creates that queue on a worker. */
  void workerQueue(String worker, String name) {
    queue(api(worker), name, "");
  }

  private static void queue(ApiClient api, String name, String more) {
    Kueue.create(api, RESOURCE_FLAVOR, name, "{}").orThrow();
    String spec = Kueue.clusterQueue(name, 10);
    Kueue.create(api, CLUSTER_QUEUE, name, spec.substring(0, spec.length() - 1) + more + "}")
        .orThrow();
    Kueue.create(api, LOCAL_QUEUE, NAMESPACE, name, Kueue.localQueue(name)).orThrow();
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
    api()
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
    return ofJob(api().get(workloads()).orThrow().json().path("items"), job);
  }

  private static Optional<JsonNode> ofJob(JsonNode workloads, String job) {
    for (JsonNode it : workloads) {
      if (it.at("/metadata/ownerReferences/0/name").asText().equals(job)) {
        return Optional.of(it);
      }
    }
    return Optional.empty();
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
    if (!Poll.until(AMPLE, PAUSE, () -> holds(condition))) {
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
