package dev.sluice.server.history;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.read.HubObjects;
import dev.sluice.api.workload.Workload;
import dev.sluice.quota.Change;
import dev.sluice.quota.ObjectKind;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.see.history.HistoryLine;
import dev.sluice.see.history.Transition;
import dev.sluice.supervision.Supervisor;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LogFeedTest {
  private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");

  private final Map<ObjectKey, JsonNode> workloads = new ConcurrentHashMap<>();
  private final List<HistoryLine> lines = new CopyOnWriteArrayList<>();

  private LogFeed feed(int inbox) {
    var known =
        new HistoryRecorder.Known() {
          @Override
          public boolean isComplete() {
            return true;
          }

          @Override
          public @Nullable JsonNode workload(ObjectKey key) {
            return workloads.get(key);
          }

          @Override
          public Collection<JsonNode> workloads() {
            return workloads.values();
          }
        };
    return new LogFeed(
        EngineConfiguration.defaults(),
        known,
        lines::add,
        InstantSource.fixed(NOW),
        new Supervisor(),
        inbox);
  }

  private Change created(String name) throws IOException {
    byte[] json =
        """
        {"metadata":{"name":"%s","namespace":"a","uid":"uid-%1$s",
        "creationTimestamp":"2026-01-01T11:00:00Z"},"spec":{"queueName":"q","podSets":[]}}\
        """
            .formatted(name)
            .getBytes(UTF_8);
    workloads.put(new ObjectKey("a", name), new ObjectMapper().readTree(json));
    return Change.upserted(ObjectKind.WORKLOAD, HubObjects.read(Workload.class, json));
  }

  private Change deleted(String name) {
    workloads.remove(new ObjectKey("a", name));
    return new Change.Deleted(ObjectKind.WORKLOAD, new ObjectKey("a", name), "uid-" + name);
  }

  private void awaitLines(String... expected) {
    await()
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(
            () ->
                assertThat(
                        lines.stream()
                            .map(Transition.class::cast)
                            .map(it -> it.step().text() + " " + it.subject().workload().name()))
                    .containsExactlyInAnyOrder(expected));
  }

  @Test
  void eachChangeBecomesTheLinesOfAHistory() throws IOException {
    try (LogFeed feed = feed(100)) {
      feed.start();
      feed.note(created("w"));
      feed.note(created("w"));
      feed.note(deleted("w"));

      awaitLines("Queued w", "Gone w");
    }
  }

  @Test
  void whatDidNotFitIsReadFromTheObjects() throws IOException {
    try (LogFeed feed = feed(2)) {
      feed.note(created("w1"));
      feed.note(created("w2"));
      feed.note(created("w3")); // lost
      feed.note(deleted("w1")); // lost, too
      feed.start();

      awaitLines("Queued w1", "Queued w2", "Queued w3", "Gone w1");
    }
  }
}
