package dev.sluice.scheduler.provisioning;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.GroupKind;
import dev.sluice.api.meta.ObjectChange;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.read.MalformedObjectException;
import dev.sluice.api.write.Write;
import dev.sluice.lifecycle.provisioning.CheckedWorkload;
import dev.sluice.lifecycle.provisioning.IndexedProvisioningWorld;
import dev.sluice.lifecycle.provisioning.ProvisioningPlan;
import dev.sluice.lifecycle.provisioning.ProvisioningPlanner;
import dev.sluice.lifecycle.workload.FollowedAnswers.Completed;
import dev.sluice.scheduler.store.Objects;
import dev.sluice.scheduler.store.Outbox;
import dev.sluice.scheduler.work.Controller;
import dev.sluice.scheduler.work.WorkQueue;
import dev.sluice.scheduler.work.WorkQueue.Result;
import dev.sluice.scheduler.workload.CheckAnswers;
import dev.sluice.scheduler.write.WriteResult;
import dev.sluice.supervision.Supervisor;
import java.time.Duration;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Requests nodes from an autoscaler for Workloads with quota, and reports its answers in their
 * checks. Each Workload is planned and written by one thread at a time.
 */
public final class ProvisioningController implements Controller {
  private static final Logger LOG = LoggerFactory.getLogger(ProvisioningController.class);
  private static final GroupKind WORKLOAD = ApiKind.WORKLOAD.groupKind();

  /** What is in the way of a request may go without an event about it. */
  private static final Duration WHEN_BLOCKED = Duration.ofSeconds(2);

  private final Objects objects;
  private final IndexedProvisioningWorld world;
  private final ProvisioningPlanner planner;
  private final Outbox outbox;
  private final CheckAnswers answers;
  private final BooleanSupplier leads;
  private final InstantSource clock;
  private final WorkQueue<ObjectKey> queue;

  /**
   * Starts to work.
   *
   * @param cleansUpOnEviction whether requests are deleted when a Workload loses its quota
   * @param splits whether Workloads may be split into variants
   * @param workers how many Workloads are written at a time
   */
  public ProvisioningController(
      Objects objects,
      Outbox outbox,
      CheckAnswers answers,
      boolean cleansUpOnEviction,
      boolean splits,
      BooleanSupplier leads,
      InstantSource clock,
      int workers,
      Supervisor supervisor) {
    this.objects = objects;
    this.world = new IndexedProvisioningWorld(objects);
    this.planner = new ProvisioningPlanner(world, cleansUpOnEviction, splits);
    this.outbox = outbox;
    this.answers = answers;
    this.leads = leads;
    this.clock = clock;
    this.queue = new WorkQueue<>("provisioning", workers, this::reconcile, supervisor);
  }

  @Override
  public void changed(GroupKind kind, ObjectChange change) {
    world.note(kind, change);
    world.concernedBy(kind, change).forEach(queue::add);
  }

  @Override
  public void resync() {
    world.everything().forEach(queue::add);
  }

  private Result reconcile(ObjectKey key) {
    if (!leads.getAsBoolean()) {
      return Result.REST; // everything is looked at when this replica leads
    }
    Optional<JsonNode> tree = objects.find(WORKLOAD, key.namespace(), key.name());
    Optional<CheckedWorkload> workload = tree.flatMap(this::read);
    if (tree.isPresent() && workload.isEmpty()) {
      return Result.REST; // the controller of Workloads has told that it cannot be read
    }
    ProvisioningPlan plan =
        planner.plan(key, workload, clock.instant().truncatedTo(ChronoUnit.SECONDS));
    for (Write write : plan.writes()) {
      WriteResult sent = send(write, workload);
      if (!sent.isDone()) {
        LOG.debug("Workload {}: {} ended as {}", key, write, sent);
        return sent instanceof WriteResult.NotLeading ? Result.REST : Result.FAILED;
      }
    }
    return plan.isBlocked() ? new Result.Again(WHEN_BLOCKED) : Result.REST;
  }

  private Optional<CheckedWorkload> read(JsonNode tree) {
    try {
      return Optional.of(new CheckedWorkload(objects.workload(tree), tree));
    } catch (MalformedObjectException _) {
      return Optional.empty();
    }
  }

  /** Nothing is created for a Workload that has changed, and may have lost its quota. */
  private WriteResult send(Write write, Optional<CheckedWorkload> workload) {
    if (write instanceof Write.Create && workload.isPresent()) {
      return outbox.sendWhile(workload.get().tree(), write);
    }
    Completed completed =
        workload
            .map(it -> answers.complete(it.tree(), write))
            .orElseGet(() -> Completed.alone(write));
    WriteResult sent = outbox.send(completed.write());
    if (sent.isDone()) {
      completed.events().forEach(outbox::send);
      if (write instanceof Write.Delete) {
        world.deleted(write.target());
      }
    }
    return sent;
  }

  @Override
  public void close() {
    queue.close();
  }
}
