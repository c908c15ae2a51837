package dev.sluice.scheduler.variant;

import dev.sluice.api.ApiKind;
import dev.sluice.api.GroupKind;
import dev.sluice.api.meta.ObjectChange;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.write.Write;
import dev.sluice.lifecycle.variant.Families;
import dev.sluice.lifecycle.variant.VariantPlan;
import dev.sluice.lifecycle.variant.VariantPlanner;
import dev.sluice.scheduler.store.Objects;
import dev.sluice.scheduler.store.Outbox;
import dev.sluice.scheduler.work.Controller;
import dev.sluice.scheduler.work.WorkQueue;
import dev.sluice.scheduler.work.WorkQueue.Result;
import dev.sluice.scheduler.write.WriteResult;
import dev.sluice.supervision.Supervisor;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Splits Workloads into variants and copies the admission of one to its Workload. Each is planned
 * and written with its variants by one thread at a time.
 */
public final class VariantController implements Controller {
  private static final Logger LOG = LoggerFactory.getLogger(VariantController.class);
  private static final GroupKind WORKLOAD = ApiKind.WORKLOAD.groupKind();

  private final Objects objects;
  private final Families families;
  private final VariantPlanner planner;
  private final Outbox outbox;
  private final BooleanSupplier leads;
  private final InstantSource clock;
  private final WorkQueue<ObjectKey> queue;

  /**
   * Starts to work.
   *
   * @param workers how many Workloads are written at a time
   */
  public VariantController(
      Objects objects,
      Families families,
      VariantPlanner planner,
      Outbox outbox,
      BooleanSupplier leads,
      InstantSource clock,
      int workers,
      Supervisor supervisor) {
    this.objects = objects;
    this.families = families;
    this.planner = planner;
    this.outbox = outbox;
    this.leads = leads;
    this.clock = clock;
    this.queue = new WorkQueue<>("variants", workers, this::reconcile, supervisor);
  }

  @Override
  public void changed(GroupKind kind, ObjectChange change) {
    families.concernedBy(kind, change).forEach(queue::add);
  }

  @Override
  public void resync() {
    families.among(objects.all(WORKLOAD)).forEach(queue::add);
  }

  /** Reconciles the Workloads of these ClusterQueues, which have changed. */
  public void queuesChanged(Set<String> clusterQueues) {
    clusterQueues.forEach(name -> queuedIn(name).forEach(queue::add));
  }

  private Collection<ObjectKey> queuedIn(String clusterQueue) {
    return families.queuedIn(clusterQueue);
  }

  private Result reconcile(ObjectKey key) {
    if (!leads.getAsBoolean()) {
      return Result.REST; // a resync follows when this replica begins to lead
    }
    Instant now = clock.instant().truncatedTo(ChronoUnit.SECONDS);
    VariantPlan plan = planner.plan(families.of(key), now);
    for (Write write : plan.writes()) {
      WriteResult sent = outbox.send(write);
      if (!sent.isDone()) {
        LOG.debug("Workload {}: {} ended as {}", key, write, sent);
        return sent instanceof WriteResult.NotLeading ? Result.REST : Result.FAILED;
      }
    }
    return Result.at(plan.again(), clock);
  }

  @Override
  public void close() {
    queue.close();
  }
}
