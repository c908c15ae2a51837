package dev.sluice.bench.dispatch;

import static dev.sluice.bench.dispatch.DispatchObjects.API;
import static dev.sluice.bench.dispatch.DispatchObjects.HOME;
import static dev.sluice.bench.dispatch.DispatchObjects.NAMESPACES;
import static dev.sluice.bench.dispatch.DispatchObjects.SECRETS;
import static dev.sluice.bench.dispatch.JobLives.SENT;

import dev.sluice.bench.flow.FlowCluster;
import dev.sluice.bench.flow.SchedulerProcess;
import dev.sluice.controlplane.ApiClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A manager and its workers, each with an API server and a scheduler of its own. */
public final class FleetClusters implements AutoCloseable {
  /** The queue of the manager whose Jobs stay on it. */
  static final String ALONE = "alone";

  private final Deque<AutoCloseable> open = new ArrayDeque<>();
  private final Map<String, FlowCluster> workers = new LinkedHashMap<>();
  private final FlowCluster manager;
  private final Duration bound;
  private @Nullable SchedulerProcess scheduler;

  private FleetClusters(Duration bound) {
    this.bound = bound;
    manager = opened(FlowCluster.bare());
  }

  /**
   * Starts all clusters, with the queues that Jobs need, and their schedulers.
   *
   * @param program the launcher of the schedulers
   * @param workers how many
   * @param jobs for how many a queue has room
   * @param bound after which a wait for one of them is given up
   * @param logs a folder for what the schedulers say
   * @throws IOException if a process does not start
   */
  public static FleetClusters start(
      String program, int workers, int jobs, Duration bound, Path logs) throws IOException {
    FleetClusters fleet = new FleetClusters(bound);
    try {
      for (int i = 1; i <= workers; i++) {
        fleet.workers.put("worker-" + i, fleet.opened(FlowCluster.bare()));
      }
      fleet.prepare(jobs);
      fleet.schedule(program, logs);
      return fleet;
    } catch (IOException | RuntimeException e) {
      fleet.close();
      throw e;
    }
  }

  private void prepare(int jobs) throws IOException {
    ApiClient here = manager.client();
    here.create(NAMESPACES, DispatchObjects.namespace(HOME)).orThrow();
    here.create(API + "/multikueueconfigs", DispatchObjects.config(workers.keySet())).orThrow();
    here.create(API + "/admissionchecks", DispatchObjects.check()).orThrow();
    queue(here, ALONE, jobs, false);
    queue(here, SENT, jobs, true);
    for (Map.Entry<String, FlowCluster> worker : workers.entrySet()) {
      queue(worker.getValue().client(), SENT, jobs, false);
      connect(worker.getKey(), Files.readString(worker.getValue().kubeconfig()));
    }
  }

  private static void queue(ApiClient client, String name, int jobs, boolean isSending) {
    client.create(
        API + "/resourceflavors", DispatchObjects.flavor()); // the second time it is there
    client
        .create(API + "/clusterqueues", DispatchObjects.clusterQueue(name, jobs, isSending))
        .orThrow();
    client.mergePatch(API + "/clusterqueues/" + name, DispatchObjects.released()).orThrow();
    client.create(DispatchObjects.LOCAL_QUEUES, DispatchObjects.localQueue(name)).orThrow();
  }

  private void connect(String name, String kubeconfig) {
    manager.client().create(SECRETS, DispatchObjects.secret(name, kubeconfig)).orThrow();
    manager.client().create(API + "/multikueueclusters", DispatchObjects.cluster(name)).orThrow();
  }

  private void schedule(String program, Path logs) throws IOException {
    Path configuration =
        Files.writeString(
            logs.resolve("configuration.yaml"),
            """
            apiVersion: config.kueue.x-k8s.io/v1beta2
            kind: Configuration
            namespace: kueue-system
            """);
    scheduler = schedule("manager", manager, program, configuration, logs);
    for (Map.Entry<String, FlowCluster> worker : workers.entrySet()) {
      var _ = schedule(worker.getKey(), worker.getValue(), program, configuration, logs);
    }
  }

  private SchedulerProcess schedule(
      String name, FlowCluster cluster, String program, Path configuration, Path logs)
      throws IOException {
    return opened(
        SchedulerProcess.start(
            program,
            List.of("--config=" + configuration),
            "",
            cluster.kubeconfig(),
            logs.resolve(name + ".log")));
  }

  private <T extends AutoCloseable> T opened(T part) {
    open.push(part);
    return part;
  }

  FlowCluster manager() {
    return manager;
  }

  /** The scheduler of the manager. */
  SchedulerProcess scheduler() {
    return Objects.requireNonNull(scheduler);
  }

  List<FlowCluster> workers() {
    return List.copyOf(workers.values());
  }

  /** Waits until Jobs can be sent. */
  void awaitCheck() {
    manager
        .client()
        .await(
            API + "/admissionchecks/multikueue", bound, it -> ApiClient.hasCondition(it, "Active"));
  }

  /**
   * Adds a worker without a scheduler, which thus admits nothing. It is connected, but no Job is
   * sent to it before {@link #use}. The caller closes the cluster.
   *
   * @param kubeconfig the way to it
   */
  void addIdle(String name, FlowCluster cluster, String kubeconfig) {
    queue(cluster.client(), SENT, 1, false);
    connect(name, kubeconfig);
  }

  /** Sends Jobs to the workers, and to these, from now on. */
  void use(Collection<String> more) {
    Set<String> names = new LinkedHashSet<>(workers.keySet());
    names.addAll(more);
    manager
        .client()
        .mergePatch(API + "/multikueueconfigs/workers", DispatchObjects.config(names))
        .orThrow();
  }

  /** Waits until a worker is connected. */
  void awaitConnected(String name) {
    manager
        .client()
        .await(
            API + "/multikueueclusters/" + name, bound, it -> ApiClient.hasCondition(it, "Active"));
  }

  @Override
  public void close() throws IOException {
    while (!open.isEmpty()) {
      try {
        open.pop().close();
      } catch (IOException e) {
        throw e;
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
