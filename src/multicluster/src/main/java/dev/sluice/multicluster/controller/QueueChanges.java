package dev.sluice.multicluster.controller;

import dev.sluice.api.ApiKind;
import dev.sluice.api.GroupKind;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.scheduler.ControllerPorts;
import dev.sluice.scheduler.work.WorkQueue;
import dev.sluice.scheduler.work.WorkQueue.Result;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Plans Workloads again after a queue or a namespace of a worker has changed: those that wait for a
 * cluster. Many changes of one worker are handled together. Thread-safe.
 */
final class QueueChanges implements AutoCloseable {
  private static final GroupKind WORKLOAD = ApiKind.WORKLOAD.groupKind();

  private final ControllerPorts ports;
  private final WorkerRequestQueues requestQueues;
  private final Consumer<ObjectKey> planned;
  private final Map<String, Set<String>> namespaces = new ConcurrentHashMap<>();
  private final WorkQueue<String> queue;

  /**
   * Starts to work.
   *
   * @param planned receives each Workload to plan again; must not block
   */
  QueueChanges(
      ControllerPorts ports, WorkerRequestQueues requestQueues, Consumer<ObjectKey> planned) {
    this.ports = ports;
    this.requestQueues = requestQueues;
    this.planned = planned;
    this.queue = new WorkQueue<>("multikueue-queues", 1, this::look, ports.supervisor());
  }

  /** Something changed in that namespace of that worker. */
  void add(String cluster, String namespace) {
    namespaces.compute(
        cluster,
        (_, known) -> {
          Set<String> changed = known == null ? ConcurrentHashMap.newKeySet() : known;
          changed.add(namespace);
          return changed;
        });
    queue.add(cluster);
  }

  private Result look(String cluster) {
    Set<String> changed = namespaces.remove(cluster);
    if (changed == null || !ports.leads().getAsBoolean()) {
      return Result.REST; // all is looked at when this replica leads
    }
    requestQueues.find(cluster).ifPresent(it -> it.retryIn(changed));
    ports.objects().all(WORKLOAD).stream()
        .filter(it -> changed.contains(it.path("metadata").path("namespace").asText()))
        .filter(it -> it.path("status").path("clusterName").asText("").isEmpty())
        .forEach(it -> planned.accept(ObjectKey.of(it)));
    return Result.REST;
  }

  @Override
  public void close() {
    queue.close();
  }
}
