package dev.sluice.multicluster.controller;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.GroupKind;
import dev.sluice.api.meta.ObjectChange;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.meta.TypedObjectKey;
import dev.sluice.api.write.Write;
import dev.sluice.jobs.plan.JobSettings;
import dev.sluice.lifecycle.jobs.IndexedJobWorld;
import dev.sluice.lifecycle.workload.FollowedAnswers.Completed;
import dev.sluice.multicluster.copy.Identity;
import dev.sluice.multicluster.link.Workers;
import dev.sluice.multicluster.protocol.Memory;
import dev.sluice.multicluster.protocol.Plan;
import dev.sluice.multicluster.protocol.Planner;
import dev.sluice.multicluster.protocol.Situation;
import dev.sluice.scheduler.ControllerPorts;
import dev.sluice.scheduler.store.Kinds;
import dev.sluice.scheduler.work.Controller;
import dev.sluice.scheduler.work.WorkQueue;
import dev.sluice.scheduler.work.WorkQueue.Result;
import dev.sluice.scheduler.write.WriteResult;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Plans each Workload with a check of MultiKueue again after every change here or on a worker, and
 * sends the writes of the plan. It never waits for a worker.
 */
public final class DispatchController implements Controller {
  private static final Logger LOG = LoggerFactory.getLogger(DispatchController.class);
  private static final GroupKind WORKLOAD = ApiKind.WORKLOAD.groupKind();
  private static final GroupKind CLUSTER_QUEUE = ApiKind.CLUSTER_QUEUE.groupKind();
  private static final GroupKind CLUSTER = ApiKind.MULTI_KUEUE_CLUSTER.groupKind();
  private static final Duration UNTIL_IDENTITY_IS_KNOWN = Duration.ofMillis(200);
  private static final Duration UNTIL_HELD = Duration.ofMillis(200);

  /** What a watch of a worker or of this cluster may have missed is looked at again. */
  private static final Duration UNSEEN = Duration.ofSeconds(2);

  private final ControllerPorts ports;
  private final Workers workers;
  private final DispatchSettings settings;
  private final WorkerRequestQueues requestQueues;
  private final Owners owners;
  private final PlacementConstraints constraints;
  private final Situations situations;
  private final IndexedJobWorld world;
  private final SweepController sweep;
  private final DrainController drain;
  private final DispatchMetrics metrics;
  private final WorkerMetrics measured;
  private final WorkQueue<ObjectKey> queue;
  private final Map<ObjectKey, Memory> memories = new ConcurrentHashMap<>();
  private final LeftOutCounts leftOut = new LeftOutCounts();
  private final RefusedMirrors refusedMirrors = new RefusedMirrors();
  private final OwnOffers ownOffers = new OwnOffers();
  private final ChangeLag lag;
  private final QueueChanges queueChanges;
  private final HeldDeletions held;
  private final RefusalEvents refusals;
  private volatile @Nullable Planner planner;

  /** Whether there was a check or a worker at any time: before that, no Workload is of concern. */
  private volatile boolean isInUse;

  private final class WorkerListener implements Workers.Listener {
    @Override
    public void linkChanged(String cluster) {
      isInUse = true;
      measured.measure(cluster, requestQueues, leftOut);
      if (ports.leads().getAsBoolean()) {
        resync();
        sweep.add(cluster);
        drain.add(cluster);
      }
    }

    @Override
    public void workloadChanged(String cluster, GroupKind kind, ObjectKey workload) {
      if (!ports.leads().getAsBoolean()) {
        return;
      }
      Optional<JsonNode> here =
          ports.objects().find(WORKLOAD, workload.namespace(), workload.name());
      if (here.isPresent()) {
        lag.changed(cluster, workload);
        queue.add(workload);
        constraints.successors(here.get()).forEach(it -> queue.add(ObjectKey.of(it)));
      } else {
        sweep.add(cluster);
      }
      drain.add(cluster);
      held.look(cluster, workload);
    }

    @Override
    public void namespaceChanged(String cluster, String namespace) {
      queueChanges.add(cluster, namespace);
    }
  }

  /** Starts to work. */
  public DispatchController(
      ControllerPorts ports, Workers workers, JobSettings jobs, DispatchSettings settings) {
    this.ports = ports;
    this.workers = workers;
    this.settings = settings;
    this.measured = new WorkerMetrics(ports.registry(), workers);
    this.requestQueues = new WorkerRequestQueues(ports, workers, measured);
    this.owners = new Owners(ports.objects(), jobs);
    this.world = new IndexedJobWorld(ports.objects(), _ -> "");
    this.constraints = new PlacementConstraints(world);
    this.drain = new DrainController(ports, workers, requestQueues, this::identity, settings);
    this.situations =
        new Situations(
            owners,
            constraints,
            new Checks(ports.objects()),
            workers,
            requestQueues,
            ownOffers,
            drain::mayHaveObjects,
            ports.clock());
    this.sweep =
        new SweepController(
            ports, workers, requestQueues, measured, this::identity, settings.sweep());
    this.metrics = new DispatchMetrics(ports.registry(), ports.role());
    this.queue = new WorkQueue<>("multikueue", ports.writers(), this::look, ports.supervisor());
    this.lag = new ChangeLag(measured::lag);
    this.queueChanges = new QueueChanges(ports, requestQueues, queue::add);
    this.held = new HeldDeletions(ports, workers, HeldDeletions.PATIENCE);
    this.refusals = new RefusalEvents(ports);
    ports.remoteStops().begin();
    ports
        .nominations()
        .ask(
            new ReservationNominator(
                this::identity,
                situations,
                this::memory,
                this::planner,
                this::nominatedWithItsReservation));
    workers.listen(new WorkerListener());
  }

  /** Who this manager is; empty until its namespace kube-system is seen. */
  private Optional<Identity> identity() {
    return ports
        .objects()
        .find(Kinds.NAMESPACE, "", "kube-system")
        .map(it -> new Identity(settings.origin(), WorkerCalls.uid(it)));
  }

  @Override
  public void changed(GroupKind kind, ObjectChange change) {
    world.note(kind, change);
    if (change.after().isEmpty()) {
      measureGone(kind, ObjectKey.of(change.latest()).name());
    }
    if (!ports.leads().getAsBoolean()) {
      return; // all is looked at when this replica leads
    }
    if (kind.equals(CLUSTER)) {
      drain.add(ObjectKey.of(change.latest()).name());
    }
    if (Checks.concern(kind, change)) {
      resync();
    } else if (!isInUse) {
      return; // when it is, all are looked at
    } else if (kind.equals(WORKLOAD)) {
      queue.add(ObjectKey.of(change.latest()));
      constraints.concernedBy(change).forEach(it -> queue.add(ObjectKey.of(it)));
    } else if (owners.isJob(kind)) {
      ObjectKey job = ObjectKey.of(change.latest());
      world
          .workloadsOwnedBy(kind, job.namespace(), job.name())
          .forEach(it -> queue.add(ObjectKey.of(it)));
    }
  }

  /** What is not there any more has no metrics. */
  private void measureGone(GroupKind kind, String name) {
    if (kind.equals(CLUSTER_QUEUE)) {
      metrics.queueGone(name);
    } else if (kind.equals(CLUSTER)) {
      metrics.clusterGone(name);
    }
  }

  @Override
  public void resync() {
    if (Checks.existIn(ports.objects())) {
      isInUse = true;
    }
    ports.objects().all(WORKLOAD).forEach(it -> queue.add(ObjectKey.of(it)));
    workers.names().forEach(sweep::add);
    drain.resync();
  }

  private Result look(ObjectKey key) {
    if (!ports.leads().getAsBoolean()) {
      return Result.REST;
    }
    Optional<JsonNode> found = ports.objects().find(WORKLOAD, key.namespace(), key.name());
    if (found.isEmpty()) {
      forget(key);
      return Result.REST;
    }
    JsonNode workload = found.get();
    if (situations.isOfNoConcern(workload)) {
      return Result.REST;
    }
    Optional<Identity> us = identity();
    if (us.isEmpty()) {
      return new Result.Again(UNTIL_IDENTITY_IS_KNOWN);
    }
    return carryOut(key, workload, us.get());
  }

  private void forget(ObjectKey key) {
    memories.remove(key);
    leftOut.forget(key);
    refusals.forget(key);
    refusedMirrors.forget(key);
    requestQueues.forget(Situations.batchKey(key));
    ownOffers.forget(key);
    lag.forget(key);
    ports.remoteStops().forget(key);
    situations.placesOf(key).forEach(sweep::add);
  }

  private Memory memory(ObjectKey key) {
    return memories.getOrDefault(key, Memory.NONE);
  }

  private Planner planner(Identity us) {
    Planner known = planner;
    if (known == null) {
      known = new Planner(settings.protocol(us));
      planner = known;
    }
    return known;
  }

  private Result carryOut(ObjectKey key, JsonNode workload, Identity us) {
    List<ChangeLag.RemoteChange> changes = lag.unanswered(key);
    Optional<Instant> refused = refusedMirrors.until(key, ports.clock().instant());
    Situation situation = situations.of(workload, us.manager(), refused.isPresent(), memory(key));
    Plan plan = planner(us).plan(situation);
    leftOut.note(key, plan.memory(), situation.now());
    refusals.planned(workload, situation.workers(), plan);
    memories.compute(key, (_, _) -> plan.memory().equals(Memory.NONE) ? null : plan.memory());
    ports.remoteStops().report(workload, situations.hasStopped(workload, plan));
    if (plan.isReady() || !isOutOfReach(workload, situation)) {
      constraints
          .thatRunAs(workload, situation.owner())
          .forEach(it -> ports.remoteStops().reportReady(it, plan.isReady()));
    }
    Optional<Duration> again = sendElsewhere(key, workload, plan);
    for (Write planned : plan.local()) {
      Completed completed = ports.answers().complete(workload, planned);
      Write write = completed.write();
      WriteResult sent = ports.outbox().send(write);
      if (!sent.isDone()) {
        memories.put(key, situation.memory()); // so that what was not told is told the next time
        return failed(key, write, sent);
      }
      completed.events().forEach(ports.outbox()::send);
      if (isMirror(write)) {
        refusedMirrors.forget(key);
      } else if (!(write instanceof Write.Event) && !plan.nominated().isEmpty()) {
        ownOffers.nominated(workload);
      }
    }
    plan.counters().stream()
        .filter(it -> it.what() == Plan.Counter.What.ADMITTED)
        .forEach(it -> metrics.admitted(workload, it.cluster()));
    lag.planned(key, changes, plan);
    return rest(plan, again, refused);
  }

  /** While its worker is out of reach, nothing is known of its Pods. */
  private static boolean isOutOfReach(JsonNode workload, Situation situation) {
    String cluster = workload.path("status").path("clusterName").asText("");
    return situation.workers().stream()
        .anyMatch(it -> it.cluster().equals(cluster) && !it.isConnected());
  }

  private Result failed(ObjectKey key, Write write, WriteResult sent) {
    LOG.debug("Workload {}: {} ended as {}", key, write, sent);
    if (sent instanceof WriteResult.Refused
        && isMirror(write)) { // the outbox has told it on the job; the Workload goes on without it
      refusedMirrors.refused(key, ports.clock().instant());
      return new Result.Again(Duration.ZERO);
    }
    return sent instanceof WriteResult.NotLeading ? Result.REST : Result.FAILED;
  }

  /** A plan may have been made before this was known. */
  private void nominatedWithItsReservation(JsonNode before) {
    ownOffers.nominated(before);
    queue.add(ObjectKey.of(before));
  }

  private static boolean isMirror(Write write) {
    return !(write instanceof Write.Event) && !write.target().kind().groupKind().equals(WORKLOAD);
  }

  private Result rest(Plan plan, Optional<Duration> again, Optional<Instant> refused) {
    Optional<Duration> planned =
        Stream.of(plan.again(), refused)
            .flatMap(Optional::stream)
            .min(Instant::compareTo)
            .map(it -> Duration.between(ports.clock().instant(), it).plusMillis(1));
    Optional<Duration> unseen =
        plan.isAtRest() || again.isPresent() ? Optional.empty() : Optional.of(UNSEEN);
    return Stream.of(planned, again, unseen)
        .flatMap(Optional::stream)
        .min(Duration::compareTo)
        .<Result>map(Result.Again::new)
        .orElse(Result.REST);
  }

  /**
   * Gives the queue of each worker what the plan has for it.
   *
   * @return when a batch that has just failed may be sent again
   */
  private Optional<Duration> sendElsewhere(ObjectKey key, JsonNode workload, Plan plan) {
    Set<String> clusters = new HashSet<>(plan.remote().keySet());
    plan.asks().forEach(it -> clusters.add(it.cluster()));
    TypedObjectKey batchKey = Situations.batchKey(key);
    Optional<Duration> again = Optional.empty();
    for (String cluster : clusters) {
      List<Write> writes = plan.remote().getOrDefault(cluster, List.of());
      boolean creates = writes.stream().anyMatch(Write.Create.class::isInstance);
      if (creates && !drain.allowsCreates(cluster)) {
        drain.add(cluster); // it is held first, so that nothing is left there without our knowing
        again = Optional.of(UNTIL_HELD);
        continue;
      }
      ownOffers.sending(workload, cluster, writes);
      RequestBatch batch =
          new RequestBatch(
              batchKey,
              plan.asksOf(cluster),
              writes,
              () -> holds(key, workload) && (!creates || mayCreate(cluster, workload)),
              write -> sent(write, plan, workload, cluster),
              () -> queue.add(key));
      Optional<Duration> later = requestQueues.of(cluster).offer(batch);
      again = again.filter(it -> later.filter(l -> l.compareTo(it) < 0).isEmpty()).or(() -> later);
    }
    return again;
  }

  /** A plan holds for the Workload as it was; a create has no precondition of its own. */
  private boolean holds(ObjectKey key, JsonNode planned) {
    String version = planned.path("metadata").path("resourceVersion").asText();
    return ports.leads().getAsBoolean() && ports.objects().isAt(version, WORKLOAD, key);
  }

  /** The clusters of the check are another object than the Workload, and may have changed. */
  private boolean mayCreate(String cluster, JsonNode workload) {
    return drain.allowsCreates(cluster) && situations.isConfigured(cluster, workload);
  }

  private void sent(Write write, Plan plan, JsonNode workload, String cluster) {
    if (write instanceof Write.Delete) {
      measured.swept(cluster, "withdrawn");
    } else if (write instanceof Write.Create create
        && create.target().kind().groupKind().equals(WORKLOAD)) {
      plan.counters().stream()
          .filter(it -> it.what() == Plan.Counter.What.DISPATCHED && it.cluster().equals(cluster))
          .forEach(it -> metrics.dispatched(workload, it.cluster()));
    }
  }

  @Override
  public void close() {
    queueChanges.close();
    held.close();
    queue.close();
    sweep.close();
    drain.close();
    requestQueues.close();
  }
}
