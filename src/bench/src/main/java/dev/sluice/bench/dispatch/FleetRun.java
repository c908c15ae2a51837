package dev.sluice.bench.dispatch;

import static dev.sluice.bench.dispatch.DispatchObjects.API;
import static dev.sluice.bench.dispatch.DispatchObjects.HOME;
import static dev.sluice.bench.dispatch.DispatchObjects.JOBS;
import static dev.sluice.bench.dispatch.DispatchObjects.NAMESPACES;
import static dev.sluice.bench.dispatch.DispatchObjects.SECRETS;
import static dev.sluice.bench.dispatch.DispatchObjects.WORKLOADS;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.bench.flow.FlowCluster;
import dev.sluice.bench.flow.ObjectWatch;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.controlplane.Poll;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Jobs from their creation to their end, at a steady rate: first on one cluster by itself, then on
 * worker clusters. Nothing runs Pods: this class ends each Job as soon as it is started.
 */
public final class FleetRun {
  private static final Duration PAUSE = Duration.ofMillis(20);
  private static final String ALONE = "alone";
  private static final String SENT = "jobs";

  private final FlowCluster manager;
  private final Map<String, FlowCluster> workers;
  private final int jobs;
  private final double rate;
  private final Duration bound;

  /** The time of each Job from one moment of its life to another, in nanoseconds, sorted. */
  public record Times(List<Long> sorted) {
    public Times {
      sorted = List.copyOf(sorted);
    }

    private static Times between(Map<String, Long> from, Map<String, Long> to) {
      List<Long> times = new ArrayList<>();
      from.forEach(
          (name, began) -> {
            Long ended = to.get(name);
            if (ended != null) {
              times.add(ended - began);
            }
          });
      Collections.sort(times);
      return new Times(times);
    }

    /** The time, in milliseconds, that this part of the Jobs did not exceed. */
    public double millis(double part) {
      int index = (int) Math.ceil(part * sorted.size()) - 1;
      return sorted.get(Math.max(0, index)) / 1e6;
    }
  }

  /**
   * What was measured of one way to run Jobs.
   *
   * @param toStart from the creation of a Job to the moment at which it, or its copy, is started
   * @param toFinished from the end of what ran to the Workload that says Finished
   */
  public record Lives(Times toStart, Times toFinished) {}

  /** The moments of the Jobs of one queue, by name. */
  private static final class Moments {
    final Map<String, Long> created = new ConcurrentHashMap<>();
    final Map<String, Long> started = new ConcurrentHashMap<>();
    final Map<String, Long> ended = new ConcurrentHashMap<>();
    final Map<String, Long> finished = new ConcurrentHashMap<>();

    Lives lives() {
      return new Lives(Times.between(created, started), Times.between(ended, finished));
    }
  }

  /**
   * A run that was not begun.
   *
   * @param workers by name
   * @param rate Jobs to create in a second
   * @param bound after which each half is given up
   */
  public FleetRun(
      FlowCluster manager,
      Map<String, FlowCluster> workers,
      int jobs,
      double rate,
      Duration bound) {
    this.manager = manager;
    this.workers = new LinkedHashMap<>(workers);
    this.jobs = jobs;
    this.rate = rate;
    this.bound = bound;
  }

  /** Makes the queues of all clusters; their schedulers start after that. */
  public void prepare() throws IOException {
    ApiClient here = manager.client();
    here.create(NAMESPACES, DispatchObjects.namespace(HOME)).orThrow();
    here.create(API + "/multikueueconfigs", DispatchObjects.config(workers.keySet())).orThrow();
    here.create(API + "/admissionchecks", DispatchObjects.check()).orThrow();
    queue(here, ALONE, false);
    queue(here, SENT, true);
    for (Map.Entry<String, FlowCluster> worker : workers.entrySet()) {
      queue(worker.getValue().client(), SENT, false);
      String kubeconfig = Files.readString(worker.getValue().kubeconfig());
      here.create(SECRETS, DispatchObjects.secret(worker.getKey(), kubeconfig)).orThrow();
      here.create(API + "/multikueueclusters", DispatchObjects.cluster(worker.getKey())).orThrow();
    }
  }

  private void queue(ApiClient client, String name, boolean isSending) {
    client.create(
        API + "/resourceflavors", DispatchObjects.flavor()); // the second time it is there
    client
        .create(API + "/clusterqueues", DispatchObjects.clusterQueue(name, jobs, isSending))
        .orThrow();
    client.mergePatch(API + "/clusterqueues/" + name, DispatchObjects.released()).orThrow();
    client.create(DispatchObjects.LOCAL_QUEUES, DispatchObjects.localQueue(name)).orThrow();
  }

  /**
   * Measures.
   *
   * @return of one cluster by itself, and of the workers
   * @throws IOException if not all Jobs are finished within the bound
   */
  public List<Lives> play() throws IOException {
    manager
        .client()
        .await(
            API + "/admissionchecks/multikueue", bound, it -> ApiClient.hasCondition(it, "Active"));
    Lives alone = lives(ALONE, List.of(manager));
    return List.of(alone, lives(SENT, List.copyOf(workers.values())));
  }

  private Lives lives(String queue, List<FlowCluster> where) throws IOException {
    Moments moments = new Moments();
    Queue<String> failures = new ConcurrentLinkedQueue<>();
    List<ObjectWatch> watches = new ArrayList<>();
    try (ExecutorService operators = Executors.newVirtualThreadPerTaskExecutor()) {
      for (FlowCluster cluster : where) {
        watches.add(
            new ObjectWatch(
                cluster.client(),
                JOBS,
                it -> operators.execute(() -> operate(cluster.client(), it, moments, failures)),
                failures::add));
      }
      watches.add(
          new ObjectWatch(manager.client(), WORKLOADS, it -> finished(it, moments), failures::add));
      watches.forEach(ObjectWatch::start);
      create(queue, moments);
      await(() -> moments.finished.size() >= jobs || !failures.isEmpty(), moments);
    } finally {
      for (ObjectWatch watch : watches) {
        watch.close();
      }
    }
    if (!failures.isEmpty()) {
      throw new IOException(failures.peek());
    }
    return moments.lives();
  }

  /** What the controller of Jobs would do, once its Pods had succeeded. */
  private static void operate(
      ApiClient client, JsonNode job, Moments moments, Queue<String> failures) {
    String name = job.at("/metadata/name").asText();
    if (job.at("/spec/suspend").asBoolean(true)
        || moments.started.putIfAbsent(name, System.nanoTime()) != null) {
      return;
    }
    ApiClient.Response answer =
        client.mergePatch(JOBS + "/" + name + "/status", DispatchObjects.succeeded());
    moments.ended.put(name, System.nanoTime());
    if (answer.status() != 200) {
      failures.add("the status of Job %s: %s".formatted(name, answer.body()));
    }
  }

  /** A Workload is finished; its name begins as that of its Job. */
  private static void finished(JsonNode workload, Moments moments) {
    if (ApiClient.hasCondition(workload, "Finished")) {
      String[] parts = workload.at("/metadata/name").asText().split("-", -1);
      moments.finished.putIfAbsent(
          String.join("-", Arrays.copyOfRange(parts, 1, parts.length - 1)), System.nanoTime());
    }
  }

  /** One Job after the other, whatever becomes of those before. */
  private void create(String queue, Moments moments) {
    long began = System.nanoTime();
    for (int i = 0; i < jobs; i++) {
      long due = began + (long) (i / rate * TimeUnit.SECONDS.toNanos(1));
      for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
        LockSupport.parkNanos(left);
      }
      moments.created.put(queue + "-" + i, System.nanoTime());
      manager.client().create(JOBS, DispatchObjects.job(queue, i, queue.equals(SENT))).orThrow();
    }
  }

  private void await(BooleanSupplier condition, Moments moments) throws IOException {
    if (!Poll.until(bound, PAUSE, condition)) {
      Map<String, Integer> seen = new HashMap<>();
      seen.put("started", moments.started.size());
      seen.put("finished", moments.finished.size());
      throw new IOException("of %d Jobs %s, within %d s".formatted(jobs, seen, bound.toSeconds()));
    }
  }
}
