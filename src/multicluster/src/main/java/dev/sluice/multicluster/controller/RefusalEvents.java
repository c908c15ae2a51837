package dev.sluice.multicluster.controller;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.vocabulary.Controllers;
import dev.sluice.api.vocabulary.EventReasons;
import dev.sluice.api.write.ObjectRef;
import dev.sluice.api.write.Write;
import dev.sluice.multicluster.protocol.Plan;
import dev.sluice.multicluster.protocol.WorkerState;
import dev.sluice.multicluster.waiting.WaitingReason;
import dev.sluice.scheduler.ControllerPorts;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Tells what a worker refuses for a Workload that does not wait for it, such as a deletion: by an
 * event, once until the worker takes the request. What a Workload waits for is in the message of
 * its check. Thread-safe.
 */
final class RefusalEvents {
  private final ControllerPorts ports;
  private final Map<Place, String> told = new ConcurrentHashMap<>();

  private record Place(ObjectKey workload, String cluster) {}

  RefusalEvents(ControllerPorts ports) {
    this.ports = ports;
  }

  /** A Workload was planned with those states of workers. */
  void planned(JsonNode workload, List<WorkerState> workers, Plan plan) {
    ObjectKey key = ObjectKey.of(workload);
    for (WorkerState worker : workers) {
      Place place = new Place(key, worker.cluster());
      Optional<String> refusal =
          worker
              .refusal()
              .filter(WaitingReason.Refused.class::isInstance)
              .map(WaitingReason::text)
              .filter(it -> !plan.sentence().contains(it));
      if (refusal.isEmpty()) {
        told.remove(place);
      } else if (!refusal.get().equals(told.put(place, refusal.get()))) {
        tell(workload, worker.cluster(), refusal.get());
      }
    }
  }

  private void tell(JsonNode workload, String cluster, String refusal) {
    ports
        .outbox()
        .send(
            new Write.Event(
                ObjectRef.of(ApiKind.WORKLOAD.hub(), workload),
                Controllers.MULTI_KUEUE,
                "Warning",
                EventReasons.MULTI_KUEUE,
                "Worker cluster \"%s\": %s".formatted(cluster, refusal)));
  }

  /** The Workload is gone. */
  void forget(ObjectKey workload) {
    told.keySet().removeIf(it -> it.workload().equals(workload));
  }
}
