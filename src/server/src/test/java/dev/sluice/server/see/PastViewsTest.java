package dev.sluice.server.see;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.read.HubObjects;
import dev.sluice.api.workload.Workload;
import dev.sluice.quota.Change;
import dev.sluice.quota.ObjectKind;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.see.forecast.Band;
import dev.sluice.see.forecast.Forecast;
import dev.sluice.see.forecast.KnownRuns;
import dev.sluice.see.forecast.Score;
import dev.sluice.see.runtimes.RunGroup;
import dev.sluice.server.history.HistoryPages;
import dev.sluice.server.history.HistoryRecorder;
import dev.sluice.server.reply.Reply;
import dev.sluice.supervision.Supervisor;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PastViewsTest {
  private static final ObjectKey MINE = new ObjectKey("a", "mine");
  private static final String FORECAST = "namespaces/a/workloads/mine/forecast";

  @TempDir private Path folder;
  private final LiveQueues queues = new LiveQueues();

  /** A history in a folder, and one forecast. */
  private record Remembered(HistoryPages lines) implements Past {
    @Override
    public KnownRuns runs(Instant now) {
      return KnownRuns.none(now);
    }

    @Override
    public Optional<HistoryPages> pages() {
      return Optional.of(lines);
    }

    @Override
    public Optional<Forecast> forecast(ObjectKey workload) {
      Band band = new Band(600, 1_800, 3_900);
      Forecast.Basis basis =
          new Forecast.Basis(
              LiveQueues.NOW,
              Optional.of(new RunGroup(RunGroup.Level.SERIES, "a/Job/mine")),
              12,
              32);
      return workload.equals(MINE)
          ? Optional.of(new Forecast(MINE, "u", "cq", Forecast.Status.WINDOW, band, band, basis))
          : Optional.empty();
    }

    @Override
    public Map<String, Score> scores() {
      return Map.of("cq", new Score(10, 8, 60, 30));
    }
  }

  @BeforeEach
  void aQueueThatIsFull() {
    queues.namespace("a");
    queues.flavor("f");
    queues.clusterQueue("cq", 2, "");
    queues.localQueue("a", "team", "cq");
    queues.running("a", "first", 2, 0, "cq");
    queues.waiting("a", "mine", 1, 0);
  }

  private Asked asked(Past past) throws IOException {
    return new Asked(queues, folder, Runnable::run, past);
  }

  private static JsonNode ok(Reply reply) {
    assertThat(reply.status()).as(new String(reply.body(), UTF_8)).isEqualTo(200);
    return Asked.json(reply);
  }

  private HistoryRecorder recorded() throws IOException {
    HistoryRecorder recorder =
        HistoryRecorder.open(
            folder.resolve("history"),
            1 << 20,
            EngineConfiguration.defaults(),
            new HistoryRecorder.Known() {
              @Override
              public boolean isComplete() {
                return false;
              }

              @Override
              public @Nullable JsonNode workload(ObjectKey key) {
                return queues.find(ApiKind.WORKLOAD.groupKind(), key).orElse(null);
              }

              @Override
              public Iterable<JsonNode> workloads() {
                return queues.all(ApiKind.WORKLOAD.groupKind());
              }
            },
            _ -> {},
            InstantSource.fixed(LiveQueues.NOW),
            new Supervisor());
    for (JsonNode workload : queues.all(ApiKind.WORKLOAD.groupKind())) {
      recorder.note(
          Change.upserted(ObjectKind.WORKLOAD, HubObjects.read(Workload.class, workload)));
    }
    return recorder;
  }

  @ParameterizedTest
  @ValueSource(strings = {FORECAST, "history", "forecastscores"})
  void aServerWithoutHistorySaysSo(String path) throws IOException {
    try (Asked asked = asked(Past.NONE)) {
      Reply reply = asked.get("admin", path);

      assertThat(reply.status()).isEqualTo(404);
      assertThat(new String(reply.body(), UTF_8)).contains("keeps no history");
    }
  }

  @Test
  void theHistoryComesInPagesAndEndsWithWhatIsHeldNow() throws IOException {
    HistoryRecorder recorder = recorded();
    recorder.close(); // writes what was noted
    try (Asked asked = asked(new Remembered(recorder.pages()))) {
      List<String> steps = new ArrayList<>();
      String place = "";
      while (place != null) {
        JsonNode page = ok(asked.get("admin", "history?limit=2" + place));
        page.path("items").forEach(it -> steps.add(it.path("step").asText()));
        JsonNode next = page.path("next");
        place =
            next.isObject()
                ? "&segment=%s&offset=%s&instance=%s"
                    .formatted(next.path("segment"), next.path("offset"), next.path("instance"))
                : null;
      }

      assertThat(steps).containsExactly("Queued", "Reserved", "Admitted", "Queued", "Open");
      assertThat(asked.get("admin", "history?limit=0").status()).isEqualTo(400);
      Reply other = asked.get("admin", "history?segment=1&offset=0&instance=5");
      assertThat(new String(other.body(), UTF_8)).contains("of another replica");
      assertThat(asked.get("admin", "history?since=x").status()).isEqualTo(400);
    }
  }

  @Test
  void aForecastIsABandWithItsBasisAndScore() throws IOException {
    HistoryRecorder recorder = recorded();
    recorder.close();
    try (Asked asked = asked(new Remembered(recorder.pages()))) {
      JsonNode forecast = ok(asked.get("user", FORECAST)).path("forecast");

      assertThat(forecast.path("status").asText()).isEqualTo("Window");
      assertThat(forecast.path("from").asText())
          .isEqualTo(LiveQueues.NOW.plusSeconds(600).toString());
      assertThat(forecast.path("likely").asText())
          .isEqualTo(LiveQueues.NOW.plusSeconds(1_800).toString());
      assertThat(forecast.path("until").asText())
          .isEqualTo(LiveQueues.NOW.plusSeconds(3_900).toString());
      assertThat(forecast.at("/basis/group").asText()).isEqualTo("the same series");
      assertThat(forecast.at("/basis/samples").asInt()).isEqualTo(12);
      assertThat(forecast.at("/score/within").asInt()).isEqualTo(8);
      assertThat(ok(asked.get("user", "namespaces/a/workloads/first/forecast")).path("waits"))
          .hasToString("false");
      assertThat(asked.get("user", FORECAST.replace("mine", "none")).status()).isEqualTo(404);
    }
  }

  @Test
  void explanationsAndLinesHaveIt() throws IOException {
    HistoryRecorder recorder = recorded();
    recorder.close();
    try (Asked asked = asked(new Remembered(recorder.pages()))) {
      JsonNode explanation = ok(asked.get("user", "namespaces/a/workloads/mine/explanation"));
      JsonNode line = ok(asked.get("user", "namespaces/a/localqueues/team/line"));
      JsonNode scores = ok(asked.get("admin", "forecastscores"));

      assertThat(explanation.at("/forecast/score/starts").asInt()).isEqualTo(10);
      assertThat(line.at("/items/0/forecast/status").asText()).isEqualTo("Window");
      assertThat(scores.at("/items/0/within").asInt()).isEqualTo(8);
    }
  }
}
