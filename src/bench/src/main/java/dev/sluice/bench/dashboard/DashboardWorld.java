package dev.sluice.bench.dashboard;

import dev.sluice.bench.flow.FlowCluster;
import dev.sluice.bench.flow.Together;
import dev.sluice.controlplane.ApiClient;
import java.io.IOException;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** Queues in cohorts, nodes, and Workloads that wait in them, which nobody admits. */
final class DashboardWorld {
  private static final String API = "/apis/kueue.x-k8s.io/v1beta2";
  private static final String NAMESPACE = "default";
  private static final String WORKLOADS = API + "/namespaces/" + NAMESPACE + "/workloads";
  private static final int QUEUES_OF_A_COHORT = 10;

  /** How many are changed at the same time, so that a slow API server is no slower clock. */
  private static final int CHANGERS = 8;

  private final FlowCluster cluster;
  private final int queues;
  private final int waiting;

  DashboardWorld(FlowCluster cluster, int queues, int waiting) {
    this.cluster = cluster;
    this.queues = queues;
    this.waiting = waiting;
  }

  static String queue(int number) {
    return "queue-%04d".formatted(number);
  }

  private static String workload(int number) {
    return "workload-%05d".formatted(number);
  }

  /**
   * Creates all objects.
   *
   * @param nodes how many
   * @throws IOException if the API server refuses one
   */
  void create(int nodes) throws IOException {
    ApiClient client = cluster.client();
    client.create(API + "/topologies", topology()).orThrow();
    client.create(API + "/resourceflavors", flavor()).orThrow();
    Together.call(nodes, i -> client.create("/api/v1/nodes", node(i)).orThrow());
    Together.call(
        queues,
        i -> {
          client.create(API + "/clusterqueues", clusterQueue(i)).orThrow();
          client
              .create(API + "/namespaces/" + NAMESPACE + "/localqueues", localQueue(queue(i)))
              .orThrow();
        });
    Together.call(waiting, i -> client.create(WORKLOADS, workload(i, queue(i % queues))).orThrow());
  }

  private static String kueue(String kind, String name, String spec) {
    return """
    {"apiVersion":"kueue.x-k8s.io/v1beta2","kind":"%s","metadata":{"name":"%s"},"spec":%s}\
    """
        .formatted(kind, name, spec);
  }

  private static String topology() {
    return kueue(
        "Topology",
        "hall",
        "{\"levels\":[{\"nodeLabel\":\"rack\"},{\"nodeLabel\":\"kubernetes.io/hostname\"}]}");
  }

  private static String flavor() {
    return kueue(
        "ResourceFlavor", "default", "{\"nodeLabels\":{\"pool\":\"p\"},\"topologyName\":\"hall\"}");
  }

  private static String node(int number) {
    return """
    {"apiVersion":"v1","kind":"Node","metadata":{"name":"node-%1$05d","labels":{"pool":"p",
    "rack":"rack-%2$03d","kubernetes.io/hostname":"node-%1$05d"}},"status":{"allocatable":{
    "cpu":"64","memory":"512Gi","pods":"110"},"conditions":[{"type":"Ready","status":"True",
    "lastTransitionTime":"2026-01-01T00:00:00Z"}]}}\
    """
        .formatted(number, number / 40);
  }

  private static String clusterQueue(int number) {
    return kueue(
        "ClusterQueue",
        queue(number),
        """
        {"cohortName":"cohort-%03d","namespaceSelector":{},"resourceGroups":[{
        "coveredResources":["cpu"],"flavors":[{"name":"default","resources":[{"name":"cpu",
        "nominalQuota":"100"}]}]}]}\
        """
            .formatted(number / QUEUES_OF_A_COHORT));
  }

  private static String localQueue(String name) {
    return kueue("LocalQueue", name, "{\"clusterQueue\":\"%s\"}".formatted(name));
  }

  private static String workload(int number, String queue) {
    return kueue(
        "Workload",
        workload(number),
        """
        {"queueName":"%s","priority":%d,"podSets":[{"name":"main","count":4,"template":{"spec":{
        "restartPolicy":"Never","containers":[{"name":"c","image":"none","resources":{"requests":{
        "cpu":"1"}}}]}}}]}\
        """
            .formatted(queue, number % 100));
  }

  /** Changes priorities until it is closed. */
  final class Changes implements AutoCloseable {
    private final AtomicLong count = new AtomicLong();
    private final long began = System.nanoTime();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private volatile boolean isOver;

    /**
     * @param rate how many in a second
     */
    Changes(double rate) {
      for (int i = 0; i < CHANGERS; i++) {
        int first = i;
        threads.execute(() -> change(first, rate));
      }
    }

    private void change(int first, double rate) {
      Random random = new Random(first);
      for (long i = first; !isOver; i += CHANGERS) {
        long due = began + (long) (i / rate * TimeUnit.SECONDS.toNanos(1));
        for (long left = due - System.nanoTime();
            left > 0 && !isOver;
            left = due - System.nanoTime()) {
          LockSupport.parkNanos(left);
        }
        if (isOver) {
          return;
        }
        String body = "{\"spec\":{\"priority\":%d}}".formatted(random.nextInt(100));
        String path = WORKLOADS + "/" + workload(random.nextInt(waiting));
        if (cluster.client().mergePatch(path, body).isSuccess()) {
          count.incrementAndGet();
        }
      }
    }

    /** How many in a second there were. */
    double rate() {
      return count.get() / ((System.nanoTime() - began) / 1e9);
    }

    @Override
    public void close() {
      isOver = true;
      threads.close(); // those under way are finished first, while the API server is there
    }
  }
}
