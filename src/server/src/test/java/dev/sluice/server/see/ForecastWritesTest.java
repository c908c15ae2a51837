package dev.sluice.server.see;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.write.Write;
import dev.sluice.scheduler.write.WriteResult;
import dev.sluice.see.forecast.Band;
import dev.sluice.see.forecast.Forecast;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ForecastWritesTest {
  private static final double NEVER = Double.POSITIVE_INFINITY;

  private final Map<ObjectKey, Forecast> forecasts = new LinkedHashMap<>();
  private final Map<ObjectKey, ObjectNode> objects = new LinkedHashMap<>();
  private final List<Write.MergePatch> sent = new ArrayList<>();
  private Instant now = Instant.parse("2026-01-01T10:00:00Z");
  private long version = 1;
  private WriteResult answer = new WriteResult.Done(JsonNodeFactory.instance.objectNode());
  private boolean isStored = true;
  private long nanos;
  private Runnable meanwhile = () -> {};

  private final ForecastWrites writes =
      new ForecastWrites(
          new ForecastWrites.Source() {
            @Override
            public long version() {
              return version;
            }

            @Override
            public Map<ObjectKey, Forecast> forecasts() {
              return forecasts;
            }

            @Override
            public Optional<JsonNode> workload(ObjectKey key) {
              return Optional.ofNullable(objects.get(key));
            }
          },
          this::send,
          () -> nanos);

  private WriteResult send(Write write) {
    Write.MergePatch patch = (Write.MergePatch) write;
    sent.add(patch);
    meanwhile.run();
    ObjectNode stored = objects.get(new ObjectKey("a", patch.target().name()));
    if (isStored && stored != null && answer.isDone()) {
      stored
          .withObjectProperty("metadata")
          .set("annotations", patch.patch().at("/metadata/annotations"));
    }
    return answer;
  }

  private void workload(String name, String status) {
    try {
      objects.put(
          new ObjectKey("a", name),
          (ObjectNode)
              new JsonMapper()
                  .readTree(
                      "{\"metadata\":{\"uid\":\"u-%s\",\"resourceVersion\":\"7\"},\"status\":%s}"
                          .formatted(name, status)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void forecast(String name, Forecast.Status status, double minutes) {
    ObjectKey key = new ObjectKey("a", name);
    Band band = new Band(minutes * 50, minutes * 60, minutes * 80);
    var basis = new Forecast.Basis(now, Optional.empty(), 0, 32);
    forecasts.put(key, new Forecast(key, "u-" + name, "cq", status, band, band, basis));
  }

  private void waits(String name, double minutes) {
    workload(name, "{}");
    forecast(name, Forecast.Status.WINDOW, minutes);
  }

  private void turnAfter(Duration time) {
    nanos += time.toNanos();
    writes.turn();
  }

  private List<String> names() {
    return sent.stream().map(it -> it.target().name()).toList();
  }

  @Test
  void whoWaitsIsToldOnceTheSoonestStartFirstAndOnlyWhereItIsUnchanged() {
    waits("late", 90);
    waits("soon", 30);

    turnAfter(Duration.ZERO);
    version++;
    turnAfter(Duration.ofSeconds(10));

    assertThat(names()).containsExactly("soon", "late");
    Write.MergePatch first = sent.getFirst();
    assertThat(first.resourceVersion()).isEqualTo("7");
    assertThat(first.patch().at("/metadata/annotations/sluice.dev~1forecast").asText())
        .isEqualTo(
            "Window from=2026-01-01T10:25Z likely=2026-01-01T10:30Z until=2026-01-01T10:40Z"
                + " asOf=2026-01-01T10:00Z");
    assertThat(first.patch().path("metadata").size()).isEqualTo(1);
  }

  @Test
  void anotherStateIsWrittenOnceMore() {
    waits("w", 30);
    turnAfter(Duration.ZERO);

    now = now.plus(Duration.ofHours(1));
    forecast("w", Forecast.Status.BLOCKED, NEVER);
    version++;
    turnAfter(Duration.ofHours(1));
    turnAfter(Duration.ofSeconds(1));

    assertThat(sent).hasSize(2);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"admission\":{}}",
        "{\"conditions\":[{\"type\":\"Finished\",\"status\":\"True\"}]}"
      })
  void whatHasQuotaOrIsFinishedIsNotWrittenTo(String status) {
    waits("w", 30);
    workload("w", status);

    turnAfter(Duration.ZERO);

    assertThat(sent).isEmpty();
  }

  @Test
  void anotherWorkloadOfThatNameIsNotWrittenTo() {
    waits("w", 30);
    ((ObjectNode) requireNonNull(objects.get(new ObjectKey("a", "w"))).path("metadata"))
        .put("uid", "other");

    turnAfter(Duration.ZERO);

    assertThat(sent).isEmpty();
  }

  @Test
  void whileWorkloadsAreAdmittedNothingIsWritten() {
    waits("w", 30);
    turnAfter(Duration.ZERO);
    sent.clear();
    for (int i = 0; i < 5; i++) {
      waits("w" + i, 30);
    }
    version++;

    for (int i = 0; i < 10; i++) {
      writes.busy();
      turnAfter(Duration.ofMillis(1_900));
    }
    assertThat(sent).isEmpty();

    turnAfter(Duration.ofMillis(200));
    assertThat(sent).hasSize(5);
  }

  @Test
  void anAdmissionDuringATurnEndsIt() {
    for (int i = 0; i < 5; i++) {
      waits("w" + i, 30);
    }
    meanwhile = writes::busy;

    turnAfter(Duration.ZERO);

    assertThat(sent).hasSize(1);
  }

  @Test
  void atMostTenAreWrittenInATurn() {
    for (int i = 0; i < 25; i++) {
      waits("w" + i, 30);
    }

    turnAfter(Duration.ZERO);
    assertThat(sent).hasSize(10);
    turnAfter(Duration.ofSeconds(1));
    turnAfter(Duration.ofSeconds(1));

    assertThat(sent).hasSize(25);
    assertThat(names()).doesNotHaveDuplicates();
  }

  @Test
  void whoGotQuotaBetweenForecastAndTurnIsPassedOver() {
    for (int i = 0; i < 11; i++) {
      waits("w" + i, 30 + i);
    }
    turnAfter(Duration.ZERO);
    workload("w10", "{\"admission\":{}}");

    turnAfter(Duration.ofSeconds(1));

    assertThat(names()).hasSize(10).doesNotContain("w10");
  }

  @Test
  void aRefusalEndsTheTurnAndIsTriedWithTheNextForecastAfterARest() {
    for (int i = 0; i < 5; i++) {
      waits("w" + i, 30);
    }
    answer = new WriteResult.Refused(403, "forbidden");
    turnAfter(Duration.ZERO);
    version++;
    turnAfter(Duration.ofSeconds(9));
    assertThat(sent).hasSize(1);

    answer = new WriteResult.Done(JsonNodeFactory.instance.objectNode());
    turnAfter(Duration.ofSeconds(1));

    assertThat(sent).hasSize(6);
  }

  @Test
  void theApiServerIsLeftAloneForAsLongAsItAsks() {
    waits("w", 30);
    answer = new WriteResult.Unanswered("busy", Optional.of(Duration.ofSeconds(60)), false);
    turnAfter(Duration.ZERO);
    version++;

    turnAfter(Duration.ofSeconds(59));
    assertThat(sent).hasSize(1);

    turnAfter(Duration.ofSeconds(1));
    assertThat(sent).hasSize(2);
  }

  @Test
  void aWatchThatIsBehindCostsAConflictAndNoSecondWrite() {
    waits("w", 30);
    isStored = false;
    turnAfter(Duration.ZERO);
    answer = new WriteResult.Conflict("changed");
    version++;
    turnAfter(Duration.ofSeconds(10));
    var registry = new SimpleMeterRegistry();
    writes.bindTo(registry);

    assertThat(
            registry
                .get("sluice.forecast.annotations")
                .tag("result", "written")
                .functionCounter()
                .count())
        .isEqualTo(1);
    assertThat(
            registry
                .get("sluice.forecast.annotations")
                .tag("result", "conflict")
                .functionCounter()
                .count())
        .isEqualTo(1);
  }
}
