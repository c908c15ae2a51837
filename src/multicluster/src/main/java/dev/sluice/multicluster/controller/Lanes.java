package dev.sluice.multicluster.controller;

import dev.sluice.multicluster.link.Workers;
import dev.sluice.scheduler.ControllerPorts;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The lanes of all workers that were ever written to. Thread-safe. */
final class Lanes implements AutoCloseable {
  private final ControllerPorts ports;
  private final Workers workers;
  private final WorkerMetrics metrics;
  private final Map<String, Lane> lanes = new ConcurrentHashMap<>();

  Lanes(ControllerPorts ports, Workers workers, WorkerMetrics metrics) {
    this.metrics = metrics;
    this.ports = ports;
    this.workers = workers;
  }

  /** The lane of that worker. */
  Lane of(String cluster) {
    return lanes.computeIfAbsent(
        cluster,
        name ->
            new Lane(
                name,
                workers,
                ports.leads(),
                outcome -> metrics.requested(name, outcome),
                System::nanoTime,
                ports.supervisor()));
  }

  /** The lane of that worker, if it was ever written to. */
  Optional<Lane> find(String cluster) {
    return Optional.ofNullable(lanes.get(cluster));
  }

  @Override
  public void close() {
    lanes.values().forEach(Lane::close);
  }
}
