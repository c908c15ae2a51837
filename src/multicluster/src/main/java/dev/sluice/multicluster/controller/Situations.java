package dev.sluice.multicluster.controller;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.GroupKind;
import dev.sluice.api.meta.Conditions;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.meta.TypedObjectKey;
import dev.sluice.api.vocabulary.ConditionTypes;
import dev.sluice.multicluster.link.Workers;
import dev.sluice.multicluster.link.Workers.Worker;
import dev.sluice.multicluster.protocol.Link;
import dev.sluice.multicluster.protocol.Memory;
import dev.sluice.multicluster.protocol.Owner;
import dev.sluice.multicluster.protocol.Plan;
import dev.sluice.multicluster.protocol.Presence;
import dev.sluice.multicluster.protocol.QueueState;
import dev.sluice.multicluster.protocol.Situation;
import dev.sluice.multicluster.protocol.WorkerState;
import dev.sluice.multicluster.view.WorkerView;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/** Reads the situation that a plan depends on. Thread-safe; no method blocks. */
final class Situations {
  private static final GroupKind WORKLOAD = ApiKind.WORKLOAD.groupKind();

  private final Owners owners;
  private final PlacementConstraints constraints;
  private final Checks checks;
  private final Workers workers;
  private final WorkerRequestQueues requestQueues;
  private final OwnOffers ownOffers;
  private final Predicate<String> mayHaveObjects;
  private final InstantSource clock;

  /** Since when this process misses the MultiKueueCluster of that name. */
  private final Map<String, Instant> missing = new ConcurrentHashMap<>();

  /**
   * Reads from these.
   *
   * @param mayHaveObjects whether objects of this manager may be on that worker
   */
  Situations(
      Owners owners,
      PlacementConstraints constraints,
      Checks checks,
      Workers workers,
      WorkerRequestQueues requestQueues,
      OwnOffers ownOffers,
      Predicate<String> mayHaveObjects,
      InstantSource clock) {
    this.owners = owners;
    this.constraints = constraints;
    this.checks = checks;
    this.workers = workers;
    this.requestQueues = requestQueues;
    this.ownOffers = ownOffers;
    this.mayHaveObjects = mayHaveObjects;
    this.clock = clock;
  }

  /** Whether nothing of that Workload is to be looked at: no check, no cluster, and no copy. */
  boolean isOfNoConcern(JsonNode workload) {
    return checks.of(workload).isEmpty()
        && workload.path("status").path("clusterName").asText("").isEmpty()
        && placesOf(ObjectKey.of(workload)).isEmpty();
  }

  /** Whether a worker may be given that Workload. */
  boolean isConfigured(String cluster, JsonNode workload) {
    return checks.clusters(checks.of(workload), workload).contains(cluster);
  }

  /** The workers that have something of that Workload. */
  List<String> placesOf(ObjectKey workload) {
    return workers.names().stream()
        .filter(
            name ->
                workers.find(name).flatMap(Worker::view).filter(it -> it.has(workload)).isPresent())
        .toList();
  }

  /** Nobody plans the stop of a Workload that goes; what is left of it there is withdrawn. */
  boolean hasStopped(JsonNode workload, Plan plan) {
    boolean isBeingDeleted = workload.path("metadata").has("deletionTimestamp");
    return switch (plan.stop()) {
      case CERTAIN -> true;
      case MAY_RUN -> false;
      case NOT_ASKED -> isBeingDeleted && placesOf(ObjectKey.of(workload)).isEmpty();
    };
  }

  /**
   * The current situation of that Workload.
   *
   * @param manager the uid of this manager
   */
  Situation of(JsonNode workload, String manager, boolean isMirrorRefused, Memory memory) {
    String check = checks.of(workload);
    Optional<Owner> owner = owners.of(workload);
    Set<String> configured = check.isEmpty() ? Set.of() : checks.clusters(check, workload);
    List<WorkerState> states = new ArrayList<>();
    boolean isEvicted = Conditions.isTrue(workload, ConditionTypes.EVICTED);
    configured.stream()
        .filter(it -> !isEvicted || mayStopThere(it, workload))
        .forEach(it -> states.add(state(it, true, workload, owner, manager)));
    workers.names().stream()
        .filter(it -> !configured.contains(it))
        .filter(it -> !isEvicted || mayStopThere(it, workload))
        .forEach(it -> states.add(state(it, false, workload, owner, manager)));
    return new Situation(
        workload,
        check,
        owner,
        constraints.of(workload, owner),
        states,
        isMirrorRefused,
        ownOffers.find(ObjectKey.of(workload)),
        memory,
        clock.instant());
  }

  /**
   * Whether the stop of a Workload waits for that worker. A MultiKueueCluster is gone only after
   * its worker is drained. One that is out of reach and was never used has nothing, and would be
   * waited for in vain.
   */
  private boolean mayStopThere(String cluster, JsonNode workload) {
    JsonNode status = workload.path("status");
    return checks.hasCluster(cluster)
        && (mayHaveObjects.test(cluster)
            || !(workers.find(cluster).map(Worker::link).orElse(null) instanceof Link.Lost)
            || status.path("clusterName").asText().equals(cluster)
            || status
                .path("nominatedClusterNames")
                .valueStream()
                .anyMatch(it -> it.asText().equals(cluster)));
  }

  private WorkerState state(
      String cluster,
      boolean isConfigured,
      JsonNode workload,
      Optional<Owner> owner,
      String manager) {
    Optional<Worker> worker = workers.find(cluster);
    Optional<WorkerView> view = worker.flatMap(Worker::view);
    ObjectKey key = ObjectKey.of(workload);
    return new WorkerState(
        cluster,
        isConfigured,
        link(cluster, worker),
        worker.map(Worker::notServed).orElse(Set.of()),
        view.filter(it -> it.isSharedBesides(manager)).isPresent(),
        view.map(it -> it.presence(WORKLOAD, key.namespace(), key.name()))
            .orElse(Presence.unlisted()),
        view.map(it -> jobs(it, key, workload, owner)).orElse(Map.of()),
        view.map(it -> it.queue(key.namespace(), queueName(workload)))
            .orElseGet(QueueState.Unknown::new),
        requestQueues.find(cluster).flatMap(it -> it.refusal(batchKey(key))));
  }

  private static String queueName(JsonNode workload) {
    return workload.path("spec").path("queueName").asText("");
  }

  /** The key of the batches for that Workload. */
  static TypedObjectKey batchKey(ObjectKey workload) {
    return new TypedObjectKey(WORKLOAD, workload.namespace(), workload.name());
  }

  private Link link(String cluster, Optional<Worker> worker) {
    if (worker.isPresent()) {
      missing.remove(cluster);
      return worker.get().link();
    }
    if (checks.hasCluster(cluster)) {
      return new Link.Connecting();
    }
    return new Link.Lost(
        missing.computeIfAbsent(cluster, _ -> clock.instant()),
        "there is no MultiKueueCluster \"" + cluster + "\"",
        Optional.empty());
  }

  private static Map<String, Presence> jobs(
      WorkerView view, ObjectKey key, JsonNode workload, Optional<Owner> owner) {
    if (owner.filter(it -> !it.isCarried()).isEmpty()) {
      return Map.of();
    }
    GroupKind kind = owner.get().kind().groupKind();
    Map<String, Presence> jobs = new TreeMap<>();
    owner.get().jobs().forEach(it -> put(jobs, view, kind, key, ObjectKey.of(it).name()));
    for (JsonNode reference : workload.path("metadata").path("ownerReferences")) {
      if (reference.path("kind").asText().equals(kind.kind())) {
        put(jobs, view, kind, key, reference.path("name").asText());
      }
    }
    view.jobsOf(key).stream()
        .filter(it -> it.kind().equals(kind))
        .forEach(it -> put(jobs, view, kind, key, it.name()));
    return jobs;
  }

  private static void put(
      Map<String, Presence> jobs, WorkerView view, GroupKind kind, ObjectKey key, String name) {
    jobs.put(name, view.presence(kind, key.namespace(), name));
  }
}
