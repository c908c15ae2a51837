package dev.sluice.cli.world;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.queue.AdmissionCheckStrategyRule;
import dev.sluice.api.queue.AdmissionChecksStrategy;
import dev.sluice.api.queue.ClusterQueue;
import dev.sluice.api.read.HubObjects;
import dev.sluice.api.workload.Admission;
import dev.sluice.api.workload.CheckState;
import dev.sluice.api.workload.PodSetAssignment;
import dev.sluice.api.workload.QuotaHold;
import dev.sluice.api.workload.Workload;
import dev.sluice.quota.Change;
import dev.sluice.quota.ObjectKind;
import dev.sluice.quota.QuotaEngine;
import dev.sluice.quota.Snapshot;
import dev.sluice.quota.amount.FlavorResource;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.quota.decision.CycleResult;
import dev.sluice.quota.decision.Decision;
import dev.sluice.quota.decision.Outcome;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A cluster without nodes, pods and controllers: its objects, the engine that decides about them,
 * and a clock that stands still until it is told to move. What jobs would do when they are
 * admitted, end or have to give way is done here when somebody says so. The same calls give the
 * same cluster. For one thread.
 */
public final class SimulatedCluster {
  /** A bound for {@link #settle}: more cycles than this in one moment are a loop, not progress. */
  private static final int MAX_CYCLES = 100_000;

  private static final String WORKLOAD = "Workload";

  /** Why a workload is in no queue that no {@linkplain #obstacle obstacle} keeps from it. */
  public static final String OF_ITS_OWN = "It waits for a backoff or a gate of its own";

  private final QuotaEngine engine;
  private final Map<ObjectRef, JsonNode> objects = new LinkedHashMap<>();
  private final Set<ObjectKey> leaving = new TreeSet<>();
  private Instant now;

  /** An empty cluster at this time. */
  public SimulatedCluster(EngineConfiguration configuration, Instant now) {
    this.engine = new QuotaEngine(configuration);
    this.now = now;
  }

  /** The present time here. */
  public Instant now() {
    return now;
  }

  /**
   * Creates an object, or changes the one of its kind and name: what the new one says is merged
   * into what is there, and null removes a field. Objects of our group may be of any version; kinds
   * that decide nothing are kept and passed over.
   *
   * @throws IllegalArgumentException naming the object and the field, if it is malformed
   */
  public void apply(JsonNode object) {
    JsonNode hub = HubForm.of(object);
    ObjectRef ref = ObjectRef.of(hub);
    if (ref.kind().isEmpty() || ref.name().isEmpty()) {
      throw new IllegalArgumentException(ref + ": no kind or name (expected: both)");
    }
    ObjectNode merged = (ObjectNode) JsonMerge.merge(present(ref), hub);
    Completion.complete(merged, now);
    if (!ref.kind().equals(WORKLOAD)) {
      objects.put(ref, merged);
    }
    withPriority(merged);
    if (ref.kind().equals(WORKLOAD)) {
      put(HubObjects.read(Workload.class, merged));
    } else {
      Changes.of(merged).ifPresent(change -> engine.apply(change, now));
    }
  }

  private JsonNode present(ObjectRef ref) {
    if (ref.kind().equals(WORKLOAD)) {
      Workload workload = workload(new ObjectKey(ref.namespace(), ref.name()));
      return workload == null ? JsonNodeFactory.instance.objectNode() : HubObjects.write(workload);
    }
    return objects.getOrDefault(ref, JsonNodeFactory.instance.objectNode());
  }

  /** A workload that names a class, but no priority, has that of the class. */
  private void withPriority(ObjectNode object) {
    JsonNode ref = object.path("spec").path("priorityClassRef");
    if (object.path("kind").asText().equals(WORKLOAD)
        && ref.isObject()
        && !object.path("spec").hasNonNull("priority")) {
      JsonNode priorityClass =
          objects.get(new ObjectRef(ref.path("kind").asText(), "", ref.path("name").asText()));
      if (priorityClass != null && priorityClass.path("value").isInt()) {
        object.withObjectProperty("spec").set("priority", priorityClass.get("value"));
      }
    }
  }

  /**
   * Deletes an object.
   *
   * @throws IllegalArgumentException if it is not there
   */
  public void delete(ObjectRef ref) {
    boolean there =
        ref.kind().equals(WORKLOAD)
            ? workload(new ObjectKey(ref.namespace(), ref.name())) != null
            : objects.remove(ref) != null;
    if (!there) {
      throw new IllegalArgumentException(ref + ": not there (expected: an object to delete)");
    }
    Changes.gone(ref).ifPresent(change -> engine.apply(change, now));
  }

  /**
   * A job ends well.
   *
   * @throws IllegalArgumentException if there is no such workload
   */
  public void finish(ObjectKey key) {
    put(WorkloadLife.finished(existing(key), now));
  }

  /**
   * An admission check answers for a workload.
   *
   * @throws IllegalArgumentException if there is no such workload, or it does not list the check
   */
  public void answer(ObjectKey key, String check, CheckState state) {
    Workload workload = existing(key);
    if (workload.status().admissionChecks().stream().noneMatch(c -> c.name().equals(check))) {
      throw new IllegalArgumentException(
          key + ": does not list the check " + check + " (expected: a check of its queue)");
    }
    put(WorkloadLife.checked(workload, check, state, now));
  }

  /**
   * A node fails: it is not ready any more, and the workloads placed on it are told so.
   *
   * @throws IllegalArgumentException if there is no such node
   */
  public void failNode(String name) {
    ObjectRef ref = new ObjectRef("Node", "", name);
    JsonNode node = objects.get(ref);
    if (node == null) {
      throw new IllegalArgumentException(ref + ": not there (expected: a node)");
    }
    ObjectNode failed = node.deepCopy();
    ObjectNode condition = failed.withObjectProperty("status").putArray("conditions").addObject();
    condition.put("type", "Ready").put("status", "False");
    condition.put("lastTransitionTime", now.toString());
    apply(failed);
    for (Workload workload : state().workloads().values()) {
      if (Placements.runsOn(workload, name)) {
        put(WorkloadLife.onFailedNode(workload, name));
      }
    }
  }

  /**
   * Time passes, and with it the pods of workloads that were told to give way: their quota is free,
   * and they queue again.
   *
   * @throws IllegalArgumentException if the time is before the present one
   */
  public void passTo(Instant time) {
    if (time.isBefore(now)) {
      throw new IllegalArgumentException(time + " (expected: not before " + now + ")");
    }
    now = time;
    stopEvicted();
  }

  private boolean stopEvicted() {
    boolean stopped = false;
    for (ObjectKey key : List.copyOf(leaving)) {
      leaving.remove(key);
      Workload workload = workload(key);
      if (workload != null && isLeaving(workload)) {
        put(WorkloadLife.stopped(workload, now));
        stopped = true;
      }
    }
    return stopped;
  }

  private static boolean isLeaving(Workload workload) {
    return WorkloadConditions.isTrue(workload, "Evicted") && QuotaHold.isReservedBy(workload);
  }

  /** When the next workload that backs off is queued again, if there is one. */
  public Optional<Instant> nextBackoffOver() {
    return engine.nextBackoffOver();
  }

  /** One scheduling cycle, and nothing else. */
  public CycleResult cycle() {
    CycleResult result = engine.cycle(now);
    for (Outcome outcome : result.outcomes()) {
      switch (outcome.decision()) {
        case Decision.Preempting preempting ->
            preempting.targets().forEach(target -> leaving.add(target.workload()));
        case Decision.Displaced _ -> leaving.add(outcome.workload());
        case Decision.Migrating migrating -> leaving.add(migrating.sibling());
        default -> {} // nobody has to leave
      }
    }
    return result;
  }

  /**
   * Everything that happens at this moment by itself: cycles, the end of pods that have to give
   * way, and checks being listed with workloads that now have quota; until nothing changes any
   * more.
   *
   * @param seen is told of each cycle, before anything else happens
   * @throws IllegalStateException if it never comes to rest
   */
  public void settle(Consumer<CycleResult> seen) {
    for (int cycles = 0; cycles < MAX_CYCLES; cycles++) {
      CycleResult result = cycle();
      seen.accept(result);
      boolean listed = listChecks(result);
      boolean stopped = stopEvicted();
      if (!result.changed() && !listed && !stopped) {
        return;
      }
    }
    throw new IllegalStateException(
        MAX_CYCLES + " cycles and no end (expected: that the queues come to rest)");
  }

  private boolean listChecks(CycleResult result) {
    boolean listed = false;
    for (Outcome outcome : result.outcomes()) {
      Workload workload = workload(outcome.workload());
      Admission admission = workload == null ? null : workload.status().admission();
      if (workload != null && admission != null && workload.status().admissionChecks().isEmpty()) {
        Set<String> required = requiredChecks(admission);
        if (!required.isEmpty()) {
          put(WorkloadLife.listing(workload, required, now));
          listed = true;
        }
      }
    }
    return listed;
  }

  private Set<String> requiredChecks(Admission admission) {
    JsonNode queue =
        objects.get(new ObjectRef("ClusterQueue", "", String.valueOf(admission.clusterQueue())));
    AdmissionChecksStrategy strategy =
        queue == null
            ? null
            : HubObjects.read(ClusterQueue.class, queue).spec().admissionChecksStrategy();
    Set<String> required = new TreeSet<>();
    if (strategy != null) {
      Set<String> flavors = flavors(admission);
      for (AdmissionCheckStrategyRule rule : strategy.admissionChecks()) {
        if (rule.onFlavors().isEmpty() || rule.onFlavors().stream().anyMatch(flavors::contains)) {
          required.add(rule.name());
        }
      }
    }
    return required;
  }

  private static Set<String> flavors(Admission admission) {
    Set<String> flavors = new LinkedHashSet<>();
    for (PodSetAssignment assignment : admission.podSetAssignments()) {
      flavors.addAll(assignment.flavors().values());
    }
    return flavors;
  }

  private Workload existing(ObjectKey key) {
    Workload workload = workload(key);
    if (workload == null) {
      throw new IllegalArgumentException(key + ": no such workload (expected: NAMESPACE/NAME)");
    }
    return workload;
  }

  private @Nullable Workload workload(ObjectKey key) {
    return engine.snapshot(now).workload(key);
  }

  private void put(Workload workload) {
    if (isLeaving(workload)) {
      leaving.add(ObjectKey.of(workload.metadata()));
    }
    engine.apply(Change.upserted(ObjectKind.WORKLOAD, workload), now);
  }

  /** What the engine knows now. */
  public Snapshot snapshot() {
    return engine.snapshot(now);
  }

  /** What a ClusterQueue has of each flavor and resource. */
  public Map<FlavorResource, Snapshot.Standing> standing(String clusterQueue) {
    return engine.snapshot(now).standing(clusterQueue);
  }

  /** The names of all ClusterQueues. */
  public List<String> clusterQueues() {
    return engine.snapshot(now).clusterQueues();
  }

  /**
   * A workload as it is now.
   *
   * @throws IllegalArgumentException if there is no such workload
   */
  public Workload get(ObjectKey key) {
    return existing(key);
  }

  /**
   * What keeps a workload from being looked at, in a sentence; empty if nothing does that can be
   * seen.
   *
   * @throws IllegalArgumentException if there is no such workload
   */
  public Optional<String> obstacle(ObjectKey key) {
    return Obstacle.of(existing(key), objects, snapshot());
  }

  /** The present moment, as a value that stays. */
  public ClusterState state() {
    Snapshot snapshot = engine.snapshot(now);
    NavigableMap<ObjectKey, Workload> workloads = new TreeMap<>();
    snapshot.workloads().forEach(state -> workloads.put(state.key(), state.workload()));
    Map<String, SequencedSet<ObjectKey>> pending = new LinkedHashMap<>();
    Map<String, SequencedSet<ObjectKey>> inadmissible = new LinkedHashMap<>();
    for (String queue : snapshot.clusterQueues()) {
      pending.put(queue, new LinkedHashSet<>(snapshot.pending(queue)));
      inadmissible.put(queue, new LinkedHashSet<>(snapshot.inadmissible(queue)));
    }
    return new ClusterState(workloads, pending, inadmissible);
  }
}
