package dev.sluice.bench.dispatch;

import static dev.sluice.bench.dispatch.DispatchObjects.API;
import static dev.sluice.bench.dispatch.DispatchObjects.HOME;
import static dev.sluice.bench.dispatch.DispatchObjects.JOBS;
import static dev.sluice.bench.dispatch.DispatchObjects.LOCAL_QUEUES;
import static dev.sluice.bench.dispatch.DispatchObjects.NAMESPACES;
import static dev.sluice.bench.dispatch.DispatchObjects.SECRETS;
import static dev.sluice.bench.dispatch.DispatchObjects.WORKER;
import static dev.sluice.bench.dispatch.DispatchObjects.WORKLOADS;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.bench.flow.FlowCluster;
import dev.sluice.bench.flow.MetricsText;
import dev.sluice.bench.flow.ObjectWatch;
import dev.sluice.bench.flow.SchedulerProcess;
import dev.sluice.bench.flow.Together;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.controlplane.Poll;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;

/**
 * Lets Jobs wait in a queue that is on hold, and then lets the queue go: first in a queue whose
 * Jobs run on the cluster itself, then in one whose Workloads are nominated and created on a
 * worker. Before the latter, as many creates of such copies are measured on the same worker, by a
 * client that has nothing else to do.
 */
public final class DispatchRun {
  private static final Duration PAUSE = Duration.ofMillis(20);
  private static final String ALONE = "alone";
  private static final String SENT = "jobs";

  private final FlowCluster manager;
  private final FlowCluster worker;
  private final int jobs;
  private final Duration bound;

  /**
   * What was measured.
   *
   * @param jobs how many were admitted by one cluster, and then how many were dispatched
   * @param alone admissions a second of one cluster by itself
   * @param creates a second, by a plain client on the worker
   * @param dispatches a second, from the first copy to the last
   * @param here requests to the manager while it dispatched, by verb and resource
   * @param there the same to the worker
   * @param heapBytes by how much the manager's heap grew while it dispatched
   */
  public record Result(
      int jobs,
      double alone,
      double creates,
      double dispatches,
      Map<String, Long> here,
      Map<String, Long> there,
      long heapBytes) {
    public Result {
      here = Map.copyOf(here);
      there = Map.copyOf(there);
    }

    /** Dispatches for each admission of one cluster. */
    public double ofAlone() {
      return dispatches / alone;
    }

    /** Dispatches for each plain create. */
    public double ratio() {
      return dispatches / creates;
    }
  }

  /**
   * A run that was not begun.
   *
   * @param bound after which it is given up, for each step
   */
  public DispatchRun(FlowCluster manager, FlowCluster worker, int jobs, Duration bound) {
    this.manager = manager;
    this.worker = worker;
    this.jobs = jobs;
    this.bound = bound;
  }

  /** Makes what Jobs need on the manager; its scheduler starts after that. */
  public void prepare() {
    ApiClient here = manager.client();
    here.create(NAMESPACES, DispatchObjects.namespace(HOME)).orThrow();
    here.create(API + "/resourceflavors", DispatchObjects.flavor()).orThrow();
    here.create(API + "/multikueueconfigs", DispatchObjects.config(Set.of(WORKER))).orThrow();
    here.create(API + "/admissionchecks", DispatchObjects.check()).orThrow();
    for (String queue : List.of(ALONE, SENT)) {
      here.create(
              API + "/clusterqueues", DispatchObjects.clusterQueue(queue, jobs, queue.equals(SENT)))
          .orThrow();
      here.create(LOCAL_QUEUES, DispatchObjects.localQueue(queue)).orThrow();
    }
    prepareWorker();
  }

  /** The queues of a worker that is ready, so that nobody is told that one of them is missing. */
  private void prepareWorker() {
    ApiClient there = worker.client();
    there.create(API + "/clusterqueues", DispatchObjects.clusterQueue(SENT, jobs, false)).orThrow();
    there.create(LOCAL_QUEUES, DispatchObjects.localQueue(SENT)).orThrow();
    for (String queue : List.of(API + "/clusterqueues/" + SENT, LOCAL_QUEUES + "/" + SENT)) {
      there.mergePatch(queue + "/status", DispatchObjects.active()).orThrow();
    }
  }

  /**
   * Measures.
   *
   * @param scheduler of the manager
   * @throws IOException if a step takes longer than the bound
   */
  public Result play(SchedulerProcess scheduler) throws IOException {
    double alone = alone();
    connect();
    create(SENT);
    await("Workloads on the manager", () -> count(manager.client()) == 2 * jobs);
    double creates = bare(copies());
    long heap = scheduler.liveHeap();
    Map<String, Long> here = RequestCounts.of(manager);
    Map<String, Long> there = RequestCounts.of(worker);
    release(SENT);
    await("copies on the worker", () -> count(worker.client()) > 0);
    int begun = count(worker.client());
    long began = System.nanoTime();
    await("all copies on the worker", () -> count(worker.client()) >= jobs);
    double dispatches = (jobs - begun) / ((System.nanoTime() - began) / 1e9);
    return new Result(
        jobs,
        alone,
        creates,
        dispatches,
        MetricsText.growth(here, RequestCounts.of(manager)),
        MetricsText.growth(there, RequestCounts.of(worker)),
        scheduler.liveHeap() - heap);
  }

  private void create(String queue) throws IOException {
    Together.call(
        jobs,
        i ->
            manager
                .client()
                .create(JOBS, DispatchObjects.job(queue, i, queue.equals(SENT)))
                .orThrow());
  }

  /** Admissions a second of the manager by itself, from the first that is stored to the last. */
  private double alone() throws IOException {
    create(ALONE);
    await("Workloads on the manager", () -> count(manager.client()) == jobs);
    Map<String, Long> admitted = new ConcurrentHashMap<>();
    Queue<String> failures = new ConcurrentLinkedQueue<>();
    try (ObjectWatch watch =
        new ObjectWatch(
            manager.client(),
            WORKLOADS,
            it -> {
              if (ApiClient.hasCondition(it, "Admitted")) {
                admitted.putIfAbsent(it.at("/metadata/name").asText(), System.nanoTime());
              }
            },
            failures::add)) {
      watch.start();
      release(ALONE);
      await("admissions", () -> admitted.size() >= jobs || !failures.isEmpty());
    }
    if (!failures.isEmpty()) {
      throw new IOException(failures.peek());
    }
    long first = Collections.min(admitted.values());
    return (jobs - 1) / ((Collections.max(admitted.values()) - first) / 1e9);
  }

  private void connect() throws IOException {
    ApiClient here = manager.client();
    here.create(SECRETS, DispatchObjects.secret(WORKER, Files.readString(worker.kubeconfig())))
        .orThrow();
    here.create(API + "/multikueueclusters", DispatchObjects.cluster(WORKER)).orThrow();
    here.await(
        API + "/admissionchecks/multikueue", bound, it -> ApiClient.hasCondition(it, "Active"));
  }

  /** The queue is on hold until now. */
  private void release(String queue) {
    manager
        .client()
        .mergePatch(API + "/clusterqueues/" + queue, DispatchObjects.released())
        .orThrow();
  }

  /** What a manager would create there, less its marks. */
  private List<String> copies() {
    List<String> copies = new ArrayList<>();
    for (JsonNode workload : manager.client().get(WORKLOADS).orThrow().json().path("items")) {
      if (!workload.at("/spec/queueName").asText().equals(SENT)) {
        continue;
      }
      ObjectNode copy = workload.deepCopy();
      copy.remove("status");
      copy.withObjectProperty("metadata").retain("name", "namespace", "labels", "annotations");
      copy.put("apiVersion", "kueue.x-k8s.io/v1beta2").put("kind", "Workload");
      copies.add(copy.toString());
    }
    return copies;
  }

  /** Creates a second. What was created goes again. */
  private double bare(List<String> copies) throws IOException {
    ApiClient there = worker.client();
    int warm = Math.min(copies.size(), 200);
    Together.call(warm, i -> there.create(WORKLOADS, copies.get(i)).orThrow());
    empty();
    long began = System.nanoTime();
    Together.call(copies.size(), i -> there.create(WORKLOADS, copies.get(i)).orThrow());
    double seconds = (System.nanoTime() - began) / 1e9;
    empty();
    return copies.size() / seconds;
  }

  private void empty() throws IOException {
    worker.client().delete(WORKLOADS).orThrow();
    await("no Workload on the worker", () -> count(worker.client()) == 0);
  }

  private static int count(ApiClient client) {
    JsonNode list = client.get(WORKLOADS + "?limit=1").orThrow().json();
    return list.path("items").size() + list.at("/metadata/remainingItemCount").asInt();
  }

  private void await(String what, BooleanSupplier condition) throws IOException {
    if (!Poll.until(bound, PAUSE, condition)) {
      throw new IOException("%s: not within %d s".formatted(what, bound.toSeconds()));
    }
  }
}
