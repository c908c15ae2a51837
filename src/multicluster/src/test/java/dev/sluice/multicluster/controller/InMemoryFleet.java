package dev.sluice.multicluster.controller;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.configuration.Configuration;
import dev.sluice.api.configuration.Extensions;
import dev.sluice.api.meta.Conditions;
import dev.sluice.certs.CertificateFolder;
import dev.sluice.certs.Lifetimes;
import dev.sluice.cluster.view.WatchedKind;
import dev.sluice.multicluster.MultiKueue;
import dev.sluice.multicluster.apiserver.MemoryApiServer;
import dev.sluice.multicluster.apiserver.MemoryObjects;
import dev.sluice.multicluster.link.LinkTimes;
import dev.sluice.scheduler.work.Controller;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A manager with all controllers of MultiKueue, and workers on loopback over TLS that answer as
 * they like. All objects are in memory; no scheduler works anywhere.
 */
final class InMemoryFleet implements AutoCloseable {
  static final Duration AMPLE = Duration.ofSeconds(60);
  static final String SECRETS = "/api/v1/namespaces/home/secrets";
  static final String CHECKS = "/apis/kueue.x-k8s.io/v1beta2/admissionchecks";
  static final String ALL_JOBS = "/apis/batch/v1/jobs";
  static final String LISTS = "GET /apis/kueue.x-k8s.io/v1beta2/workloads?limit";
  private static final LinkTimes TIMES =
      new LinkTimes(
          Duration.ofSeconds(10),
          Duration.ofSeconds(2),
          Duration.ofMillis(100),
          Duration.ofMillis(100),
          Duration.ofMillis(500));

  final CertificateFolder certificates;
  private final MemoryApiServer manager = new MemoryApiServer();
  private final Path folder;
  private final Configuration configuration;
  private final List<WatchedKind> kinds;

  /** The process of the manager. */
  Clusters clusters;

  private List<Controller> controllers;

  /** Ends the processes that led before, which have not ended yet. */
  private final List<Runnable> former = new ArrayList<>();

  private final List<WatchedKind> served = new ArrayList<>();
  private final Map<String, MemoryApiServer> workers = new LinkedHashMap<>();
  private final Map<String, String> tokens = new HashMap<>();

  /** A manager with a check and without workers, whose controllers work. */
  InMemoryFleet(Path folder) {
    this(folder, Configuration.defaults("home"), List.of());
  }

  /**
   * The same with another configuration.
   *
   * @param kinds of jobs that the manager watches beside batch Jobs
   */
  InMemoryFleet(Path folder, Configuration configuration, List<WatchedKind> kinds) {
    this.folder = folder;
    this.configuration = configuration;
    this.kinds = kinds;
    kinds.stream().filter(it -> !it.type().group().isEmpty()).forEach(served::add);
    serve(manager.objects());
    manager
        .objects()
        .put("/api/v1/namespaces", "{'metadata': {'name': 'kube-system', 'uid': 'us'}}");
    clusters = new Clusters(folder, kinds, manager);
    certificates =
        CertificateFolder.open(
            clusters.below("certs"),
            List.of("127.0.0.1", "localhost"),
            Lifetimes.DEFAULT,
            InstantSource.system(),
            new SecureRandom());
    createCheck();
    controllers = work();
  }

  private List<Controller> work() {
    List<Controller> all =
        new MultiKueue(configuration, Extensions.DEFAULT, folder, TIMES).create(clusters.ports);
    clusters.changed = (kind, change) -> all.forEach(it -> it.changed(kind, change));
    all.forEach(Controller::resync);
    return all;
  }

  /** The manager's process ends, and another one begins. */
  void restart() {
    stop();
    clusters = new Clusters(folder, kinds, manager);
    controllers = work();
  }

  /** Another process leads from now on; what this one has sent already may still arrive. */
  void handOver() {
    former.add(ending());
    clusters.leads = false;
    clusters = new Clusters(folder, kinds, manager);
    controllers = work();
  }

  private void stop() {
    ending().run();
    former.forEach(Runnable::run);
    former.clear();
  }

  /** What ends the process of now. */
  private Runnable ending() {
    List<Controller> ended = controllers;
    Clusters process = clusters;
    return () -> {
      ended.forEach(Controller::close);
      process.close();
    };
  }

  private void serve(MemoryObjects cluster) {
    served.forEach(
        it -> cluster.serve(it.type().apiVersion(), it.type().kind(), it.plural().orElseThrow()));
  }

  /** The check, as an operator creates it. */
  void createCheck() {
    manager.objects().put(CHECKS, FleetObjects.check());
  }

  @Override
  public void close() {
    stop();
    manager.close();
    workers.values().forEach(MemoryApiServer::close);
  }

  MemoryApiServer worker(String name) {
    return Optional.ofNullable(workers.get(name)).orElseThrow();
  }

  void start(String... names) {
    for (String name : names) {
      MemoryApiServer server = MemoryApiServer.overTls(certificates);
      serve(server.objects());
      workers.put(name, server);
      identity(name, name + "-uid");
      server.objects().put("/api/v1/namespaces", "{'metadata': {'name': 'ns'}}");
      login(name, "first");
    }
  }

  void identity(String name, String uid) {
    worker(name)
        .objects()
        .put(
            "/api/v1/namespaces",
            "{'metadata': {'name': 'kube-system', 'uid': '%s'}}".formatted(uid));
  }

  /** Stores a kubeconfig with that token; from then on the worker takes no other one. */
  void login(String name, String token) {
    worker(name).demand(token, Optional.ofNullable(tokens.put(name, token)).orElse(token));
    redirect(name, name);
    worker(name).demand(token);
  }

  /** The Secret of that name leads to that worker from now on. */
  void redirect(String secret, String worker) {
    manager.objects().put(SECRETS, FleetObjects.secret(secret, kubeconfig(worker)));
  }

  /** A kubeconfig that the worker takes. */
  String kubeconfig(String worker) {
    return FleetObjects.kubeconfig(
        certificates, worker(worker).port(), tokens.getOrDefault(worker, ""));
  }

  /** Starts workers, and waits until the manager is connected with all of them. */
  void startConnected(String... names) {
    start(names);
    connect(names);
    for (String name : names) {
      awaitActive(name, "Connected");
    }
  }

  /** The clusters of the configuration, each with its MultiKueueCluster. */
  void connect(String... names) {
    for (String name : names) {
      createCluster(name);
    }
    createConfig(names);
  }

  void createCluster(String name) {
    createCluster(name, "Secret", name);
  }

  /** One whose kubeconfig is at that location of that type, Secret or Path. */
  void createCluster(String name, String type, String location) {
    manager
        .objects()
        .put(Clusters.MULTI_KUEUE_CLUSTERS, FleetObjects.cluster(name, type, location));
  }

  void createConfig(String... names) {
    manager.objects().put(Clusters.CONFIGS, FleetObjects.config(names));
  }

  JsonNode active(String cluster) {
    return clusters
        .cluster(cluster)
        .flatMap(it -> Conditions.find(it, "Active"))
        .orElseGet(MissingNode::getInstance);
  }

  void awaitActive(String cluster, String message) {
    await()
        .atMost(AMPLE)
        .until(
            () ->
                Conditions.isTrue(active(cluster))
                    && active(cluster).path("message").asText().startsWith(message));
  }

  /** A Job of the manager with quota, whose check waits. */
  void job(String name) {
    job("ns", name);
  }

  /** The same in any namespace. */
  void job(String namespace, String name) {
    manager
        .objects()
        .put("/apis/batch/v1/namespaces/" + namespace + "/jobs", FleetObjects.job(namespace, name));
    workload(namespace, name, FleetObjects.owner(namespace, name), "");
  }

  /** The Workload of a job of any kind, with these owner references and annotations. */
  void workload(String name, String owners, String annotations) {
    workload("ns", name, owners, annotations);
  }

  private void workload(String namespace, String name, String owners, String annotations) {
    manager
        .objects()
        .put(
            "/apis/kueue.x-k8s.io/v1beta2/namespaces/" + namespace + "/workloads",
            FleetObjects.workload(namespace, name, owners, annotations));
  }

  JsonNode workload(String name) {
    return clusters.manager.objects().find(Clusters.WORKLOADS + "/" + name).orElseThrow();
  }

  String checkMessage(String name) {
    return workload(name).at("/status/admissionChecks/0/message").asText();
  }

  boolean has(String worker, String path) {
    return worker(worker).objects().find(path).isPresent();
  }

  void awaitCopy(String worker, String name) {
    await().atMost(AMPLE).until(() -> has(worker, Clusters.WORKLOADS + "/" + name));
  }

  /** What the scheduler of a worker does. */
  void admit(String worker, String name) {
    worker(worker)
        .objects()
        .edit(
            Clusters.WORKLOADS + "/" + name,
            it -> {
              ArrayNode conditions = it.withObjectProperty("status").putArray("conditions");
              for (String type : List.of("QuotaReserved", "Admitted")) {
                ObjectNode condition = conditions.addObject();
                condition.put("type", type).put("status", "True").put("reason", type);
                condition.put("message", "").put("lastTransitionTime", "2026-11-24T09:00:00Z");
              }
            });
  }

  void runs(String worker, String name) {
    await()
        .atMost(AMPLE)
        .until(
            () ->
                workload(name).at("/status/clusterName").asText("").equals(worker)
                    && has(worker, Clusters.JOBS + "/" + name));
  }

  /** What the scheduler of the manager does at the end of a job. */
  void finish(String name) {
    clusters
        .manager
        .objects()
        .edit(
            Clusters.WORKLOADS + "/" + name,
            it ->
                it.withObjectProperty("status")
                    .withArrayProperty("conditions")
                    .addObject()
                    .put("type", "Finished")
                    .put("status", "True")
                    .put("reason", "Succeeded")
                    .put("message", "")
                    .put("lastTransitionTime", "2026-11-24T10:00:00Z"));
  }
}
