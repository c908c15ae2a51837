package dev.sluice.scheduler.place;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.GroupKind;
import dev.sluice.api.read.MalformedObjectException;
import dev.sluice.cluster.view.ObjectChange;
import dev.sluice.quota.world.ObjectKey;
import dev.sluice.scheduler.jobwork.Index;
import dev.sluice.scheduler.store.Kinds;
import dev.sluice.scheduler.store.Objects;
import dev.sluice.scheduler.store.Outbox;
import dev.sluice.scheduler.work.WorkQueue;
import dev.sluice.scheduler.work.WorkQueue.Result;
import dev.sluice.scheduler.write.Sent;
import dev.sluice.scheduler.write.Write;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Places the pods of workloads: for each workload one pod after the other, by what was last seen or
 * written, so that no slot is given away twice; and none any more once the workload is another than
 * the one that was planned for.
 */
public final class PlaceWork implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(PlaceWork.class);
  private static final GroupKind WORKLOAD = ApiKind.WORKLOAD.groupKind();

  private final Objects objects;
  private final Outbox outbox;
  private final BooleanSupplier leads;
  private final WorkQueue<ObjectKey> queue;
  private final WorkloadPods pods;

  /**
   * Starts to work.
   *
   * @param pods has taken note of each change before we are told of it
   * @param workers how many workloads are looked at at a time
   */
  public PlaceWork(
      Objects objects, WorkloadPods pods, Outbox outbox, BooleanSupplier leads, int workers) {
    this.objects = objects;
    this.pods = pods;
    this.outbox = outbox;
    this.leads = leads;
    this.queue = new WorkQueue<>("places", workers, this::look);
  }

  /** Something changed; pods that may have to be placed since are looked at. */
  public void changed(GroupKind kind, ObjectChange change) {
    if (kind.equals(Kinds.POD)) {
      GatedPod pod = new GatedPod(change.latest());
      if (!pod.workload().isEmpty() && !pod.podSet().isEmpty()) {
        queue.add(new ObjectKey(pod.namespace(), pod.workload()));
      }
    } else if (kind.equals(WORKLOAD)) {
      change.after().filter(PlaceWork::placesPods).ifPresent(it -> queue.add(Index.key(it)));
    }
  }

  /** Looks at all workloads, as suits who has just begun to lead. */
  public void all() {
    objects.all(WORKLOAD).stream()
        .filter(PlaceWork::placesPods)
        .forEach(it -> queue.add(Index.key(it)));
  }

  private static boolean placesPods(JsonNode workload) {
    return workload
        .at("/status/admission/podSetAssignments")
        .valueStream()
        .anyMatch(it -> it.has("topologyAssignment"));
  }

  private Result look(ObjectKey key) {
    Optional<JsonNode> workload = objects.find(WORKLOAD, key.namespace(), key.name());
    if (!leads.getAsBoolean() || workload.filter(PlaceWork::placesPods).isEmpty()) {
      return Result.REST;
    }
    for (Write write : plan(key, workload.get())) {
      Sent sent = outbox.sendWhile(workload.get(), write);
      if (!sent.isDone()) {
        LOG.debug("{}: {} ended as {}", key, write, sent);
        String planned = workload.get().path("metadata").path("resourceVersion").asText();
        boolean same = objects.isAt(planned, WORKLOAD, key);
        return same ? Result.FAILED : new Result.Again(Duration.ZERO);
      }
    }
    return Result.REST;
  }

  private List<Write> plan(ObjectKey key, JsonNode workload) {
    try {
      return Ungater.plan(objects.workload(workload), pods.of(key));
    } catch (MalformedObjectException e) {
      LOG.warn("passed over: {}", e.getMessage());
      return List.of();
    }
  }

  @Override
  public void close() {
    queue.close();
  }
}
