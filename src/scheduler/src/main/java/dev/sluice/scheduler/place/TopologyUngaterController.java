package dev.sluice.scheduler.place;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.GroupKind;
import dev.sluice.api.meta.ObjectChange;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.read.MalformedObjectException;
import dev.sluice.api.write.Write;
import dev.sluice.jobs.reconcile.SliceOrder;
import dev.sluice.lifecycle.place.AffectedWorkloads;
import dev.sluice.lifecycle.place.SliceUngater;
import dev.sluice.lifecycle.place.Ungater;
import dev.sluice.lifecycle.place.WorkloadPods;
import dev.sluice.scheduler.store.Objects;
import dev.sluice.scheduler.store.Outbox;
import dev.sluice.scheduler.work.Controller;
import dev.sluice.scheduler.work.WorkQueue;
import dev.sluice.scheduler.work.WorkQueue.Result;
import dev.sluice.scheduler.work.WriteBudget;
import dev.sluice.scheduler.write.WriteResult;
import dev.sluice.supervision.Supervisor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Assigns the pods of workloads to their places, and ungates the pods of elastic jobs that have
 * quota. The pods of one workload are written one after the other, from the last seen or written
 * state, so that no slot is assigned twice. The plan ends when the workload has changed since it
 * was made.
 */
public final class TopologyUngaterController implements Controller {
  private static final Logger LOG = LoggerFactory.getLogger(TopologyUngaterController.class);
  private static final GroupKind WORKLOAD = ApiKind.WORKLOAD.groupKind();

  private final Objects objects;
  private final Outbox outbox;
  private final BooleanSupplier leads;
  private final WorkQueue<ObjectKey> queue;
  private final WorkloadPods pods;
  private final AffectedWorkloads affected = new AffectedWorkloads();

  /**
   * Starts the workers.
   *
   * @param pods has recorded each change before this controller receives it
   * @param workers the number of workloads reconciled in parallel
   */
  public TopologyUngaterController(
      Objects objects,
      WorkloadPods pods,
      Outbox outbox,
      BooleanSupplier leads,
      int workers,
      Supervisor supervisor) {
    this.objects = objects;
    this.pods = pods;
    this.outbox = outbox;
    this.leads = leads;
    this.queue = new WorkQueue<>("topology-ungater", workers, this::reconcile, supervisor);
  }

  @Override
  public void changed(GroupKind kind, ObjectChange change) {
    affected.by(kind, change).forEach(queue::add);
  }

  @Override
  public void resync() {
    objects.all(WORKLOAD).stream()
        .filter(AffectedWorkloads::hasPods)
        .forEach(it -> queue.add(ObjectKey.of(it)));
  }

  private Result reconcile(ObjectKey key) {
    Optional<JsonNode> workload = objects.find(WORKLOAD, key.namespace(), key.name());
    if (!leads.getAsBoolean() || workload.filter(AffectedWorkloads::hasPods).isEmpty()) {
      return Result.REST;
    }
    Result result = Result.REST;
    var budget = new WriteBudget();
    for (Write write : plan(key, workload.get())) {
      if (!budget.take()) {
        return new Result.Again(Duration.ZERO); // the rest is planned anew
      }
      WriteResult sent = outbox.sendWhile(workload.get(), write);
      if (!sent.isDone()) {
        LOG.debug("Workload {}: {} ended as {}", key, write, sent);
        String planned = workload.get().path("metadata").path("resourceVersion").asText();
        if (!objects.isAt(planned, WORKLOAD, key)) {
          return new Result.Again(Duration.ZERO);
        }
        result = Result.FAILED;
      }
      if (sent instanceof WriteResult.Unanswered || sent instanceof WriteResult.NotLeading) {
        break; // the next write would fail in the same way; a refusal concerns one pod only
      }
    }
    return result;
  }

  private List<Write> plan(ObjectKey key, JsonNode workload) {
    try {
      String origin = SliceOrder.origin(workload);
      if (!origin.isEmpty()) {
        List<Write> slices = planSlice(key, origin);
        if (!slices.isEmpty()) {
          return slices;
        }
      }
      return AffectedWorkloads.placesPods(workload)
          ? Ungater.plan(objects.workload(workload), pods.placedBy(key, origin))
          : List.of();
    } catch (MalformedObjectException e) {
      LOG.warn(
          "Workload {} cannot be read, and its gated pods stay gated until it changes: {}",
          key,
          e.getMessage());
      return List.of();
    }
  }

  /** Pods go by what the newest of the workloads has that took over from each other. */
  private List<Write> planSlice(ObjectKey key, String origin) {
    ObjectKey first = new ObjectKey(key.namespace(), origin);
    List<JsonNode> chain = new ArrayList<>();
    for (ObjectKey slice : affected.chain(first)) {
      objects.find(WORKLOAD, slice.namespace(), slice.name()).ifPresent(chain::add);
    }
    return SliceOrder.newestAdmitted(chain)
        .filter(it -> ObjectKey.of(it).equals(key))
        .map(it -> SliceUngater.plan(objects.workload(it), pods.ofSlice(first)))
        .orElse(List.of());
  }

  @Override
  public void close() {
    queue.close();
  }
}
