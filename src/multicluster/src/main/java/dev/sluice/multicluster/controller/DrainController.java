package dev.sluice.multicluster.controller;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.GroupKind;
import dev.sluice.api.meta.Conditions;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.vocabulary.ConditionTypes;
import dev.sluice.api.vocabulary.Controllers;
import dev.sluice.api.vocabulary.EventReasons;
import dev.sluice.api.vocabulary.Labels;
import dev.sluice.api.write.ObjectRef;
import dev.sluice.api.write.Write;
import dev.sluice.multicluster.copy.Identity;
import dev.sluice.multicluster.drain.Drain;
import dev.sluice.multicluster.drain.Drain.Step;
import dev.sluice.multicluster.link.CleanupFinalizer;
import dev.sluice.multicluster.link.Workers;
import dev.sluice.multicluster.link.Workers.Worker;
import dev.sluice.multicluster.protocol.Link;
import dev.sluice.scheduler.ControllerPorts;
import dev.sluice.scheduler.work.WorkQueue;
import dev.sluice.scheduler.work.WorkQueue.Result;
import dev.sluice.scheduler.write.WriteResult;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the finalizer of each MultiKueueCluster in use, so that the object stays until its worker
 * is drained. The planner and the sweep move Workloads away; this controller waits for that.
 */
final class DrainController implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DrainController.class);
  private static final GroupKind CLUSTER = ApiKind.MULTI_KUEUE_CLUSTER.groupKind();
  private static final GroupKind WORKLOAD = ApiKind.WORKLOAD.groupKind();
  private static final GroupKind CONFIG = ApiKind.MULTI_KUEUE_CONFIG.groupKind();
  private static final Duration UNTIL_IDENTITY_IS_KNOWN = Duration.ofMillis(200);

  private final ControllerPorts ports;
  private final Workers workers;
  private final WorkerRequestQueues requestQueues;
  private final Supplier<Optional<Identity>> identity;
  private final DispatchSettings settings;
  private final WorkQueue<String> queue;

  /** Since when a draining worker has had no object of ours. */
  private final Map<String, Instant> emptySince = new ConcurrentHashMap<>();

  /** The number of our objects on each worker when it was last known, by resource. */
  private final Map<String, SortedMap<String, Integer>> lastLeft = new ConcurrentHashMap<>();

  /** Clusters whose finalizer the API server does not let us write. */
  private final Set<String> unheld = ConcurrentHashMap.newKeySet();

  /** Starts to work. */
  DrainController(
      ControllerPorts ports,
      Workers workers,
      WorkerRequestQueues requestQueues,
      Supplier<Optional<Identity>> identity,
      DispatchSettings settings) {
    this.ports = ports;
    this.workers = workers;
    this.requestQueues = requestQueues;
    this.identity = identity;
    this.settings = settings;
    this.queue = new WorkQueue<>("multikueue-drain", 1, this::look, ports.supervisor());
  }

  /** Looks at that MultiKueueCluster. */
  void add(String cluster) {
    queue.add(cluster);
  }

  /** Looks at all of them. */
  void resync() {
    ports.objects().all(CLUSTER).forEach(it -> queue.add(ObjectKey.of(it).name()));
  }

  /**
   * Whether objects may be created on that worker: not before its MultiKueueCluster has the
   * finalizer. If the rights to write the finalizer are missing, the worker is used without it.
   */
  boolean allowsCreates(String cluster) {
    return find(cluster).filter(it -> !isDeleted(it) && mayHold(it)).isPresent();
  }

  /** Whether objects may be on that worker: none is created before the finalizer is there. */
  boolean mayHaveObjects(String cluster) {
    return find(cluster).filter(this::mayHold).isPresent();
  }

  private Optional<JsonNode> find(String cluster) {
    return ports.objects().find(CLUSTER, "", cluster);
  }

  private boolean mayHold(JsonNode object) {
    return CleanupFinalizer.isOn(object) || unheld.contains(ObjectKey.of(object).name());
  }

  static boolean isDeleted(JsonNode object) {
    return object.path("metadata").has("deletionTimestamp");
  }

  private Result look(String cluster) {
    Optional<JsonNode> found = find(cluster);
    if (found.isEmpty()) {
      forget(cluster);
      return Result.REST;
    }
    Optional<Identity> us = identity.get();
    if (!ports.leads().getAsBoolean()) {
      return Result.REST; // it is looked at again when this replica leads
    }
    if (us.isEmpty() || !ports.objects().knows(CONFIG)) {
      return new Result.Again(UNTIL_IDENTITY_IS_KNOWN);
    }
    Instant now = ports.clock().instant();
    Step step = drain(found.get(), cluster, us.get()).next(settings.workerLostTimeout(), now);
    emptySince.remove(cluster);
    return switch (step) {
      case Step.Rest _ -> Result.REST;
      case Step.Hold _ -> write(found.get(), cluster, true);
      case Step.Release _ -> {
        LOG.info("MultiKueueCluster {}: nothing is left on the worker, it may go", cluster);
        yield write(found.get(), cluster, false);
      }
      case Step.Abandon _ -> {
        warn(found.get(), cluster);
        yield write(found.get(), cluster, false);
      }
      case Step.Wait(var until, var since) -> {
        since.ifPresent(it -> emptySince.put(cluster, it));
        yield new Result.Again(Duration.between(now, until).plusMillis(1));
      }
    };
  }

  private void forget(String cluster) {
    emptySince.remove(cluster);
    lastLeft.remove(cluster);
    unheld.remove(cluster);
  }

  private Drain drain(JsonNode object, String cluster, Identity us) {
    Optional<Worker> worker = workers.find(cluster);
    Optional<SortedMap<String, Integer>> left =
        worker.flatMap(Worker::known).map(it -> it.objectsOf(us.manager()));
    left.ifPresent(it -> lastLeft.put(cluster, it));
    boolean isHeld = CleanupFinalizer.isOn(object);
    Link link = worker.map(Worker::link).orElseGet(Link.Connecting::new);
    return new Drain(
        isDeleted(object),
        isHeld,
        isNamed(cluster),
        !isHeld && !(link instanceof Link.Connected) && isChosen(cluster),
        link,
        left.stream().flatMap(it -> it.values().stream()).mapToInt(it -> it).sum(),
        requestQueues.find(cluster).filter(it -> !it.isIdle()).isPresent(),
        Optional.ofNullable(emptySince.get(cluster)));
  }

  private boolean isNamed(String cluster) {
    return ports.objects().all(CONFIG).stream()
        .flatMap(it -> it.path("spec").path("clusters").valueStream())
        .anyMatch(it -> it.asText().equals(cluster));
  }

  /**
   * Whether a Workload says that it runs there. An eviction removes that, so it is looked for as
   * soon as this replica leads. Nominations do not count: a job is sent to the chosen worker only.
   */
  private boolean isChosen(String cluster) {
    return ports.objects().all(WORKLOAD).stream()
        .filter(it -> it.path("status").path("clusterName").asText().equals(cluster))
        .anyMatch(it -> !Conditions.isTrue(it, ConditionTypes.FINISHED));
  }

  private Result write(JsonNode object, String cluster, boolean isHeld) {
    return switch (ports.outbox().send(CleanupFinalizer.write(object, isHeld))) {
      case WriteResult.Done _ -> {
        unheld.remove(cluster);
        yield Result.REST;
      }
      case WriteResult.Missing _, WriteResult.NotLeading _ -> Result.REST;
      case WriteResult.Refused(_, var message) -> {
        if (unheld.add(cluster)) {
          LOG.warn("MultiKueueCluster {}: its finalizer cannot be written: {}", cluster, message);
        }
        yield Result.FAILED;
      }
      case WriteResult.Conflict _, WriteResult.Unanswered _ -> Result.FAILED;
    };
  }

  private static ObjectRef ref(JsonNode object) {
    return ObjectRef.of(ApiKind.MULTI_KUEUE_CLUSTER.hub(), object);
  }

  private void warn(JsonNode object, String cluster) {
    String message =
        "the worker was out of reach for %s: %s; when it is back, delete them there: %s"
            .formatted(
                text(settings.workerLostTimeout()),
                counted(Optional.ofNullable(lastLeft.get(cluster))),
                command(Optional.ofNullable(lastLeft.get(cluster))));
    LOG.warn("MultiKueueCluster {}: {}", cluster, message);
    ports
        .outbox()
        .send(
            new Write.Event(
                ref(object),
                Controllers.MULTI_KUEUE,
                "Warning",
                EventReasons.OBJECTS_LEFT_ON_WORKER,
                message));
  }

  private static String text(Duration time) {
    return time.toMinutes() > 0 ? time.toMinutes() + "m" : time.toSeconds() + "s";
  }

  private static String counted(Optional<SortedMap<String, Integer>> left) {
    return left.map(
            it ->
                it.isEmpty()
                    ? "nothing was there when it was last seen, copies may be there"
                    : it.entrySet().stream()
                            .map(kind -> kind.getValue() + " " + kind.getKey())
                            .collect(Collectors.joining(", "))
                        + " are left there")
        .orElse("it is not known how many copies are left there");
  }

  private String command(Optional<SortedMap<String, Integer>> left) {
    List<String> kinds =
        left.filter(it -> !it.isEmpty())
            .map(it -> List.copyOf(it.keySet()))
            .orElse(settings.resources());
    return "kubectl --context %s delete %s -A -l %s=%s"
        .formatted("WORKER", String.join(",", kinds), Labels.MULTI_KUEUE_ORIGIN, settings.origin());
  }

  @Override
  public void close() {
    queue.close();
  }
}
