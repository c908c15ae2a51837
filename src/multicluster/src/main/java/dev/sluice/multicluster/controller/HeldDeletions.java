package dev.sluice.multicluster.controller;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.GroupKind;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.meta.TypedObjectKey;
import dev.sluice.api.vocabulary.Controllers;
import dev.sluice.api.vocabulary.EventReasons;
import dev.sluice.api.write.ObjectRef;
import dev.sluice.api.write.Write;
import dev.sluice.multicluster.link.Workers;
import dev.sluice.multicluster.link.Workers.Worker;
import dev.sluice.multicluster.protocol.HeldObject;
import dev.sluice.multicluster.view.WorkerView;
import dev.sluice.scheduler.ControllerPorts;
import dev.sluice.scheduler.work.WorkQueue;
import dev.sluice.scheduler.work.WorkQueue.Result;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells users of objects on workers whose deletion somebody's finalizer holds for a minute: once
 * each, by an event on the Workload here, or on the MultiKueueCluster if that is gone. No finalizer
 * is removed. Thread-safe.
 */
final class HeldDeletions implements AutoCloseable {
  /** How long a deletion may take before it is told. */
  static final Duration PATIENCE = Duration.ofMinutes(1);

  private static final Logger LOG = LoggerFactory.getLogger(HeldDeletions.class);
  private static final GroupKind WORKLOAD = ApiKind.WORKLOAD.groupKind();

  /** What there is of one Workload on one worker. */
  private record Place(String cluster, ObjectKey workload) {}

  /** An object that is held. */
  private record Held(Place place, TypedObjectKey object, String uid) {}

  private final ControllerPorts ports;
  private final Workers workers;
  private final Duration patience;

  /** Since when each is held, by our clock; one that was told has no time any more. */
  private final Map<Held, Optional<Instant>> seen = new ConcurrentHashMap<>();

  private final WorkQueue<Place> queue;

  /**
   * Starts to work.
   *
   * @param patience how long a deletion may take before it is told
   */
  HeldDeletions(ControllerPorts ports, Workers workers, Duration patience) {
    this.ports = ports;
    this.workers = workers;
    this.patience = patience;
    this.queue = new WorkQueue<>("multikueue-held", 1, this::look, ports.supervisor());
  }

  /** Something of that Workload changed on that worker. */
  void look(String cluster, ObjectKey workload) {
    Place place = new Place(cluster, workload);
    boolean isHeld = !held(place).isEmpty();
    if (isHeld || seen.keySet().stream().anyMatch(it -> it.place().equals(place))) {
      queue.add(place);
    }
  }

  private Result look(Place place) {
    Map<Held, HeldObject> held = held(place);
    seen.keySet()
        .removeIf(
            it ->
                workers.find(it.place().cluster()).isEmpty()
                    || (it.place().equals(place) && !held.containsKey(it)));
    Instant now = ports.clock().instant();
    List<Duration> waits = new ArrayList<>();
    held.forEach(
        (key, object) -> {
          Optional<Instant> since = seen.computeIfAbsent(key, _ -> Optional.of(now));
          Optional<Instant> due = since.map(it -> it.plus(patience));
          if (due.filter(now::isBefore).isPresent()) {
            waits.add(Duration.between(now, due.get()).plusMillis(1));
          } else if (due.isPresent() && ports.leads().getAsBoolean()) {
            seen.put(key, Optional.empty());
            tell(place, object);
          }
        });
    return waits.stream()
        .min(Duration::compareTo)
        .<Result>map(Result.Again::new)
        .orElse(Result.REST);
  }

  private Map<Held, HeldObject> held(Place place) {
    Map<Held, HeldObject> held = new ConcurrentHashMap<>();
    Optional<WorkerView> view = workers.find(place.cluster()).flatMap(Worker::known);
    if (view.isEmpty()) {
      return held;
    }
    List<TypedObjectKey> objects = new ArrayList<>(view.get().jobsOf(place.workload()));
    objects.add(
        new TypedObjectKey(WORKLOAD, place.workload().namespace(), place.workload().name()));
    for (TypedObjectKey key : objects) {
      view.get()
          .presence(key.kind(), key.namespace(), key.name())
          .object()
          .ifPresent(
              it ->
                  HeldObject.of(key.kind().kind(), it)
                      .ifPresent(
                          found -> held.put(new Held(place, key, WorkerCalls.uid(it)), found)));
    }
    return held;
  }

  private void tell(Place place, HeldObject object) {
    String message = "Worker cluster \"%s\": %s".formatted(place.cluster(), object.text());
    LOG.warn("{} of Workload {}", message, place.workload());
    Optional<JsonNode> here =
        ports.objects().find(WORKLOAD, place.workload().namespace(), place.workload().name());
    here.map(it -> ref(ApiKind.WORKLOAD, it))
        .or(
            () ->
                ports
                    .objects()
                    .find(ApiKind.MULTI_KUEUE_CLUSTER.groupKind(), "", place.cluster())
                    .map(it -> ref(ApiKind.MULTI_KUEUE_CLUSTER, it)))
        .ifPresent(
            it ->
                ports
                    .outbox()
                    .send(
                        new Write.Event(
                            it,
                            Controllers.MULTI_KUEUE,
                            "Warning",
                            EventReasons.MULTI_KUEUE,
                            message)));
  }

  private static ObjectRef ref(ApiKind kind, JsonNode object) {
    GroupVersionKind hub = kind.hub();
    return ObjectRef.of(hub, object);
  }

  @Override
  public void close() {
    queue.close();
  }
}
