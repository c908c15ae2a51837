package dev.sluice.multicluster.link;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.GroupKind;
import dev.sluice.api.check.AdmissionCheck;
import dev.sluice.api.check.AdmissionCheckStatus;
import dev.sluice.api.check.MultiKueueCluster;
import dev.sluice.api.check.MultiKueueConfig;
import dev.sluice.api.meta.ObjectChange;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.read.HubObjects;
import dev.sluice.api.read.MalformedObjectException;
import dev.sluice.api.vocabulary.Controllers;
import dev.sluice.api.write.ObjectRef;
import dev.sluice.api.write.StatusWrite;
import dev.sluice.api.write.Write;
import dev.sluice.scheduler.ControllerPorts;
import dev.sluice.scheduler.work.Controller;
import dev.sluice.scheduler.work.WorkQueue;
import dev.sluice.scheduler.work.WorkQueue.Result;
import dev.sluice.scheduler.write.WriteResult;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * Writes the condition Active of each AdmissionCheck of MultiKueue, from its MultiKueueConfig and
 * the conditions of the clusters that it names.
 */
public final class ClusterCheckController implements Controller {
  private static final GroupKind CHECK = ApiKind.ADMISSION_CHECK.groupKind();
  private static final GroupKind CONFIG = ApiKind.MULTI_KUEUE_CONFIG.groupKind();
  private static final GroupKind CLUSTER = ApiKind.MULTI_KUEUE_CLUSTER.groupKind();

  private final ControllerPorts ports;
  private final WorkQueue<String> queue;

  /** Starts to work. */
  public ClusterCheckController(ControllerPorts ports) {
    this.ports = ports;
    this.queue = new WorkQueue<>("multikueue-checks", 1, this::look, ports.supervisor());
  }

  @Override
  public void changed(GroupKind kind, ObjectChange change) {
    if (kind.equals(CHECK)) {
      queue.add(ObjectKey.of(change.latest()).name());
    } else if (kind.equals(CONFIG) || kind.equals(CLUSTER)) {
      resync(); // there are few checks, and a look that changes nothing writes nothing
    }
  }

  @Override
  public void resync() {
    ports.objects().all(CHECK).forEach(it -> queue.add(ObjectKey.of(it).name()));
  }

  private Result look(String name) {
    Optional<AdmissionCheck> check =
        find(CHECK, AdmissionCheck.class, name).filter(ClusterCheckActivity::isOurs);
    if (!ports.leads().getAsBoolean() || check.isEmpty()) {
      return Result.REST; // a change of the check, or leading, has it looked at again
    }
    return update(check.get())
        .map(ports.outbox()::send)
        .filter(sent -> !sent.isDone() && !(sent instanceof WriteResult.Missing))
        .map(_ -> Result.FAILED)
        .orElse(Result.REST);
  }

  private Optional<Write> update(AdmissionCheck check) {
    ClusterCheckActivity activity =
        ClusterCheckActivity.of(
            check,
            config -> find(CONFIG, MultiKueueConfig.class, config),
            cluster -> find(CLUSTER, MultiKueueCluster.class, cluster));
    var metadata = check.metadata();
    return StatusWrite.between(
        new ObjectRef(ApiKind.ADMISSION_CHECK.hub(), "", metadata.name(), metadata.uid()),
        metadata.resourceVersion(),
        check.status(),
        new AdmissionCheckStatus(
            activity.in(check, ports.clock().instant().truncatedTo(ChronoUnit.SECONDS))),
        Controllers.MULTI_KUEUE);
  }

  private <T> Optional<T> find(GroupKind kind, Class<T> type, String name) {
    Optional<JsonNode> tree = ports.objects().find(kind, "", name);
    try {
      return tree.map(it -> HubObjects.read(type, it));
    } catch (MalformedObjectException _) {
      return Optional.empty(); // the API server's schema lets none pass
    }
  }

  @Override
  public void close() {
    queue.close();
  }
}
