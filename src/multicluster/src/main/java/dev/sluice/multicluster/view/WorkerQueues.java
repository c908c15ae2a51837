package dev.sluice.multicluster.view;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.GroupKind;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.meta.ObjectChange;
import dev.sluice.api.vocabulary.ConditionTypes;
import dev.sluice.cluster.api.Connection;
import dev.sluice.cluster.view.KindStatus.State;
import dev.sluice.cluster.view.WatchTimes;
import dev.sluice.cluster.view.WatchedKind;
import dev.sluice.cluster.view.WatchedView;
import dev.sluice.json.tree.Keep;
import dev.sluice.multicluster.protocol.QueueState;
import dev.sluice.supervision.Supervisor;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The queues and namespaces of one worker, as far as the rights there allow to watch them. Without
 * these rights nothing is known, and nothing is wrong. Thread-safe.
 */
final class WorkerQueues implements AutoCloseable {
  private static final GroupKind LOCAL_QUEUE = ApiKind.LOCAL_QUEUE.groupKind();
  private static final GroupKind CLUSTER_QUEUE = ApiKind.CLUSTER_QUEUE.groupKind();
  private static final GroupVersionKind NAMESPACES = new GroupVersionKind("", "v1", "Namespace");
  private static final GroupKind NAMESPACE = NAMESPACES.groupKind();
  private static final Keep METADATA =
      Keep.only(
          "name", "namespace", "uid", "resourceVersion", "creationTimestamp", "deletionTimestamp");

  private final InstantSource clock;
  private final Consumer<String> listener;
  private final WatchedView view;

  /** Since when this process has seen each queue active; the key has the kind. */
  private final Map<String, Instant> activeSince = new ConcurrentHashMap<>();

  /**
   * Starts to watch; returns at once.
   *
   * @param listener receives each namespace in which a Workload may wait for something else than
   *     before; must not block
   */
  WorkerQueues(
      Connection connection,
      InstantSource clock,
      Consumer<String> listener,
      Supervisor supervisor) {
    this.clock = clock;
    this.listener = listener;
    this.view =
        new WatchedView(
            connection,
            List.of(
                watched(NAMESPACES, "namespaces"),
                watched(ApiKind.CLUSTER_QUEUE.hub(), ApiKind.CLUSTER_QUEUE.plural()),
                watched(ApiKind.LOCAL_QUEUE.hub(), ApiKind.LOCAL_QUEUE.plural())),
            WatchTimes.DEFAULT,
            new Random(),
            this::changed,
            supervisor);
    view.start();
  }

  private static WatchedKind watched(GroupVersionKind type, String plural) {
    return new WatchedKind(
        type,
        Optional.of(plural),
        Keep.only("metadata", "spec", "status")
            .with("metadata", METADATA)
            .with("spec", Keep.only("clusterQueue"))
            .with("status", Keep.only("conditions")),
        false);
  }

  private void changed(GroupKind kind, ObjectChange change) {
    JsonNode latest = change.latest();
    if (kind.equals(NAMESPACE)) {
      if (!change.before().map(WorkerQueues::isLeaving).equals(isLeavingAfter(change))) {
        listener.accept(name(latest));
      }
      return;
    }
    String key = key(kind, latest);
    boolean isActive = change.after().filter(it -> isActive(kind, it)).isPresent();
    if (isActive) {
      activeSince.putIfAbsent(key, clock.instant());
    } else {
      activeSince.remove(key);
    }
    if (change
        .before()
        .map(WorkerQueues::relevant)
        .equals(change.after().map(WorkerQueues::relevant))) {
      return;
    }
    if (kind.equals(LOCAL_QUEUE)) {
      listener.accept(namespace(latest));
    } else {
      namespacesOf(name(latest)).forEach(listener);
    }
  }

  private static Optional<Boolean> isLeavingAfter(ObjectChange change) {
    return change.after().map(WorkerQueues::isLeaving);
  }

  private List<String> namespacesOf(String clusterQueue) {
    return view.all(LOCAL_QUEUE).stream()
        .filter(it -> clusterQueue(it).equals(clusterQueue))
        .map(WorkerQueues::namespace)
        .distinct()
        .toList();
  }

  /** What of a queue matters to those who wait. */
  private static List<String> relevant(JsonNode queue) {
    List<String> relevant = new ArrayList<>(List.of(clusterQueue(queue)));
    active(queue)
        .ifPresent(
            it -> {
              relevant.add(it.path("status").asText());
              relevant.add(it.path("message").asText());
            });
    return relevant;
  }

  /** A LocalQueue without the condition is taken for active; a ClusterQueue is not. */
  private static boolean isActive(GroupKind kind, JsonNode queue) {
    return active(queue)
        .map(it -> it.path("status").asText().equals("True"))
        .orElse(kind.equals(LOCAL_QUEUE));
  }

  private static Optional<JsonNode> active(JsonNode queue) {
    return queue
        .path("status")
        .path("conditions")
        .valueStream()
        .filter(it -> it.path("type").asText().equals(ConditionTypes.ACTIVE))
        .findFirst();
  }

  private static boolean isLeaving(JsonNode object) {
    return object.path("metadata").has("deletionTimestamp");
  }

  private static String key(GroupKind kind, JsonNode object) {
    return kind.kind() + " " + namespace(object) + "/" + name(object);
  }

  private static String name(JsonNode object) {
    return object.path("metadata").path("name").asText();
  }

  private static String namespace(JsonNode object) {
    return object.path("metadata").path("namespace").asText("");
  }

  private static String clusterQueue(JsonNode localQueue) {
    return localQueue.path("spec").path("clusterQueue").asText("");
  }

  /** Whether all objects of a kind are known now. */
  private boolean isCurrent(GroupKind kind) {
    return view.statuses().stream()
        .anyMatch(it -> it.kind().equals(kind) && it.state() == State.CURRENT);
  }

  /** The state of the LocalQueue of that name. */
  QueueState state(String namespace, String name) {
    if (isCurrent(NAMESPACE)) {
      Optional<JsonNode> found = view.find(NAMESPACE, "", namespace);
      if (found.filter(it -> !isLeaving(it)).isEmpty()) {
        return new QueueState.NoNamespace(found.isPresent());
      }
    }
    if (!isCurrent(LOCAL_QUEUE) || name.isEmpty()) {
      return new QueueState.Unknown();
    }
    return view.find(LOCAL_QUEUE, namespace, name)
        .map(this::state)
        .orElseGet(QueueState.NoLocalQueue::new);
  }

  private QueueState state(JsonNode localQueue) {
    if (!isCurrent(CLUSTER_QUEUE)) {
      return new QueueState.Unknown();
    }
    String name = clusterQueue(localQueue);
    Optional<JsonNode> found = view.find(CLUSTER_QUEUE, "", name);
    if (found.isEmpty()) {
      return new QueueState.NotActive("ClusterQueue " + name, "it is not there");
    }
    JsonNode clusterQueue = found.get();
    if (!isActive(CLUSTER_QUEUE, clusterQueue)) {
      return notActive("ClusterQueue " + name, clusterQueue);
    }
    if (!isActive(LOCAL_QUEUE, localQueue)) {
      return notActive("LocalQueue " + namespace(localQueue) + "/" + name(localQueue), localQueue);
    }
    return new QueueState.Active(
        name,
        latest(
            Instant.MIN,
            List.of(since(LOCAL_QUEUE, localQueue), since(CLUSTER_QUEUE, clusterQueue))),
        Stream.of(
                created(localQueue),
                created(clusterQueue),
                transition(localQueue),
                transition(clusterQueue))
            .max(String::compareTo)
            .orElse(""));
  }

  private static QueueState notActive(String queue, JsonNode object) {
    return new QueueState.NotActive(
        queue, active(object).map(it -> it.path("message").asText()).orElse(""));
  }

  private Instant since(GroupKind kind, JsonNode queue) {
    return activeSince.getOrDefault(key(kind, queue), clock.instant());
  }

  private static Instant latest(Instant first, List<Instant> others) {
    return others.stream().reduce(first, (a, b) -> a.isAfter(b) ? a : b);
  }

  private static String created(JsonNode object) {
    return object.path("metadata").path("creationTimestamp").asText("");
  }

  private static String transition(JsonNode queue) {
    return active(queue).map(it -> it.path("lastTransitionTime").asText("")).orElse("");
  }

  @Override
  public void close() {
    view.close();
  }
}
