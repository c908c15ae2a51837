package dev.sluice.scheduler;

import dev.sluice.api.ApiKind;
import dev.sluice.api.GroupKind;
import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.configuration.Scheduling.AdmissionFairSharing;
import dev.sluice.api.meta.ObjectChange;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.workload.StatusDetail;
import dev.sluice.cluster.api.Connection;
import dev.sluice.cluster.view.WatchedView;
import dev.sluice.jobs.JobPlanner;
import dev.sluice.jobs.plan.JobSettings;
import dev.sluice.lifecycle.nodes.NodeSettings;
import dev.sluice.lifecycle.nodes.NodeWatch;
import dev.sluice.lifecycle.place.WorkloadPods;
import dev.sluice.lifecycle.variant.Families;
import dev.sluice.lifecycle.variant.VariantPlanner;
import dev.sluice.lifecycle.workload.CachedWorkloadDependencies;
import dev.sluice.lifecycle.workload.FollowedAnswers;
import dev.sluice.lifecycle.workload.LifeSettings;
import dev.sluice.lifecycle.workload.WorkloadDependencies;
import dev.sluice.lifecycle.workload.WorkloadReconciler;
import dev.sluice.lifecycle.workload.WorkloadTriggers;
import dev.sluice.quota.QuotaEngine;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.quota.decision.CycleResult;
import dev.sluice.scheduler.audit.AuditController;
import dev.sluice.scheduler.audit.StoredAudit;
import dev.sluice.scheduler.engine.EngineChanges;
import dev.sluice.scheduler.engine.EngineLoop;
import dev.sluice.scheduler.engine.EngineTap;
import dev.sluice.scheduler.engine.StatusUpdate;
import dev.sluice.scheduler.jobs.JobController;
import dev.sluice.scheduler.jobs.RemoteStops;
import dev.sluice.scheduler.metrics.MetricSettings;
import dev.sluice.scheduler.metrics.SchedulerMetrics;
import dev.sluice.scheduler.place.SharedHostnames;
import dev.sluice.scheduler.place.TopologyUngaterController;
import dev.sluice.scheduler.provisioning.AdmissionCheckController;
import dev.sluice.scheduler.provisioning.ProvisioningController;
import dev.sluice.scheduler.queue.QueueStatusController;
import dev.sluice.scheduler.recorder.FlightRecorder;
import dev.sluice.scheduler.recovery.FailureRecoveryController;
import dev.sluice.scheduler.store.Kinds;
import dev.sluice.scheduler.store.Objects;
import dev.sluice.scheduler.store.Outbox;
import dev.sluice.scheduler.trace.DecisionTraces;
import dev.sluice.scheduler.variant.VariantController;
import dev.sluice.scheduler.work.Controller;
import dev.sluice.scheduler.workload.CheckAnswers;
import dev.sluice.scheduler.workload.Nominations;
import dev.sluice.scheduler.workload.WorkloadController;
import dev.sluice.scheduler.write.EventRecorder;
import dev.sluice.scheduler.write.SendMetrics;
import dev.sluice.scheduler.write.Sender;
import dev.sluice.supervision.Supervisor;
import io.micrometer.core.instrument.MeterRegistry;
import io.opentelemetry.api.OpenTelemetry;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The parts of a scheduler and how they are connected. Starts none of its main threads. */
final class SchedulerParts implements EngineLoop.Listener {
  /** What the parts ask of the scheduler that they belong to. Thread-safe. */
  interface Replica {
    /** Whether it writes. */
    boolean isLeader();

    /** When it began to write; before that, when it was made. */
    Instant leadsSince();

    /** Whether all objects have been listed once. */
    boolean isComplete();

    /** The value of the metrics' label {@code replica_role}. */
    String role();
  }

  private static final GroupKind WORKLOAD = ApiKind.WORKLOAD.groupKind();

  /** The kinds of objects that have series of their own. */
  private static final Set<GroupKind> MEASURED =
      Set.of(
          ApiKind.CLUSTER_QUEUE.groupKind(),
          ApiKind.LOCAL_QUEUE.groupKind(),
          ApiKind.COHORT.groupKind());

  final WatchedView view;
  final Objects objects;
  final @Nullable FlightRecorder recorder;
  final EngineLoop engine;
  final EventRecorder events;

  /** Sends what the next leader must not miss: everything but the statuses of queues. */
  final Sender sender;

  final WorkloadController workloads;
  final QueueStatusController queues;
  final @Nullable VariantController variants;
  final List<Controller> controllers;
  final SchedulerMetrics metrics;
  final AuditController audit;
  private final Replica replica;
  private final DecisionTraces traces;
  private final ChangeRouter router;

  SchedulerParts(
      Connection connection,
      SchedulerOptions options,
      InstantSource clock,
      MeterRegistry registry,
      OpenTelemetry telemetry,
      Supervisor supervisor,
      Replica replica,
      ControllerFactory others) {
    this.replica = replica;
    EngineConfiguration configuration = EngineConfiguration.of(options.configuration());
    JobPlanner planner =
        new JobPlanner(JobSettings.of(options.configuration(), options.extensions()));
    this.view =
        new WatchedView(
            connection,
            Kinds.watched(
                planner.watched(), planner.followed(), planner.letsPodsGo(), configuration),
            options.watching(),
            new Random(),
            this::changed,
            supervisor);
    view.bindTo(registry);
    this.objects = new Objects(view);
    WorkloadPods pods = new WorkloadPods(objects);
    NodeWatch nodes =
        new NodeWatch(
            objects, pods, NodeSettings.of(options.configuration().featureGates()), clock);
    this.recorder =
        options
            .recording()
            .map(it -> new FlightRecorder(it, configuration, clock, registry, supervisor))
            .orElse(null);
    this.engine =
        new EngineLoop(
            new QuotaEngine(configuration),
            clock,
            this,
            supervisor,
            recorder == null ? EngineTap.NONE : recorder);
    this.metrics =
        new SchedulerMetrics(
            MetricSettings.of(options.configuration()),
            engine::snapshot,
            objects,
            replica::role,
            clock);
    StoredAudit stored =
        new StoredAudit(
            new LiveWorkloads(objects),
            engine::snapshot,
            engine::submit,
            this::enqueue,
            System::nanoTime);
    this.audit = new AuditController(engine::snapshot, stored, registry, supervisor);
    this.events =
        new EventRecorder(
            connection, clock, new Random(), options.identity(), registry, supervisor);
    this.traces = new DecisionTraces(telemetry, clock);
    Sender.Listener told = new SendMetrics(registry).and(traces);
    this.sender = new Sender(connection, replica::isLeader, events::record, told);
    Sender statuses = new Sender(connection, replica::isLeader, events::record, told);
    Outbox outbox = new Outbox(sender, objects, clock);
    WorkloadTriggers triggers = new WorkloadTriggers(nodes);
    WorkloadDependencies dependencies =
        new CachedWorkloadDependencies(
            objects, engine::snapshot, triggers.priorities(), nodes::health);
    LifeSettings life = LifeSettings.of(options.configuration());
    Nominations nominations = new Nominations();
    FollowedAnswers followed = new FollowedAnswers(new WorkloadReconciler(life), dependencies);
    CheckAnswers answers =
        (workload, answer) ->
            followed.complete(
                workload,
                answer,
                replica.leadsSince(),
                clock.instant().truncatedTo(ChronoUnit.SECONDS));
    this.workloads =
        new WorkloadController(
            objects,
            triggers,
            dependencies,
            outbox,
            engine,
            life,
            clock,
            replica::isLeader,
            replica::leadsSince,
            nominations,
            options.writers(),
            supervisor);
    this.queues =
        new QueueStatusController(
            objects,
            engine::snapshot,
            options.configuration().scheduling().fairSharing().isPresent(),
            new Outbox(statuses, objects, clock),
            replica::isLeader,
            clock,
            options.passesApart(),
            configuration.sharingOfLocalQueues().map(AdmissionFairSharing::samplingInterval),
            supervisor);
    RemoteStops stops = new RemoteStops(objects);
    List<Controller> all = new ArrayList<>();
    all.add(
        new JobController(
            planner,
            objects,
            stops,
            outbox,
            replica::isLeader,
            clock,
            metrics,
            options.writers(),
            supervisor));
    all.add(
        new TopologyUngaterController(
            objects, pods, outbox, replica::isLeader, options.writers(), supervisor));
    all.add(new SharedHostnames(events::record, replica::isLeader, registry));
    all.add(new AdmissionCheckController(objects, outbox, replica::isLeader, clock, supervisor));
    all.add(
        new ProvisioningController(
            objects,
            outbox,
            answers,
            configuration.on(FeatureGate.CLEANUP_PROVISIONING_REQUESTS_ON_EVICTION),
            configuration.on(FeatureGate.CONCURRENT_ADMISSION),
            replica::isLeader,
            clock,
            options.writers(),
            supervisor));
    if (configuration.on(FeatureGate.FAILURE_RECOVERY_POLICY)) {
      all.add(new FailureRecoveryController(objects, outbox, replica::isLeader, clock, supervisor));
    }
    all.addAll(
        others.create(
            new ControllerPorts(
                connection,
                objects,
                outbox,
                stops,
                nominations,
                answers,
                replica::isLeader,
                replica::role,
                clock,
                options.writers(),
                registry,
                supervisor)));
    if (configuration.on(FeatureGate.CONCURRENT_ADMISSION)) {
      variants =
          new VariantController(
              objects,
              new Families(objects, objects::workload, triggers, dependencies),
              new VariantPlanner(
                  StatusDetail.of(options.configuration().featureGates()),
                  configuration.on(FeatureGate.ADMISSION_GATED_BY)),
              outbox,
              replica::isLeader,
              clock,
              options.writers(),
              supervisor);
      all.add(variants);
    } else {
      variants = null;
    }
    all.add(workloads);
    all.add(queues);
    this.controllers = List.copyOf(all);
    this.router =
        new ChangeRouter(
            objects::seen,
            List.of(triggers::note, (kind, change) -> note(pods, kind, change)),
            this::measure,
            this::tellEngine,
            controllers);
  }

  /** Watches begin after the constructor has ended, so the router is there. */
  private void changed(GroupKind kind, ObjectChange change) {
    router.changed(kind, change);
  }

  private void enqueue(ObjectKey workload) {
    workloads.enqueue(workload);
  }

  private static void note(WorkloadPods pods, GroupKind kind, ObjectChange change) {
    if (kind.equals(Kinds.POD)) {
      pods.note(change);
    }
  }

  /** What the first lists show happened before this process began, and is not counted. */
  private void measure(GroupKind kind, ObjectChange change) {
    if (kind.equals(WORKLOAD) && replica.isComplete()) {
      metrics.workload(change);
    } else if (kind.equals(Kinds.POD)) {
      metrics.pod(change);
    } else if (MEASURED.contains(kind) && change.after().isEmpty()) {
      metrics.gone(kind, ObjectKey.of(change.latest()));
    }
  }

  private void tellEngine(GroupKind kind, ObjectChange change) {
    (kind.equals(WORKLOAD)
            ? EngineChanges.ofWorkload(change, objects::workload)
            : EngineChanges.of(kind, change))
        .ifPresent(engine::submit);
  }

  @Override
  public void decided(List<StatusUpdate> decisions) {
    workloads.decided(decisions);
  }

  @Override
  public void queuesChanged(Set<String> clusterQueues) {
    queues.changed();
    workloads.queuesChanged(clusterQueues);
    if (variants != null) {
      variants.queuesChanged(clusterQueues);
    }
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
    audit.report(findings);
  }
}
