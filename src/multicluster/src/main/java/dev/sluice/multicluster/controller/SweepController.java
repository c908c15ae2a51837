package dev.sluice.multicluster.controller;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.sluice.api.ApiKind;
import dev.sluice.api.GroupKind;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.meta.TypedObjectKey;
import dev.sluice.api.vocabulary.Controllers;
import dev.sluice.api.vocabulary.EventReasons;
import dev.sluice.api.write.ObjectRef;
import dev.sluice.api.write.Write;
import dev.sluice.cluster.api.Connection;
import dev.sluice.cluster.api.ConnectionException;
import dev.sluice.jobs.workload.WorkloadView;
import dev.sluice.multicluster.copy.Identity;
import dev.sluice.multicluster.copy.WorkloadCopies;
import dev.sluice.multicluster.link.Workers;
import dev.sluice.multicluster.link.Workers.Worker;
import dev.sluice.multicluster.protocol.Plan;
import dev.sluice.multicluster.protocol.Presence;
import dev.sluice.multicluster.sweep.Leftover;
import dev.sluice.multicluster.sweep.Leftover.Absence;
import dev.sluice.multicluster.sweep.Leftover.JobLeft;
import dev.sluice.multicluster.sweep.Sweep;
import dev.sluice.multicluster.view.WorkerView;
import dev.sluice.scheduler.ControllerPorts;
import dev.sluice.scheduler.work.WorkQueue;
import dev.sluice.scheduler.work.WorkQueue.Result;
import dev.sluice.scheduler.write.Paths;
import java.io.IOException;
import java.net.URLEncoder;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes from each worker what has our origin and mark and of which no Workload is here: when it
 * connects, when something changes, and at intervals. It deletes nothing before this cluster's API
 * server said that the Workload is gone.
 */
final class SweepController implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SweepController.class);
  private static final GroupKind WORKLOAD = ApiKind.WORKLOAD.groupKind();
  private static final ObjectMapper MAPPER = new JsonMapper();
  private static final Duration BOUND = Duration.ofSeconds(5);

  /** How long an answer about a Workload of this cluster, or to a deletion, counts. */
  private static final Duration ASKED = Duration.ofSeconds(30);

  /** Until lists are complete, or an answer of the worker is there. */
  private static final Duration SOON = Duration.ofMillis(500);

  /** So many Workloads are asked for in that time. */
  private static final int ASKS = 50;

  private static final Duration ASKS_EVERY = Duration.ofSeconds(1);

  private final ControllerPorts ports;
  private final Workers workers;
  private final WorkerRequestQueues requestQueues;
  private final WorkerMetrics metrics;
  private final Supplier<Optional<Identity>> identity;
  private final Duration interval;
  private final WorkQueue<String> queue;

  /** The Workloads of which this cluster's API server said that they are not here. */
  private final RecentKeys<ObjectKey> asked;

  /** The same, asked once more after much was to go at once. */
  private final RecentKeys<ObjectKey> confirmed;

  /** The uids that a worker was told to delete; its watch may not show it yet. */
  private final RecentKeys<String> deleted;

  /** Workers of which it was told that another manager has our origin there. */
  private final Set<String> shared = ConcurrentHashMap.newKeySet();

  /** Workers of which it was told that most of what is there is to go. */
  private final Set<String> massive = ConcurrentHashMap.newKeySet();

  /**
   * Starts to work.
   *
   * @param interval how often a worker is looked at though nothing changed; zero for never
   */
  SweepController(
      ControllerPorts ports,
      Workers workers,
      WorkerRequestQueues requestQueues,
      WorkerMetrics metrics,
      Supplier<Optional<Identity>> identity,
      Duration interval) {
    this.ports = ports;
    this.workers = workers;
    this.requestQueues = requestQueues;
    this.metrics = metrics;
    this.identity = identity;
    this.interval = interval;
    this.asked = new RecentKeys<>(ports.clock(), ASKED);
    this.confirmed = new RecentKeys<>(ports.clock(), ASKED);
    this.deleted = new RecentKeys<>(ports.clock(), ASKED);
    this.queue = new WorkQueue<>("multikueue-sweep", 1, this::look, ports.supervisor());
  }

  /** Looks at that worker. */
  void add(String cluster) {
    queue.add(cluster);
  }

  private Result look(String cluster) {
    Optional<WorkerView> view = workers.find(cluster).flatMap(Worker::known);
    if (!ports.leads().getAsBoolean() || view.isEmpty()) {
      return Result.REST; // to lead, or a connection, brings it back here
    }
    Optional<Identity> us = identity.get();
    if (us.isEmpty() || !ports.objects().knows(WORKLOAD)) {
      return new Result.Again(SOON);
    }
    Instant now = ports.clock().instant();
    boolean isShared = view.get().isSharedBesides(us.get().manager());
    tellShared(cluster, isShared);
    List<Leftover> leftovers = leftovers(view.get());
    if (leftovers.isEmpty()) {
      metrics.unproven(cluster, 0);
      massive.remove(cluster);
      return pause();
    }
    Sweep.Result result =
        new Sweep(us.get())
            .plan(cluster, isShared, view.get().copies(), leftovers, confirmed.all(), now);
    metrics.unproven(cluster, result.unproven().size());
    if (result.isMass()) {
      tellMass(cluster, leftovers.size(), view.get().copies());
    } else {
      massive.remove(cluster);
    }
    boolean hasAsked = false;
    for (ObjectKey key : result.asksHere().stream().limit(ASKS).toList()) {
      hasAsked |= askHere(key, result.isMass());
    }
    send(cluster, result);
    if (result.asksHere().size() > ASKS || (!result.asksHere().isEmpty() && !hasAsked)) {
      return new Result.Again(ASKS_EVERY); // the others, or the same if none was answered
    }
    return hasAsked || !result.writes().isEmpty() || !result.asksThere().isEmpty()
        ? new Result.Again(hasAsked ? Duration.ZERO : SOON)
        : pause();
  }

  private void tellShared(String cluster, boolean isShared) {
    if (!isShared) {
      shared.remove(cluster);
    } else if (shared.add(cluster)) {
      warn(
          cluster,
          EventReasons.ORIGIN_SHARED,
          "another manager uses the origin \"%s\" there: what has no mark of a manager is left"
                  .formatted(identity.get().map(Identity::origin).orElse(""))
              + " alone; give each manager its own multiKueue.origin");
    }
  }

  private void tellMass(String cluster, int leftovers, int copies) {
    if (massive.add(cluster)) {
      metrics.mass(cluster);
      warn(
          cluster,
          EventReasons.MASS_DELETION,
          "%d of %d Workloads there are not here; each is asked for once more before it goes"
              .formatted(leftovers, copies));
    }
  }

  private void warn(String cluster, String reason, String message) {
    LOG.warn("worker {}: {}", cluster, message);
    ports
        .objects()
        .find(ApiKind.MULTI_KUEUE_CLUSTER.groupKind(), "", cluster)
        .map(it -> ObjectRef.of(ApiKind.MULTI_KUEUE_CLUSTER.hub(), it))
        .ifPresent(
            it ->
                ports
                    .outbox()
                    .send(
                        new Write.Event(it, Controllers.MULTI_KUEUE, "Warning", reason, message)));
  }

  private Result pause() {
    return interval.isPositive() ? new Result.Again(interval) : Result.REST;
  }

  private List<Leftover> leftovers(WorkerView view) {
    List<ObjectKey> missing =
        view.workloadsThere().stream()
            .filter(it -> ports.objects().find(WORKLOAD, it.namespace(), it.name()).isEmpty())
            .toList();
    boolean mayBeTakenOver = missing.stream().anyMatch(it -> isElastic(view, it));
    Set<String> takenOver = mayBeTakenOver ? takenOver() : Set.of();
    return missing.stream()
        .filter(it -> !takenOver.contains(it.namespace() + "/" + it.name()))
        .map(it -> leftover(view, it))
        .toList();
  }

  private static boolean isElastic(WorkerView view, ObjectKey key) {
    return view.presence(WORKLOAD, key.namespace(), key.name())
        .object()
        .filter(WorkloadCopies::isElastic)
        .isPresent();
  }

  /** The full names of slices, here or deleted, whose job another slice is about to take over. */
  private Set<String> takenOver() {
    return ports.objects().all(WORKLOAD).stream()
        .filter(it -> !SliceChain.predecessor(it).isEmpty())
        .filter(it -> it.path("status").path("clusterName").asText("").isEmpty())
        .filter(SliceChain::mayTakeOver)
        .map(SliceChain::predecessor)
        .collect(Collectors.toSet());
  }

  private Leftover leftover(WorkerView view, ObjectKey key) {
    Optional<JsonNode> workload = view.presence(WORKLOAD, key.namespace(), key.name()).object();
    Map<TypedObjectKey, JobLeft> jobs = new LinkedHashMap<>();
    view.jobsOf(key)
        .forEach(it -> view.type(it.kind()).ifPresent(type -> add(view, type, it, jobs)));
    workload.ifPresent(
        it ->
            it.path("metadata")
                .path("ownerReferences")
                .forEach(owner -> addOwner(view, owner, key, jobs)));
    return new Leftover(
        key,
        workload,
        List.copyOf(jobs.values()),
        asked.contains(key) ? Absence.ASKED : Absence.UNLISTED);
  }

  private static void add(
      WorkerView view,
      GroupVersionKind type,
      TypedObjectKey job,
      Map<TypedObjectKey, JobLeft> jobs) {
    Presence presence = view.presence(job.kind(), job.namespace(), job.name());
    if (!(presence instanceof Presence.Unlisted)) {
      jobs.put(job, new JobLeft(type, job.name(), presence.object()));
    }
  }

  /** An owner that no list has may have been asked for. */
  private static void addOwner(
      WorkerView view, JsonNode owner, ObjectKey key, Map<TypedObjectKey, JobLeft> jobs) {
    GroupVersionKind type =
        GroupVersionKind.of(owner.path("apiVersion").asText(), owner.path("kind").asText());
    String name = owner.path("name").asText();
    add(view, type, new TypedObjectKey(type.groupKind(), key.namespace(), name), jobs);
  }

  /**
   * Whether the API server of this cluster says that the Workload is not here. It is asked by a
   * list of that one name, for which the rights to watch suffice, and which no cache answers.
   */
  private boolean askHere(ObjectKey key, boolean isMass) {
    String path =
        Paths.collection(WorkloadView.TYPE, key.namespace())
            + "?fieldSelector="
            + URLEncoder.encode("metadata.name=" + key.name(), UTF_8);
    try {
      JsonNode list = MAPPER.readTree(ports.connection().get(path, Connection.JSON, BOUND));
      if (!list.path("items").isArray() || !list.path("items").isEmpty()) {
        return false; // the watch will show it
      }
    } catch (ConnectionException | IOException e) {
      LOG.debug("Workload {} cannot be asked for: {}", key, e.getMessage());
      return false;
    }
    if (isMass && asked.contains(key)) {
      confirmed.add(key);
    }
    asked.add(key);
    return true;
  }

  /** The writes of one object stay in their order; those of different ones need none. */
  private void send(String cluster, Sweep.Result result) {
    WorkerRequestQueue requests = requestQueues.of(cluster);
    Map<TypedObjectKey, List<Write>> writes = new LinkedHashMap<>();
    result.writes().stream()
        .filter(it -> !(it instanceof Write.Delete && deleted.contains(it.target().uid())))
        .forEach(it -> writes.computeIfAbsent(key(it.target()), _ -> new ArrayList<>()).add(it));
    writes.forEach(
        (key, list) ->
            requests.offer(
                new RequestBatch(
                    key,
                    Set.of(),
                    list,
                    ports.leads(),
                    it -> sent(cluster, it),
                    () -> queue.add(cluster))));
    Map<TypedObjectKey, Set<Plan.Ask>> asks = new LinkedHashMap<>();
    result
        .asksThere()
        .forEach(
            it ->
                asks.computeIfAbsent(
                        new TypedObjectKey(it.kind().groupKind(), it.namespace(), it.name()),
                        _ -> new HashSet<>())
                    .add(it));
    asks.forEach(
        (key, set) ->
            requests.offer(
                new RequestBatch(
                    key, set, List.of(), ports.leads(), _ -> {}, () -> queue.add(cluster))));
  }

  private void sent(String cluster, Write write) {
    if (write instanceof Write.Delete) {
      deleted.add(write.target().uid());
      metrics.swept(cluster, "no_workload");
    }
  }

  private static TypedObjectKey key(ObjectRef ref) {
    return new TypedObjectKey(ref.kind().groupKind(), ref.namespace(), ref.name());
  }

  @Override
  public void close() {
    queue.close();
  }
}
