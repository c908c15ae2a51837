package dev.sluice.scheduler;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.GroupKind;
import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.configuration.Scheduling.AdmissionFairSharing;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.cluster.api.Connection;
import dev.sluice.cluster.view.ObjectChange;
import dev.sluice.cluster.view.WatchedView;
import dev.sluice.quota.Change;
import dev.sluice.quota.QuotaEngine;
import dev.sluice.quota.Snapshot;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.quota.decision.CycleResult;
import dev.sluice.scheduler.audit.AuditController;
import dev.sluice.scheduler.audit.AuditReport;
import dev.sluice.scheduler.audit.StoredAudit;
import dev.sluice.scheduler.engine.EngineChanges;
import dev.sluice.scheduler.engine.EngineLoop;
import dev.sluice.scheduler.engine.StatusUpdate;
import dev.sluice.scheduler.jobs.JobPlanner;
import dev.sluice.scheduler.jobs.JobSettings;
import dev.sluice.scheduler.jobwork.Index;
import dev.sluice.scheduler.jobwork.JobWork;
import dev.sluice.scheduler.lead.Leadership;
import dev.sluice.scheduler.metrics.MetricSettings;
import dev.sluice.scheduler.metrics.SchedulerMetrics;
import dev.sluice.scheduler.nodes.NodeSettings;
import dev.sluice.scheduler.nodes.NodeWatch;
import dev.sluice.scheduler.place.TopologyUngaterController;
import dev.sluice.scheduler.place.WorkloadPods;
import dev.sluice.scheduler.queue.QueueStatusController;
import dev.sluice.scheduler.recovery.FailureRecoveryController;
import dev.sluice.scheduler.store.Kinds;
import dev.sluice.scheduler.store.Objects;
import dev.sluice.scheduler.store.Outbox;
import dev.sluice.scheduler.trace.DecisionTraces;
import dev.sluice.scheduler.workload.LifeSettings;
import dev.sluice.scheduler.workload.WorkloadController;
import dev.sluice.scheduler.write.EventTeller;
import dev.sluice.scheduler.write.SendMetrics;
import dev.sluice.scheduler.write.Sender;
import dev.sluice.supervision.Heartbeat;
import dev.sluice.supervision.SupervisedThread;
import dev.sluice.supervision.Supervisor;
import io.micrometer.core.instrument.MeterRegistry;
import io.opentelemetry.api.OpenTelemetry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A scheduler of one cluster. It looks at the cluster from the start, so that it can take over at
 * once, and writes only while it leads. Everything it must remember stands in the objects.
 */
public final class Scheduler implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Scheduler.class);
  private static final Duration LOOK_AGAIN = Duration.ofMillis(50);

  /** The longest that a page of Workloads may take at the takeover. */
  private static final Duration DEADLINE = Duration.ofMinutes(2);

  private static final GroupKind WORKLOAD = ApiKind.WORKLOAD.groupKind();
  private static final Set<GroupKind> OF_QUEUES =
      Set.of(
          ApiKind.CLUSTER_QUEUE.groupKind(),
          ApiKind.LOCAL_QUEUE.groupKind(),
          ApiKind.COHORT.groupKind(),
          ApiKind.RESOURCE_FLAVOR.groupKind(),
          ApiKind.ADMISSION_CHECK.groupKind(),
          ApiKind.TOPOLOGY.groupKind());

  private final WatchedView view;
  private final Objects objects;
  private final EngineLoop engine;
  private final EventTeller events;
  private final WorkloadController workloads;
  private final QueueStatusController queues;
  private final JobWork jobs;
  private final WorkloadPods pods;
  private final NodeWatch nodes;
  private final TopologyUngaterController places;
  private final Optional<FailureRecoveryController> recovery;
  private final SchedulerMetrics metrics;
  private final DecisionTraces traces;
  private final AuditController audit;
  private final Index byLocalQueue = new Index(Scheduler::localQueue);
  private final Index byPriorityClass = new Index(Scheduler::priorityClass);
  private final Index byClusterQueue = new Index(Scheduler::clusterQueue);
  private final @Nullable Leadership leadership;
  private final Takeover takeover;
  private final Runnable deposed;
  private final Supervisor supervisor;
  private final SupervisedThread starter;
  private volatile @Nullable SupervisedThread taking;
  private volatile boolean complete;
  private volatile boolean leading;
  private volatile boolean over;

  private Scheduler(
      Connection connection,
      SchedulerOptions options,
      InstantSource clock,
      MeterRegistry registry,
      OpenTelemetry telemetry,
      Runnable deposed,
      Supervisor supervisor) {
    this.deposed = deposed;
    this.supervisor = supervisor;
    EngineConfiguration configuration = EngineConfiguration.of(options.configuration());
    JobPlanner planner =
        new JobPlanner(JobSettings.of(options.configuration(), options.extensions()));
    this.view =
        new WatchedView(
            connection,
            Kinds.watched(planner.kinds(), configuration),
            options.watching(),
            new Random(),
            this::changed,
            supervisor);
    view.bindTo(registry);
    this.objects = new Objects(view);
    this.pods = new WorkloadPods(objects);
    this.nodes =
        new NodeWatch(
            objects, pods, NodeSettings.of(options.configuration().featureGates()), clock);
    this.metrics =
        new SchedulerMetrics(
            MetricSettings.of(options.configuration()), this::snapshot, objects, this::role, clock);
    this.engine = new EngineLoop(new QuotaEngine(configuration), clock, new Listener(), supervisor);
    StoredAudit stored =
        new StoredAudit(
            new LiveWorkloads(objects),
            engine::snapshot,
            engine::tell,
            this::lookAgain,
            System::nanoTime);
    this.audit = new AuditController(engine::snapshot, stored, registry, supervisor);
    this.events =
        new EventTeller(connection, clock, new Random(), options.identity(), registry, supervisor);
    this.traces = new DecisionTraces(telemetry, clock);
    Sender.Listener told = new SendMetrics(registry).and(traces);
    Sender sender = new Sender(connection, this::isLeader, events::tell, told);
    Outbox outbox = new Outbox(sender, objects, clock);
    this.workloads =
        new WorkloadController(
            objects,
            new LiveSurroundings(objects, engine::snapshot, nodes),
            outbox,
            engine,
            LifeSettings.of(options.configuration()),
            clock,
            this::isLeader,
            options.writers(),
            supervisor);
    this.queues =
        new QueueStatusController(
            objects,
            engine::snapshot,
            options.configuration().scheduling().fairSharing().isPresent(),
            outbox,
            this::isLeader,
            clock,
            options.passesApart(),
            configuration.sharingOfLocalQueues().map(AdmissionFairSharing::samplingInterval),
            supervisor);
    this.jobs =
        new JobWork(
            planner,
            objects,
            outbox,
            this::isLeader,
            clock,
            metrics,
            options.writers(),
            supervisor);
    this.places =
        new TopologyUngaterController(
            objects, pods, outbox, this::isLeader, options.writers(), supervisor);
    this.recovery =
        configuration.on(FeatureGate.FAILURE_RECOVERY_POLICY)
            ? Optional.of(
                new FailureRecoveryController(objects, outbox, this::isLeader, clock, supervisor))
            : Optional.empty();
    this.leadership =
        options
            .lease()
            .map(
                lease ->
                    new Leadership(
                        connection, lease, clock, System::nanoTime, new Followed(), supervisor))
            .orElse(null);
    this.takeover = new Takeover(connection, objects);
    this.starter =
        supervisor
            .part("start")
            .thread(
                Thread.ofVirtual(),
                DEADLINE,
                new ViewWait(view::missing, LOOK_AGAIN, this::seesAll));
  }

  /**
   * Starts a scheduler; returns at once.
   *
   * @param registry takes what is measured
   * @param telemetry takes what is traced
   * @param deposed called once if it led and does not any more; it writes nothing from then on, and
   *     the process should end
   * @param supervisor of all threads
   */
  public static Scheduler start(
      Connection connection,
      SchedulerOptions options,
      InstantSource clock,
      MeterRegistry registry,
      OpenTelemetry telemetry,
      Runnable deposed,
      Supervisor supervisor) {
    Scheduler scheduler =
        new Scheduler(connection, options, clock, registry, telemetry, deposed, supervisor);
    scheduler.engine.start();
    scheduler.view.start();
    scheduler.starter.start();
    scheduler.audit.start();
    return scheduler;
  }

  private void seesAll() {
    complete = true;
    LOG.info("seeing all: {}", view.summary());
    if (leadership == null) {
      startTakingOver();
    } else {
      leadership.start();
    }
  }

  private void startTakingOver() {
    taking =
        supervisor.part("takeover").thread(Thread.ofVirtual(), DEADLINE, this::takeOver).start();
  }

  /** Leads, once it has asked for what was written last and may not have been seen yet. */
  private boolean takeOver(Heartbeat heart) throws InterruptedException {
    takeover.read(engine::tell, heart);
    if (over) {
      return false;
    }
    leading = true;
    engine.decide(true);
    objects.all(WORKLOAD).forEach(workload -> workloads.changed(Index.key(workload)));
    jobs.all();
    places.all();
    recovery.ifPresent(FailureRecoveryController::all);
    queues.moved();
    return false;
  }

  /** Whether it writes. */
  public boolean isLeader() {
    return leading && (leadership == null || leadership.isLeader());
  }

  private String role() {
    return leadership == null ? "standalone" : isLeader() ? "leader" : "follower";
  }

  /** Whether it has seen all there is once. */
  public boolean isComplete() {
    return complete;
  }

  /** One line on how it is. */
  public String summary() {
    return "%s; %s; %d decisions to store"
        .formatted(
            isLeader() ? "leading" : complete ? "standing by" : "filling",
            view.summary(),
            workloads.unstored());
  }

  /** The state of the quotas as it is now. */
  public Snapshot snapshot() {
    return engine.snapshot();
  }

  /** What is measured with the peer's names, besides what is in the registry. */
  public SchedulerMetrics metrics() {
    return metrics;
  }

  /** Looks at all of the engine's state for what breaks a law, for some seconds at most. */
  public AuditReport audit() {
    return audit.now();
  }

  private void lookAgain(ObjectKey workload) {
    workloads.changed(workload);
  }

  private void changed(GroupKind kind, ObjectChange change) {
    objects.seen(kind, change);
    if (kind.equals(WORKLOAD)) {
      byLocalQueue.note(change);
      byPriorityClass.note(change);
      if (complete) {
        metrics.workload(change);
      }
    } else if (kind.equals(ApiKind.LOCAL_QUEUE.groupKind())) {
      byClusterQueue.note(change);
    }
    if (kind.equals(Kinds.POD)) {
      pods.note(change);
      metrics.pod(change);
    }
    engineChange(kind, change).ifPresent(engine::tell);
    jobs.changed(kind, change);
    places.changed(kind, change);
    recovery.ifPresent(it -> it.changed(kind, change));
    nodes.changed(kind, change).forEach(workloads::changed);
    if (kind.equals(WORKLOAD)) {
      workloads.changed(Index.key(change.latest()));
    } else if (kind.equals(ApiKind.WORKLOAD_PRIORITY_CLASS.groupKind())) {
      byPriorityClass.find(Index.key(change.latest()).name()).forEach(workloads::changed);
    } else if (OF_QUEUES.contains(kind)) {
      if (change.after().isEmpty()) {
        metrics.gone(kind, Index.key(change.latest()));
      }
      if (differs(change)) {
        queues.changed();
        wake(kind, Index.key(change.latest()));
      } else {
        queues.moved();
      }
    }
  }

  private Optional<Change> engineChange(GroupKind kind, ObjectChange change) {
    return kind.equals(WORKLOAD)
        ? EngineChanges.ofWorkload(change, objects::workload)
        : EngineChanges.of(kind, change);
  }

  /** Whether more than the status is another. */
  private static boolean differs(ObjectChange change) {
    if (change.before().isEmpty() || change.after().isEmpty()) {
      return true;
    }
    JsonNode before = change.before().get();
    JsonNode after = change.after().get();
    return !before.path("spec").equals(after.path("spec"))
        || before.path("metadata").has("deletionTimestamp")
            != after.path("metadata").has("deletionTimestamp");
  }

  private void wake(GroupKind kind, ObjectKey key) {
    if (kind.equals(ApiKind.LOCAL_QUEUE.groupKind())) {
      byLocalQueue.find(key.toString()).forEach(workloads::changed);
    } else if (kind.equals(ApiKind.CLUSTER_QUEUE.groupKind())) {
      wakeClusterQueue(key.name());
    }
  }

  private void wakeClusterQueue(String name) {
    for (ObjectKey queue : byClusterQueue.find(name)) {
      byLocalQueue.find(queue.toString()).forEach(workloads::changed);
    }
  }

  private static Set<String> localQueue(JsonNode workload) {
    String name = workload.path("spec").path("queueName").asText();
    return name.isEmpty()
        ? Set.of()
        : Set.of(workload.path("metadata").path("namespace").asText() + "/" + name);
  }

  private static Set<String> priorityClass(JsonNode workload) {
    String name = workload.path("spec").path("priorityClassRef").path("name").asText();
    return name.isEmpty() ? Set.of() : Set.of(name);
  }

  private static Set<String> clusterQueue(JsonNode localQueue) {
    String name = localQueue.path("spec").path("clusterQueue").asText();
    return name.isEmpty() ? Set.of() : Set.of(name);
  }

  /** What the engine tells. */
  private final class Listener implements EngineLoop.Listener {
    @Override
    public void decided(List<StatusUpdate> decisions) {
      workloads.decided(decisions);
    }

    @Override
    public void queuesChanged(Set<String> clusterQueues) {
      queues.changed();
      clusterQueues.forEach(Scheduler.this::wakeClusterQueue);
    }

    @Override
    public void moved() {
      queues.moved();
    }

    @Override
    public void cycled(CycleResult result, long nanos) {
      metrics.cycled(result, nanos);
      traces.cycled(result, nanos);
    }

    @Override
    public void found(List<String> findings) {
      audit.tell(findings);
    }
  }

  /** What becomes of the lead. */
  private final class Followed implements Leadership.Listener {
    @Override
    public void won() {
      startTakingOver();
    }

    @Override
    public void lost() {
      over = true;
      leading = false;
      engine.decide(false);
      deposed.run();
    }
  }

  /** Stops deciding and writing, then lets the lead go; the connection stays open. */
  @Override
  public void close() {
    starter.close(Duration.ZERO);
    SupervisedThread unfinished = taking;
    if (unfinished != null) {
      unfinished.close(Duration.ZERO);
    }
    engine.decide(false);
    view.close();
    engine.close();
    audit.close();
    jobs.close();
    places.close();
    recovery.ifPresent(FailureRecoveryController::close);
    workloads.close();
    queues.close();
    if (leadership != null) {
      leadership.close();
    }
    leading = false;
    events.close();
  }
}
