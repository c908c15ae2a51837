package dev.sluice.multicluster.link;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.GroupKind;
import dev.sluice.api.meta.ObjectChange;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.vocabulary.Controllers;
import dev.sluice.api.vocabulary.EventReasons;
import dev.sluice.api.write.ObjectRef;
import dev.sluice.api.write.Write;
import dev.sluice.scheduler.ControllerPorts;
import dev.sluice.scheduler.work.Controller;
import dev.sluice.scheduler.work.WorkQueue;
import dev.sluice.scheduler.work.WorkQueue.Result;
import dev.sluice.scheduler.write.WriteResult;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets a MultiKueueCluster be deleted while MultiKueue is off: nobody drains its worker then, and
 * our finalizer would keep it for ever.
 */
public final class ReleaseController implements Controller {
  private static final Logger LOG = LoggerFactory.getLogger(ReleaseController.class);
  private static final GroupKind CLUSTER = ApiKind.MULTI_KUEUE_CLUSTER.groupKind();
  private static final String LEFT =
      "MultiKueue is off, so the worker was not drained: delete there what has the label"
          + " kueue.x-k8s.io/multikueue-origin";

  private final ControllerPorts ports;
  private final WorkQueue<String> queue;

  /** Starts to work. */
  public ReleaseController(ControllerPorts ports) {
    this.ports = ports;
    this.queue = new WorkQueue<>("multikueue-release", 1, this::look, ports.supervisor());
  }

  @Override
  public void changed(GroupKind kind, ObjectChange change) {
    if (kind.equals(CLUSTER)) {
      queue.add(ObjectKey.of(change.latest()).name());
    }
  }

  @Override
  public void resync() {
    ports.objects().all(CLUSTER).forEach(it -> queue.add(ObjectKey.of(it).name()));
  }

  private Result look(String name) {
    Optional<JsonNode> cluster =
        ports
            .objects()
            .find(CLUSTER, "", name)
            .filter(it -> it.path("metadata").has("deletionTimestamp"))
            .filter(CleanupFinalizer::isOn);
    if (cluster.isEmpty() || !ports.leads().getAsBoolean()) {
      return Result.REST; // it is looked at again when this replica leads
    }
    return switch (ports.outbox().send(CleanupFinalizer.write(cluster.get(), false))) {
      case WriteResult.Done _ -> {
        tell(cluster.get());
        yield Result.REST;
      }
      case WriteResult.Missing _, WriteResult.NotLeading _ -> Result.REST;
      case WriteResult.Refused _, WriteResult.Conflict _, WriteResult.Unanswered _ -> Result.FAILED;
    };
  }

  private void tell(JsonNode cluster) {
    ObjectRef ref = ObjectRef.of(ApiKind.MULTI_KUEUE_CLUSTER.hub(), cluster);
    LOG.warn("MultiKueueCluster {}: {}", ref.name(), LEFT);
    ports
        .outbox()
        .send(
            new Write.Event(
                ref,
                Controllers.MULTI_KUEUE,
                "Warning",
                EventReasons.OBJECTS_LEFT_ON_WORKER,
                LEFT));
  }

  @Override
  public void close() {
    queue.close();
  }
}
