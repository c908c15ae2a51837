package dev.sluice.scheduler.jobs;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.GroupKind;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.meta.ObjectChange;
import dev.sluice.api.write.Write;
import dev.sluice.jobs.JobPlanner;
import dev.sluice.jobs.plan.JobKey;
import dev.sluice.jobs.plan.Plan;
import dev.sluice.lifecycle.jobs.IndexedJobWorld;
import dev.sluice.scheduler.metrics.SchedulerMetrics;
import dev.sluice.scheduler.store.Objects;
import dev.sluice.scheduler.store.Outbox;
import dev.sluice.scheduler.work.Controller;
import dev.sluice.scheduler.work.WorkQueue;
import dev.sluice.scheduler.work.WorkQueue.Result;
import dev.sluice.scheduler.work.WriteBudget;
import dev.sluice.scheduler.write.WriteResult;
import dev.sluice.supervision.Supervisor;
import java.time.Duration;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Plans jobs and sends the writes of the plans: sequentially for each job, in parallel for
 * different jobs. The first write that fails ends its plan, and the job is planned again.
 */
public final class JobController implements Controller {
  /** How often it is looked whether Workloads can be listed. */
  private static final Duration UNTIL_KNOWN = Duration.ofSeconds(1);

  private static final Logger LOG = LoggerFactory.getLogger(JobController.class);
  private static final GroupKind WORKLOAD = ApiKind.WORKLOAD.groupKind();

  private final JobPlanner planner;
  private final Objects objects;
  private final IndexedJobWorld world;
  private final Outbox outbox;
  private final BooleanSupplier leads;
  private final InstantSource clock;
  private final SchedulerMetrics metrics;
  private final Set<GroupVersionKind> kinds;
  private final WorkQueue<JobKey> queue;

  /**
   * Starts to work.
   *
   * @param stops what is known of Workloads that run on other clusters
   * @param workers how many jobs are planned and written at a time
   */
  public JobController(
      JobPlanner planner,
      Objects objects,
      RemoteStops stops,
      Outbox outbox,
      BooleanSupplier leads,
      InstantSource clock,
      SchedulerMetrics metrics,
      int workers,
      Supervisor supervisor) {
    this.planner = planner;
    this.objects = objects;
    this.world = new IndexedJobWorld(objects, planner::groupOf, stops::of, stops::isReady);
    this.outbox = outbox;
    this.leads = leads;
    this.clock = clock;
    this.metrics = metrics;
    this.kinds = planner.kinds();
    this.queue = new WorkQueue<>("jobs", workers, this::reconcile, supervisor);
    stops.listen(workload -> touch(WORKLOAD, workload));
  }

  @Override
  public void changed(GroupKind kind, ObjectChange change) {
    world.note(kind, change);
    if (!planner.isNews(kind, change)) {
      return;
    }
    for (JobKey key : planner.touchedBy(world, kind, change)) {
      queue.addAfter(key, planner.gathering(kind, change, key));
    }
  }

  private void touch(GroupKind kind, JsonNode object) {
    planner.touchedBy(world, kind, object).forEach(queue::add);
  }

  @Override
  public void resync() {
    for (GroupVersionKind kind : kinds) {
      objects.all(kind.groupKind()).forEach(job -> touch(kind.groupKind(), job));
    }
    objects.all(WORKLOAD).forEach(it -> touch(WORKLOAD, it));
  }

  private Result reconcile(JobKey key) {
    if (!leads.getAsBoolean()) {
      return Result.REST; // all are planned when we lead
    }
    if (!objects.knows(WORKLOAD)) {
      return new Result.Again(UNTIL_KNOWN); // a job that runs would be stopped for lack of one
    }
    Plan plan = planner.plan(world, key, clock.instant().truncatedTo(ChronoUnit.SECONDS));
    var budget = new WriteBudget();
    for (Write write : plan.writes()) {
      if (!budget.take()) {
        return new Result.Again(Duration.ZERO); // the rest is planned anew
      }
      WriteResult sent = outbox.send(write);
      if (!sent.isDone()) {
        LOG.debug("{}: {} ended as {}", key, write, sent);
        return Result.FAILED;
      }
      if (write instanceof Write.Create && write.target().kind().groupKind().equals(WORKLOAD)) {
        objects
            .find(key.kind(), key.namespace(), key.name())
            .ifPresent(job -> metrics.made(key.kind().kind(), job));
      }
    }
    return Result.at(plan.again(), clock);
  }

  @Override
  public void close() {
    queue.close();
  }
}
