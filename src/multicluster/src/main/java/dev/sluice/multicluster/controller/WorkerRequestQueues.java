package dev.sluice.multicluster.controller;

import dev.sluice.api.meta.TypedObjectKey;
import dev.sluice.multicluster.link.Workers;
import dev.sluice.scheduler.ControllerPorts;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The requestQueues of all workers that were ever written to. Thread-safe. */
final class WorkerRequestQueues implements AutoCloseable {
  private final ControllerPorts ports;
  private final Workers workers;
  private final WorkerMetrics metrics;
  private final Map<String, WorkerRequestQueue> requestQueues = new ConcurrentHashMap<>();

  WorkerRequestQueues(ControllerPorts ports, Workers workers, WorkerMetrics metrics) {
    this.metrics = metrics;
    this.ports = ports;
    this.workers = workers;
  }

  /** The queue of that worker. */
  WorkerRequestQueue of(String cluster) {
    return requestQueues.computeIfAbsent(
        cluster,
        name ->
            new WorkerRequestQueue(
                name,
                workers,
                ports.leads(),
                outcome -> metrics.requested(name, outcome),
                System::nanoTime,
                ports.supervisor()));
  }

  /** The queue of that worker, if it was ever written to. */
  Optional<WorkerRequestQueue> find(String cluster) {
    return Optional.ofNullable(requestQueues.get(cluster));
  }

  /** Drops what is known of failures for that object. */
  void forget(TypedObjectKey key) {
    requestQueues.values().forEach(it -> it.forget(key));
  }

  @Override
  public void close() {
    requestQueues.values().forEach(WorkerRequestQueue::close);
  }
}
