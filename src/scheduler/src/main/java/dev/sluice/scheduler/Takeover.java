package dev.sluice.scheduler;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.GroupKind;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.read.HubObjects;
import dev.sluice.api.read.MalformedObjectException;
import dev.sluice.api.workload.Workload;
import dev.sluice.cluster.api.Connection;
import dev.sluice.cluster.api.ConnectionException;
import dev.sluice.quota.Change;
import dev.sluice.quota.ObjectKind;
import dev.sluice.scheduler.store.Objects;
import dev.sluice.scheduler.write.Paths;
import dev.sluice.supervision.Heartbeat;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lists every Workload once from the API server instead of the watch, which may lag: a new leader
 * must know every reservation of the last leader before it makes its own, and every placement
 * before it ungates a pod.
 */
final class Takeover {
  private static final Logger LOG = LoggerFactory.getLogger(Takeover.class);
  private static final ObjectMapper JSON = new JsonMapper();
  private static final Duration BOUND = Duration.ofSeconds(30);
  private static final Duration PAUSE = Duration.ofMillis(500);
  private static final Duration GLANCE = Duration.ofMillis(10);

  /** Longer than a watch can be silent before all is listed again. */
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private static final int PAGE = 500;
  private static final GroupKind WORKLOAD = ApiKind.WORKLOAD.groupKind();

  private final Connection connection;
  private final Objects objects;

  Takeover(Connection connection, Objects objects) {
    this.connection = connection;
    this.objects = objects;
  }

  /** Tells all, trying until it can; beats once for each page. */
  void read(Consumer<Change> engine, Heartbeat heart) throws InterruptedException {
    while (true) {
      heart.beat();
      try {
        awaitShown(pages(engine, heart), heart);
        return;
      } catch (ConnectionException e) {
        if (e.reason() == ConnectionException.Reason.NOT_SERVED) {
          return; // no Workloads, no reservations
        }
        LOG.warn(
            "takeover: the stored Workloads cannot be listed, retrying in {} ms: {}",
            PAUSE.toMillis(),
            e.getMessage());
      }
      TimeUnit.NANOSECONDS.sleep(PAUSE.toNanos());
    }
  }

  /**
   * Waits until the watch has shown all of these, or their end: a job whose Workload is not seen
   * would be stopped. A watch that is silent lists again after a while.
   */
  private void awaitShown(List<JsonNode> ahead, Heartbeat heart) throws InterruptedException {
    List<JsonNode> left = ahead;
    long began = System.nanoTime();
    while (true) {
      left =
          left.stream()
              .filter(it -> objects.presence(WORKLOAD, it) == Objects.Presence.TO_COME)
              .toList();
      if (left.isEmpty()) {
        return;
      }
      if (System.nanoTime() - began > PATIENCE.toNanos()) {
        LOG.warn("takeover: goes on though the watch has not shown {} Workloads", left.size());
        return;
      }
      heart.beat();
      TimeUnit.NANOSECONDS.sleep(GLANCE.toNanos());
    }
  }

  /** Tells the engine all, and returns those that the watch has not shown yet. */
  private List<JsonNode> pages(Consumer<Change> engine, Heartbeat heart) {
    List<JsonNode> ahead = new ArrayList<>();
    String path = Paths.collection(ApiKind.WORKLOAD.hub(), "") + "?limit=" + PAGE;
    String next = "";
    do {
      JsonNode page = page(next.isEmpty() ? path : path + "&continue=" + next);
      heart.beat();
      for (JsonNode item : page.path("items")) {
        tell(item, engine);
        if (objects.presence(WORKLOAD, item) == Objects.Presence.TO_COME) {
          ahead.add(item);
        }
      }
      next =
          URLEncoder.encode(
              page.path("metadata").path("continue").asText(), StandardCharsets.UTF_8);
    } while (!next.isEmpty());
    return ahead;
  }

  private JsonNode page(String path) {
    try {
      return JSON.readTree(connection.get(path, Connection.JSON, BOUND));
    } catch (IOException e) {
      throw Connection.unreadable(e);
    }
  }

  /**
   * The watch has not shown it yet; it may deliver its creation and its deletion at this moment.
   */
  private void tellAhead(JsonNode item, Workload workload, Consumer<Change> engine) {
    engine.accept(Change.upserted(ObjectKind.WORKLOAD, workload));
    if (objects.presence(WORKLOAD, item) == Objects.Presence.GONE) {
      var metadata = workload.metadata();
      engine.accept(
          new Change.Deleted(ObjectKind.WORKLOAD, ObjectKey.of(metadata), metadata.uid()));
    }
  }

  private void tell(JsonNode item, Consumer<Change> engine) {
    try {
      ((ObjectNode) item.path("metadata")).remove("managedFields");
      objects.wrote(WORKLOAD, item); // pods get the places that it has now
      Workload workload = HubObjects.read(Workload.class, item);
      switch (objects.presence(WORKLOAD, item)) {
        case SHOWN -> engine.accept(new Change.WorkloadAnswered(workload));
        case GONE -> {} // the watch has delivered its deletion
        case TO_COME -> tellAhead(item, workload, engine);
      }
    } catch (MalformedObjectException _) {
      LOG.debug(
          "takeover: ignored a Workload that cannot be read: {}",
          item.path("metadata").path("name"));
    }
  }
}
