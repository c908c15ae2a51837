package dev.sluice.cli.hostile;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
import dev.sluice.cli.testcluster.Kueue;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.controlplane.Poll;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;

/** The objects of one attack: they are stored, counted and in the end removed. Thread-safe. */
final class HostileObjects {
  private static final Duration SETTLED = Duration.ofSeconds(60);
  private static final Duration PAUSE = Duration.ofMillis(250);
  private static final JsonMapper JSON = new JsonMapper();
  private static final int MOST = 400;

  private final ApiClient api;
  private final String base;
  private final Queue<String> stored = new ConcurrentLinkedQueue<>();
  private final List<String> kept = new ArrayList<>(); // what the others need, to the end
  private final LongAdder tried = new LongAdder();
  private final LongAdder refused = new LongAdder();
  private final AtomicReference<String> queueToEmpty = new AtomicReference<>("");

  /** With a namespace, a topology, a flavor, a ClusterQueue and a LocalQueue of this name. */
  HostileObjects(ApiClient api, String base) {
    this.api = api;
    this.base = base;
    api.create("/api/v1/namespaces", "{\"metadata\":{\"name\":\"" + base + "\"}}");
    store(
        Kueue.collection(ApiKind.TOPOLOGY, ApiVersion.HUB),
        base,
        Kueue.topology(ApiVersion.HUB, base, "l", "kubernetes.io/hostname"));
    create(
        ApiKind.RESOURCE_FLAVOR,
        base,
        "{\"topologyName\":\"%s\",\"nodeLabels\":{\"pool\":\"x\"}}".formatted(base));
    create(ApiKind.CLUSTER_QUEUE, base, Kueue.clusterQueue(base, 1000));
    create(ApiKind.LOCAL_QUEUE, base, Kueue.localQueue(base));
    kept.addAll(stored);
    stored.clear();
  }

  String base() {
    return base;
  }

  /** Stores an object with this spec; whether it was taken. */
  boolean create(ApiKind kind, String name, String spec) {
    return store(
        Kueue.collection(kind, ApiVersion.HUB, base),
        name,
        Kueue.object(kind, ApiVersion.HUB, name, "\"spec\":" + spec));
  }

  /** Stores an object as it is; whether it was taken. When there are many, the oldest goes. */
  boolean store(String collection, String name, String body) {
    tried.increment();
    ApiClient.Response answer = api.create(collection, body);
    if (!answer.isSuccess()) {
      refused.increment();
      return false;
    }
    stored.add(collection + "/" + name);
    if (stored.size() > MOST) {
      remove(String.valueOf(stored.poll()));
    }
    return true;
  }

  /** Gives an object a status by a merge patch; whether it was taken. */
  boolean setStatus(ApiKind kind, String name, String status) {
    tried.increment();
    boolean taken =
        api.mergePatch(path(kind, name) + "/status", "{\"status\":" + status + "}").isSuccess();
    if (!taken) {
      refused.increment();
    }
    return taken;
  }

  /** Reads an object at another version than the one stored. */
  void readAt(ApiKind kind, ApiVersion version, String name) {
    api.get(Kueue.collection(kind, version, base) + "/" + name);
  }

  void delete(ApiKind kind, String name) {
    api.delete(path(kind, name));
  }

  private String path(ApiKind kind, String name) {
    return Kueue.collection(kind, ApiVersion.HUB, base) + "/" + name;
  }

  /** At the end nothing may be reserved of the ClusterQueue with our name. */
  void mustBeEmptyAtTheEnd() {
    queueToEmpty.set(base);
  }

  void checkAtTheEnd(Breaches breaches) {
    String queue = queueToEmpty.get();
    if (queue.isEmpty()) {
      return;
    }
    stored.stream().filter(path -> path.contains("/workloads/")).toList().forEach(this::remove);
    AtomicReference<JsonNode> last = new AtomicReference<>(JSON.createObjectNode());
    boolean isEmpty =
        Poll.until(
            SETTLED,
            PAUSE,
            () -> {
              JsonNode status =
                  api.get(path(ApiKind.CLUSTER_QUEUE, queue)).orThrow().json().path("status");
              last.set(status);
              return status.path("reservingWorkloads").asInt() == 0
                  && status.at("/flavorsReservation/0/resources/0/total").asText("0").equals("0");
            });
    if (!isEmpty) {
      int there =
          api.get(Kueue.collection(ApiKind.WORKLOAD, ApiVersion.HUB, base))
              .orThrow()
              .json()
              .path("items")
              .size();
      breaches.add(
          "quota of %s is still reserved after %s, with %d Workloads there: %s"
              .formatted(queue, SETTLED, there, last.get()));
    }
  }

  private void remove(String path) {
    stored.remove(path);
    api.delete(path);
  }

  void removeAll() {
    for (String path = stored.poll(); path != null; path = stored.poll()) {
      api.delete(path);
    }
    kept.reversed().forEach(api::delete);
  }

  @Override
  public String toString() {
    return "%d writes, %d refused".formatted(tried.sum(), refused.sum());
  }
}
