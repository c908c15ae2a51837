package dev.sluice.server.world;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.GroupKind;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.configuration.Configuration;
import dev.sluice.api.meta.ObjectChange;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.meta.TypedObjectKey;
import dev.sluice.api.read.HubObjects;
import dev.sluice.api.workload.CheckState;
import dev.sluice.api.workload.StatusDetail;
import dev.sluice.api.workload.Workload;
import dev.sluice.api.workload.WorkloadStatus;
import dev.sluice.api.write.Write;
import dev.sluice.jobs.JobKinds;
import dev.sluice.jobs.workload.WorkloadView;
import dev.sluice.lifecycle.memory.MemoryControllers;
import dev.sluice.lifecycle.memory.MemoryObjects;
import dev.sluice.lifecycle.workload.StatusPatch;
import dev.sluice.quota.Change;
import dev.sluice.quota.ObjectKind;
import dev.sluice.quota.QuotaEngine;
import dev.sluice.quota.Snapshot;
import dev.sluice.quota.amount.FlavorResource;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.quota.decision.CycleResult;
import dev.sluice.quota.decision.Outcome;
import dev.sluice.quota.decision.StatusChange;
import dev.sluice.rules.RuleBook;
import dev.sluice.see.explain.Obstacle;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A cluster in memory: its objects, the engine, the planner of jobs and the reconciler of Workloads
 * that run in a real one, and a clock that moves only on request. Pods do not run: a job ends when
 * its end is requested. The same calls give the same cluster. For one thread.
 */
public final class SimulatedCluster {
  /** Later than any resourceVersion of a real cluster. */
  private static final long LATER = 1L << 62;

  private static final GroupKind NODE = ObjectKind.NODE.id();

  private final StatusDetail detail;
  private final QuotaEngine engine;
  private final MemoryObjects objects;
  private final Submissions submissions;
  private final MemoryControllers controllers;
  private final Function<ObjectKey, Optional<JsonNode>> elsewhere;
  private final List<ObjectKey> arrived = new ArrayList<>();
  private boolean known; // to the engine is what is being stored
  private Instant now;

  /** An empty cluster at this time. */
  public SimulatedCluster(SimulatedConfiguration chosen, Instant now) {
    this(
        chosen,
        now,
        new QuotaEngine(EngineConfiguration.of(chosen.configuration())),
        new RuleBook(JobKinds.rules(chosen.extensions().customKinds())),
        _ -> Optional.empty());
  }

  /**
   * A cluster around an engine that is in a state already, and is the cluster's own from here on.
   * Its objects are made known by {@link #know}.
   *
   * @param rules check each object that is applied
   * @param elsewhere finds Workloads that the engine knows and nobody made known; one of them is
   *     taken in when something becomes of it
   */
  public SimulatedCluster(
      SimulatedConfiguration chosen,
      Instant now,
      QuotaEngine engine,
      RuleBook rules,
      Function<ObjectKey, Optional<JsonNode>> elsewhere) {
    Configuration configuration = chosen.configuration();
    this.elsewhere = elsewhere;
    this.detail = StatusDetail.of(configuration.featureGates());
    this.now = now;
    this.engine = engine;
    this.objects = new MemoryObjects(this::changed, LATER);
    this.submissions = new Submissions(objects, new SimulatedAdmission(rules, chosen, objects));
    this.controllers =
        new MemoryControllers(
            configuration,
            chosen.extensions(),
            objects,
            this::snapshot,
            () -> this.now,
            this::apply);
  }

  private void changed(GroupKind kind, Optional<JsonNode> before, Optional<JsonNode> after) {
    ObjectChange change = new ObjectChange(before, after);
    if (!known) {
      ObjectKind.of(kind).ifPresent(it -> engine.apply(engineChange(it, change), now));
    }
    controllers.changed(kind, change);
    if (kind.equals(WorkloadView.KIND) && before.isEmpty() && !known) {
      arrived.add(ObjectKey.of(change.latest()));
    }
  }

  private static <T> Change engineChange(ObjectKind<T> kind, ObjectChange change) {
    return change
        .after()
        .<Change>map(it -> Change.upserted(kind, HubObjects.read(kind.type(), it)))
        .orElseGet(() -> new Change.Deleted(kind, ObjectKey.of(change.latest())));
  }

  /** The present time here. */
  public Instant now() {
    return now;
  }

  /**
   * Creates an object, or changes the one of its kind and name: what the new one says is merged
   * into what is there, and null removes a field. Objects of our group may be of any version. Jobs
   * are defaulted and checked as by the webhooks; kinds that decide nothing are only kept.
   *
   * @throws IllegalArgumentException naming the object and the field, if it is malformed or refused
   */
  public void apply(JsonNode object) {
    submissions.apply(object, now);
  }

  /** Takes in an object as it is stored, which the engine knows if it is of its concern. */
  public void know(GroupVersionKind kind, JsonNode object) {
    ObjectNode whole = JsonNodeFactory.instance.objectNode();
    whole.put("apiVersion", kind.apiVersion()).put("kind", kind.kind());
    whole.setAll((ObjectNode) object);
    known = true;
    try {
      objects.put(kind, whole, now);
    } finally {
      known = false;
    }
  }

  /** Takes in an object as it is stored, past all webhooks, and tells the engine of it. */
  public void store(GroupVersionKind kind, JsonNode object) {
    objects.put(kind, object, now);
  }

  /** Takes in a Workload that the engine knows, unless it is here; what is gone is left alone. */
  public void know(ObjectKey workload) {
    if (find(workload).isEmpty()) {
      elsewhere.apply(workload).ifPresent(it -> know(ApiKind.WORKLOAD.hub(), it));
    }
  }

  /**
   * Deletes an object. What uses it does not keep it, but a job keeps its Workload while it stops.
   *
   * @param kind the name of its kind, of whatever group
   * @throws IllegalArgumentException if it is not there
   */
  public void delete(String kind, String namespace, String name) {
    TypedObjectKey key =
        objects
            .named(kind, namespace, name)
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        Submissions.text(
                                new TypedObjectKey(new GroupKind("", kind), namespace, name))
                            + ": not there (expected: an object to delete)"));
    controllers.release(key);
    objects.delete(key, now);
    objects.collectGarbage(now);
  }

  /**
   * A job ends well.
   *
   * @throws IllegalArgumentException if there is no such workload
   */
  public void finish(ObjectKey key) {
    Workload workload = get(key);
    store(workload, SimulatedStatus.finished(workload, detail, now));
  }

  /**
   * An admission check answers for a workload; what follows from that is done by {@link
   * #reconcile}.
   *
   * @throws IllegalArgumentException if there is no such workload, or it does not list the check
   */
  public void answer(ObjectKey key, String check, CheckState state) {
    Workload workload = get(key);
    store(workload, SimulatedStatus.answered(workload, check, state, detail, now));
  }

  private void store(Workload latest, WorkloadStatus wanted) {
    StatusPatch.patch(latest, wanted).ifPresent(this::send);
  }

  private void send(Write write) {
    objects
        .send(write, now)
        .ifPresent(
            why -> {
              throw new IllegalStateException(why);
            });
  }

  /**
   * Makes a node not ready. {@link #reconcile} updates the workloads placed on it.
   *
   * @throws IllegalArgumentException if there is no such node
   */
  public void failNode(String name) {
    JsonNode node =
        objects
            .find(NODE, "", name)
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "Node " + name + ": not there (expected: a node)"));
    ObjectNode failed = SimulatedStatus.notReady(node, now);
    objects.put(new GroupVersionKind("", "v1", NODE.kind()), failed, now);
  }

  /**
   * Moves the clock. The pods of preempted workloads end, so that these queue again; then the
   * controllers do what is due at that time.
   *
   * @throws IllegalArgumentException if the time is before the present one
   */
  public void passTo(Instant time) {
    if (time.isBefore(now)) {
      throw new IllegalArgumentException(time + " (expected: not before " + now + ")");
    }
    now = time;
    reconcileAndStop();
  }

  private boolean reconcileAndStop() {
    boolean changed = reconcile();
    while (controllers.stopEvicted()) {
      changed = true;
      reconcile();
    }
    return changed;
  }

  /**
   * Runs all controllers except the engine once. Pods of jobs that are given only by their
   * Workloads keep running.
   *
   * @return whether anything changed
   */
  public boolean reconcile() {
    return controllers.reconcile();
  }

  /** Makes the Workloads of jobs, and does nothing else. */
  public void planJobs() {
    controllers.planJobs();
  }

  /** When something happens next by itself, if anything does. */
  public Optional<Instant> nextDue() {
    return Stream.concat(engine.nextBackoffOver().stream(), controllers.nextDue().stream())
        .min(Instant::compareTo);
  }

  /** The Workloads that came since the last call. */
  public List<ObjectKey> takeArrived() {
    List<ObjectKey> taken = List.copyOf(arrived);
    arrived.clear();
    return taken;
  }

  /** The events of jobs and Workloads since the last call. */
  public List<Write.Event> takeEvents() {
    return controllers.takeEvents();
  }

  /** One scheduling cycle, of which all decisions are stored; nothing else. */
  public CycleResult cycle() {
    CycleResult result = engine.cycle(now);
    Set<ObjectKey> decided = new LinkedHashSet<>();
    for (Outcome outcome : result.outcomes()) {
      Stream.concat(Stream.of(outcome.change()), outcome.others().stream())
          .filter(StatusChange::isReal)
          .forEach(change -> decided.add(change.workload()));
    }
    Snapshot after = snapshot();
    for (ObjectKey key : decided) {
      Workload workload = after.workload(key);
      know(key);
      Optional<Workload> latest = find(key);
      if (workload != null && latest.isPresent()) {
        store(latest.get(), workload.status());
        engine.apply(new Change.StatusStored(key, workload.metadata().uid()), now);
      }
    }
    return result;
  }

  /** The Workload of that name as it is now, if it is there. */
  public Optional<Workload> find(ObjectKey key) {
    return objects
        .find(WorkloadView.KIND, key.namespace(), key.name())
        .map(it -> HubObjects.read(Workload.class, it));
  }

  /**
   * Runs cycles and controllers at this moment until nothing changes. Stopped pods end at once.
   *
   * @param seen receives each cycle, before anything else happens
   * @throws IllegalStateException if it never becomes stable
   */
  public void settle(Consumer<CycleResult> seen) {
    settle(seen, () -> true);
  }

  /**
   * The same, as long as there is time.
   *
   * @param goOn asked before each cycle whether there is
   * @return whether it became stable
   */
  public boolean settle(Consumer<CycleResult> seen, BooleanSupplier goOn) {
    reconcileAndStop();
    return new Settling(this::cycle, this::reconcileAndStop).run(seen, goOn);
  }

  /** An engine of its own in the state of this cluster's, to try things on. */
  public QuotaEngine fork() {
    return engine.fork();
  }

  /** What the engine knows now. */
  public Snapshot snapshot() {
    return engine.snapshot(now);
  }

  /** What a ClusterQueue has of each flavor and resource. */
  public Map<FlavorResource, Snapshot.Standing> standing(String clusterQueue) {
    return snapshot().standing(clusterQueue);
  }

  /** The names of all ClusterQueues. */
  public List<String> clusterQueues() {
    return snapshot().clusterQueues();
  }

  /**
   * A workload as it is now.
   *
   * @throws IllegalArgumentException if there is no such workload
   */
  public Workload get(ObjectKey key) {
    return find(key)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    key + ": no such workload (expected: NAMESPACE/NAME)"));
  }

  /** All Workloads as JSON, in the order of their names. */
  public List<JsonNode> workloads() {
    return List.copyOf(objects.all(WorkloadView.KIND));
  }

  /** What owns the Workload, and what owns that as far as it is here. */
  public Set<TypedObjectKey> owners(ObjectKey workload) {
    return controllers.owners(workload);
  }

  /** The Workload, and the jobs that own it as far as they are here, as JSON. */
  public List<JsonNode> withOwners(ObjectKey workload) {
    return controllers.withOwners(workload);
  }

  /**
   * What keeps a workload from being looked at, in a sentence; empty if nothing does that can be
   * seen.
   *
   * @throws IllegalArgumentException if there is no such workload
   */
  public Optional<String> obstacle(ObjectKey key) {
    return Obstacle.of(snapshot(), ObjectKey.of(get(key).metadata()));
  }

  /** The present moment, as a value that stays. */
  public ClusterState state() {
    return ClusterState.of(snapshot());
  }
}
