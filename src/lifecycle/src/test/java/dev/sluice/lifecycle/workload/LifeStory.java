package dev.sluice.lifecycle.workload;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.configuration.Scheduling.Requeuing;
import dev.sluice.api.configuration.Scheduling.WaitForPodsReady;
import dev.sluice.api.meta.Condition;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.queue.ClusterQueue;
import dev.sluice.api.queue.LocalQueue;
import dev.sluice.api.read.HubObjects;
import dev.sluice.api.workload.StatusDetail;
import dev.sluice.api.workload.Workload;
import dev.sluice.api.workload.WorkloadStatus;
import dev.sluice.api.write.Write;
import dev.sluice.lifecycle.nodes.Health;
import dev.sluice.quota.inventory.Inactivity;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What tests of the life of a Workload look at: it, what is around it, and what was done. */
abstract class LifeStory {
  private static final ObjectMapper JSON = new ObjectMapper();
  static final Instant T = Instant.parse("2026-11-21T12:00:00Z");
  static final String QUEUED =
      """
      {"metadata":{"name":"w","namespace":"ns","uid":"u","resourceVersion":"7","generation":1},
      "spec":{"queueName":"lq","podSets":[]}}\
      """;
  static final String CHECKED =
      """
      {"metadata":{"name":"cq","uid":"c"},"spec":{"admissionChecksStrategy":{"admissionChecks":[
      {"name":"b"},{"name":"a"}]}}}\
      """;

  final List<Write> written = new ArrayList<>();
  final List<String> events = new ArrayList<>();
  Instant now = T;
  Instant leadsSince = T;
  @Nullable LocalQueue localQueue =
      read(LocalQueue.class, "{\"metadata\":{\"name\":\"lq\"},\"spec\":{\"clusterQueue\":\"cq\"}}");
  @Nullable ClusterQueue clusterQueue =
      read(ClusterQueue.class, "{\"metadata\":{\"name\":\"cq\"},\"spec\":{}}");
  List<Inactivity> inactivity = List.of();
  boolean refused;
  boolean edited;
  boolean behind;
  @Nullable Condition verdictOfItsLike;
  Health health = Health.GOOD;
  LifeSettings settings =
      new LifeSettings(
          Optional.of(
              new WaitForPodsReady(
                  Duration.ofMinutes(30),
                  Duration.ofMinutes(5),
                  false,
                  new Requeuing(
                      false, OptionalInt.of(2), Duration.ofSeconds(60), Duration.ofSeconds(100)))),
          Optional.of(Duration.ofHours(1)),
          true,
          true,
          true,
          StatusDetail.GRANULAR);

  static <T> T read(Class<T> type, String json) {
    try {
      return HubObjects.read(type, JSON.readTree(json));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(json, e);
    }
  }

  static Workload workload(String status) {
    return workload(QUEUED, status);
  }

  static Workload workload(String object, String status) {
    try {
      ObjectNode tree = (ObjectNode) JSON.readTree(object);
      tree.set("status", JSON.readTree(status));
      return HubObjects.read(Workload.class, tree);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(status, e);
    }
  }

  static String conditions(String... conditions) {
    return "\"conditions\":["
        + Stream.of(conditions).map(LifeStory::condition).collect(Collectors.joining(","))
        + "]";
  }

  static String condition(String condition) {
    String[] part = condition.split(" ", 4);
    return """
    {"type":"%s","status":"%s","reason":"%s","message":"%s",
    "lastTransitionTime":"2026-11-21T12:00:00Z"}\
    """
        .formatted(part[0], part[1], part[2], part.length > 3 ? part[3] : "");
  }

  static final String ADMITTED =
      conditions("QuotaReserved True QuotaReserved", "Admitted True Admitted")
          + ",\"admission\":{\"clusterQueue\":\"cq\",\"podSetAssignments\":[]}";

  /** Looks until there is nothing more to do; what is written to the object itself is applied. */
  Workload live(Workload workload) {
    Workload at = workload;
    for (int looks = 0; looks < 20; looks++) {
      ReconcileStep step = reconcile(at);
      if (step.isRest()) {
        return at;
      }
      WorkloadStatus status = step.status().orElse(at.status());
      at = new Workload(at.metadata(), at.spec(), status);
      for (Write write : step.writes()) {
        written.add(write);
        if (write instanceof Write.MergePatch patch) {
          at = patched(at, patch);
        }
      }
      step.events().forEach(event -> events.add(event.reason()));
    }
    throw new AssertionError("no rest after 20 looks: " + at);
  }

  private static Workload patched(Workload workload, Write.MergePatch patch) {
    ObjectNode tree = HubObjects.write(workload);
    for (String part : List.of("metadata", "spec")) {
      for (var member : patch.patch().path(part).properties()) {
        merge(tree.withObjectProperty(part), member.getKey(), member.getValue());
      }
    }
    return HubObjects.read(Workload.class, (JsonNode) tree);
  }

  /** As a merge patch does. */
  private static void merge(ObjectNode into, String name, JsonNode value) {
    if (value.isNull()) {
      into.remove(name);
    } else if (value.isObject()) {
      for (var member : value.properties()) {
        merge(into.withObjectProperty(name), member.getKey(), member.getValue());
      }
    } else {
      into.set(name, value);
    }
  }

  ReconcileStep reconcile(Workload workload) {
    return new WorkloadReconciler(settings).reconcile(workload, dependencies(), leadsSince, now);
  }

  ReconcileStep tell(Workload workload) {
    return new WorkloadReconciler(settings).reportPending(workload, dependencies(), now);
  }

  WorkloadDependencies dependencies() {
    return new WorkloadDependencies() {
      @Override
      public Optional<LocalQueue> localQueue(String namespace, String name) {
        return Optional.ofNullable(localQueue);
      }

      @Override
      public Optional<ClusterQueue> clusterQueue(String name) {
        return Optional.ofNullable(clusterQueue);
      }

      @Override
      public Optional<Integer> priority(String name) {
        return name.equals("high") ? Optional.of(100) : Optional.empty();
      }

      @Override
      public boolean isPriorityEdited(ObjectKey workload) {
        return edited;
      }

      @Override
      public boolean isPriorityBehind(ObjectKey workload) {
        return behind;
      }

      @Override
      public List<Inactivity> inactivity(String name) {
        return inactivity;
      }

      @Override
      public boolean isRefused(Workload evaluated) {
        return refused;
      }

      @Override
      public Optional<Condition> verdictOfItsLike(Workload likened) {
        return Optional.ofNullable(verdictOfItsLike);
      }

      @Override
      public Health health(Workload placed, Instant at) {
        return health;
      }
    };
  }

  static String told(Workload workload, String type) {
    Condition condition = workload.status().condition(type).orElseThrow();
    return condition.status().text() + " " + condition.reason() + ": " + condition.message();
  }

  static String checks(String a, String b) {
    String check =
        "{\"name\":\"%s\",\"state\":\"%s\",\"message\":\"m\","
            + "\"lastTransitionTime\":\"2026-11-21T12:00:00Z\"}";
    return ",\"admission\":{\"clusterQueue\":\"cq\",\"podSetAssignments\":[]},\"admissionChecks\":["
        + check.formatted("a", a)
        + ","
        + check.formatted("b", b)
        + "]";
  }
}
