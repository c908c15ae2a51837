package dev.sluice.lifecycle.memory;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.GroupKind;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.configuration.Configuration;
import dev.sluice.api.configuration.Extensions;
import dev.sluice.api.meta.Conditions;
import dev.sluice.api.meta.ObjectChange;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.meta.TypedObjectKey;
import dev.sluice.api.read.HubObjects;
import dev.sluice.api.vocabulary.ConditionTypes;
import dev.sluice.api.workload.Workload;
import dev.sluice.api.write.Write;
import dev.sluice.jobs.JobKinds;
import dev.sluice.jobs.JobPlanner;
import dev.sluice.jobs.plan.JobKey;
import dev.sluice.jobs.plan.JobSettings;
import dev.sluice.jobs.plan.Plan;
import dev.sluice.jobs.plan.Writes;
import dev.sluice.jobs.workload.Evictions;
import dev.sluice.jobs.workload.Readiness;
import dev.sluice.jobs.workload.WorkloadView;
import dev.sluice.lifecycle.jobs.IndexedJobWorld;
import dev.sluice.lifecycle.nodes.Health;
import dev.sluice.lifecycle.nodes.NodeSettings;
import dev.sluice.lifecycle.nodes.NodeWatch;
import dev.sluice.lifecycle.place.WorkloadPods;
import dev.sluice.lifecycle.workload.CachedWorkloadDependencies;
import dev.sluice.lifecycle.workload.LifeSettings;
import dev.sluice.lifecycle.workload.ReconcileStep;
import dev.sluice.lifecycle.workload.StatusPatch;
import dev.sluice.lifecycle.workload.WorkloadDependencies;
import dev.sluice.lifecycle.workload.WorkloadReconciler;
import dev.sluice.lifecycle.workload.WorkloadTriggers;
import dev.sluice.quota.ObjectKind;
import dev.sluice.quota.Snapshot;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The scheduler's controllers of jobs and Workloads over objects in memory, one key after the
 * other. It also replaces other controllers of a cluster: it creates the Pods of Deployments, pods
 * of admitted jobs are ready at once, and a Workload without its job here releases its quota when
 * it is evicted. For one thread.
 */
public final class MemoryControllers {
  /** A bound for what is done without time passing: more looks than this are a loop. */
  private static final int MOST_LOOKS = 10_000_000;

  private static final GroupKind NODE = ObjectKind.NODE.id();

  /** Kinds that a ClusterQueue may wait for to be active. */
  private static final Set<GroupKind> OF_ACTIVITY =
      Set.of(
          ApiKind.RESOURCE_FLAVOR.groupKind(),
          ApiKind.ADMISSION_CHECK.groupKind(),
          ApiKind.TOPOLOGY.groupKind());

  private final MemoryObjects objects;
  private final InstantSource clock;
  private final Owners owners;
  private final MemoryOutbox outbox;
  private final Consumer<ObjectNode> creator;
  private final PodMaker maker;
  private final JobSettings settings;
  private final boolean marksReady;
  private final JobPlanner planner;
  private final IndexedJobWorld world;
  private final WorkloadPods pods;
  private final WorkloadTriggers triggers;
  private final WorkloadDependencies dependencies;
  private final WorkloadReconciler reconciler;
  private final MemoryVariants variants;
  private final SequencedSet<JobKey> jobs = new LinkedHashSet<>();
  private final SequencedSet<ObjectKey> workloads = new LinkedHashSet<>();
  private final SequencedSet<ObjectKey> evicted = new LinkedHashSet<>();
  private final Timers<JobKey> jobTimers = new Timers<>();
  private final Timers<ObjectKey> workloadTimers = new Timers<>();
  private int looks;

  /**
   * Controllers before their first call.
   *
   * @param snapshot the current state of the engine
   * @param creator stores a new Pod, after the webhooks
   */
  public MemoryControllers(
      Configuration configuration,
      Extensions extensions,
      MemoryObjects objects,
      Supplier<Snapshot> snapshot,
      InstantSource clock,
      Consumer<ObjectNode> creator) {
    this.objects = objects;
    this.clock = clock;
    this.owners = new Owners(objects);
    this.outbox = new MemoryOutbox(objects, owners, clock);
    this.creator = creator;
    this.maker = new PodMaker(JobKinds.with(extensions.customKinds()), objects);
    JobSettings chosen = JobSettings.of(configuration, extensions);
    this.marksReady = chosen.watchesReadiness();
    this.settings =
        new JobSettings( // what jobs say of their pods is not simulated
            chosen.management(),
            chosen.gates(),
            false,
            chosen.afterDeactivated(),
            chosen.customKinds());
    this.planner = new JobPlanner(settings);
    this.world = new IndexedJobWorld(objects, planner::groupOf);
    this.pods = new WorkloadPods(objects);
    NodeWatch nodes =
        new NodeWatch(objects, pods, NodeSettings.of(configuration.featureGates()), clock);
    this.triggers = new WorkloadTriggers(nodes);
    this.dependencies =
        new CachedWorkloadDependencies(
            objects,
            snapshot,
            triggers.priorities(),
            (workload, now) -> objects.knows(NODE) ? nodes.health(workload, now) : Health.GOOD);
    this.reconciler = new WorkloadReconciler(LifeSettings.of(configuration));
    this.variants =
        new MemoryVariants(
            configuration.featureGates(), objects, triggers, dependencies, outbox, clock);
  }

  /** An object was stored or removed; the next calls reconcile the affected objects. */
  public void changed(GroupKind kind, ObjectChange change) {
    maker.note(kind, change);
    triggers.note(kind, change);
    if (kind.equals(JobKey.POD)) {
      pods.note(change);
    }
    world.note(kind, change);
    workloads.addAll(triggers.concernedBy(kind, change));
    variants.note(kind, change);
    if (OF_ACTIVITY.contains(kind)) {
      objects
          .all(ApiKind.CLUSTER_QUEUE.groupKind())
          .forEach(it -> workloads.addAll(triggers.queuedIn(ObjectKey.of(it).name())));
    }
    jobs.addAll(planner.touchedBy(world, kind, change));
    if (kind.equals(WorkloadView.KIND)) {
      ObjectKey key = ObjectKey.of(change.latest());
      if (change.after().map(WorkloadView::new).filter(MemoryControllers::mustStop).isPresent()) {
        evicted.add(key);
      } else {
        evicted.remove(key);
      }
    }
  }

  private static boolean mustStop(WorkloadView workload) {
    return workload.isEvicted() && workload.hasReservation() && !workload.isFinished();
  }

  /** The next time at which a key has to be reconciled without a change. */
  public Optional<Instant> nextDue() {
    return Stream.of(jobTimers.next(), workloadTimers.next(), variants.nextDue())
        .flatMap(Optional::stream)
        .min(Instant::compareTo);
  }

  /** The events since the last call. */
  public List<Write.Event> takeEvents() {
    return outbox.takeEvents();
  }

  /**
   * Does what jobs and Workloads ask for by now, until nothing is left.
   *
   * @return whether anything was written
   */
  public boolean reconcile() {
    jobs.addAll(jobTimers.take(clock.instant()));
    workloads.addAll(workloadTimers.take(clock.instant()));
    variants.takeDue();
    looks = 0;
    boolean written = false;
    boolean more = true;
    while (more) {
      more = planAll();
      while (!workloads.isEmpty()) {
        more |= reconcile(workloads.removeFirst());
      }
      more |= variants.plan(this::count);
      written |= more;
    }
    return written;
  }

  /** Plans jobs, and nothing else, until nothing is left: so they get their Workloads. */
  public void planJobs() {
    looks = 0;
    planAll();
  }

  private boolean planAll() {
    boolean written = maker.make(creator);
    while (!jobs.isEmpty()) {
      written |= plan(jobs.removeFirst());
      objects.collectGarbage(clock.instant());
      written |= maker.make(creator);
    }
    return written;
  }

  private void count(Object key) {
    if (looks++ > MOST_LOOKS) {
      throw new IllegalStateException(key + ": never becomes stable");
    }
  }

  private boolean plan(JobKey key) {
    count(key);
    if (!isSimulated(key)) {
      return false;
    }
    Instant now = clock.instant();
    Plan plan = planner.plan(world, key, now);
    boolean written = outbox.send(plan.writes(), () -> jobs.add(key));
    jobTimers.set(key, plan.again(), written, now);
    return written;
  }

  /** Of jobs that were never here nothing is known, so nothing follows from their absence. */
  private boolean isSimulated(JobKey key) {
    return key.isGroup()
        ? !world.podsOfGroup(key.namespace(), key.name()).isEmpty()
            || objects
                .find(WorkloadView.KIND, key.namespace(), key.name())
                .filter(owners::hasJob)
                .isPresent()
        : objects.hasSeen(new TypedObjectKey(key.kind(), key.namespace(), key.name()));
  }

  /** What owns the Workload, and what owns that as far as it is here; empty if it is not here. */
  public Set<TypedObjectKey> owners(ObjectKey key) {
    return objects
        .find(WorkloadView.KIND, key.namespace(), key.name())
        .map(owners::all)
        .orElse(Set.of());
  }

  /** The Workload, and the jobs that own it as far as they are here. */
  public List<JsonNode> withOwners(ObjectKey key) {
    return owners.withOwners(key);
  }

  /** Removes the finalizers of an object that no controller here handles. */
  public void release(TypedObjectKey key) {
    JsonNode object = objects.find(key.kind(), key.namespace(), key.name()).orElseThrow();
    boolean isKept =
        planner.kinds().stream().anyMatch(it -> it.groupKind().equals(key.kind()))
            || (key.kind().equals(WorkloadView.KIND) && owners.hasJob(object));
    if (!isKept && object.path("metadata").has("finalizers")) {
      ObjectNode free = object.deepCopy();
      free.withObjectProperty("metadata").remove("finalizers");
      objects.put(
          GroupVersionKind.of(object.path("apiVersion").asText(), key.kind().kind()),
          free,
          clock.instant());
    }
  }

  private boolean reconcile(ObjectKey key) {
    count(key);
    Optional<JsonNode> tree = objects.find(WorkloadView.KIND, key.namespace(), key.name());
    return tree.isPresent() && reconcile(key, tree.get());
  }

  private boolean reconcile(ObjectKey key, JsonNode tree) {
    Instant now = clock.instant();
    Workload workload = HubObjects.read(Workload.class, tree);
    ReconcileStep first = reconciler.reconcile(workload, dependencies, Instant.EPOCH, now);
    ReconcileStep step =
        first.isRest() ? reconciler.reportPending(workload, dependencies, now) : first;
    List<Write> writes = new ArrayList<>();
    step.status().flatMap(status -> StatusPatch.patch(workload, status)).ifPresent(writes::add);
    writes.addAll(step.writes());
    writes.addAll(step.events());
    if (writes.isEmpty()) {
      writes.addAll(readiness(new WorkloadView(tree), now));
    }
    boolean written = outbox.send(writes, () -> workloads.add(key));
    workloadTimers.set(key, first.again(), written, now);
    return written;
  }

  private List<Write> readiness(WorkloadView workload, Instant now) {
    boolean isNoted = Conditions.find(workload.tree(), ConditionTypes.PODS_READY).isPresent();
    Writes writes = new Writes("");
    if (marksReady && !workload.isFinished() && (isNoted || workload.isAdmitted())) {
      Readiness.note(workload, workload.isAdmitted() && !workload.isEvicted(), now, writes);
    }
    return writes.all();
  }

  /** Ends the pods of evicted Workloads whose jobs are not here; returns whether there were any. */
  public boolean stopEvicted() {
    boolean stopped = false;
    for (ObjectKey key : List.copyOf(evicted)) {
      stopped |=
          objects
              .find(WorkloadView.KIND, key.namespace(), key.name())
              .filter(it -> !owners.hasJob(it))
              .map(WorkloadView::new)
              .filter(it -> outbox.send(quotaOf(it), () -> {}))
              .isPresent();
    }
    return stopped;
  }

  private List<Write> quotaOf(WorkloadView workload) {
    Writes writes = new Writes("");
    Evictions.clear(workload, settings, clock.instant(), writes);
    return writes.all();
  }
}
