package dev.sluice.server.history;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.read.HubObjects;
import dev.sluice.api.workload.Workload;
import dev.sluice.quota.Change;
import dev.sluice.quota.ObjectKind;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.see.history.Gap;
import dev.sluice.see.history.HistoryLine;
import dev.sluice.see.history.Step;
import dev.sluice.see.history.Transition;
import dev.sluice.supervision.Supervisor;
import dev.sluice.testkit.Fault;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The thread of the history, with each kind of fault thrown once into its work. */
class HistoryFaultsTest {
  private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");
  private static final String WORKLOAD =
      """
      {"metadata":{"name":"w","namespace":"a","uid":"u","creationTimestamp":"2026-01-01T11:00:00Z"},
      "spec":{"queueName":"q","podSets":[{"name":"main","count":1,"template":{"spec":{"containers":
      [{"name":"c"}]}}}]}}\
      """;

  @TempDir private Path folder;
  private final List<String> ends = new CopyOnWriteArrayList<>();
  private final AtomicReference<Runnable> trap = new AtomicReference<>(() -> {});

  private List<HistoryLine> lines() {
    List<HistoryLine> lines = new ArrayList<>();
    try {
      HistoryFiles.read(folder, lines::add);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return lines;
  }

  private boolean hasItQueued() {
    return lines().stream()
        .anyMatch(it -> it instanceof Transition line && line.step() == Step.QUEUED);
  }

  private HistoryRecorder open() throws IOException {
    JsonNode object = new JsonMapper().readTree(WORKLOAD);
    InstantSource clock =
        () -> {
          trap.get().run();
          return NOW;
        };
    return HistoryRecorder.open(
        folder,
        1 << 20,
        EngineConfiguration.defaults(),
        new HistoryRecorder.Known() {
          @Override
          public boolean isComplete() {
            return true;
          }

          @Override
          public JsonNode workload(ObjectKey key) {
            return object;
          }

          @Override
          public List<JsonNode> workloads() {
            return List.of(object);
          }
        },
        _ -> {},
        clock,
        new Supervisor((code, why) -> ends.add(code + why), clock, System::nanoTime));
  }

  @ParameterizedTest
  @EnumSource
  void aFaultLosesNoLineAndLeavesAGapOrItEndsTheProcess(Fault fault) throws IOException {
    try (HistoryRecorder recorder = open().start()) {
      Fault.Trap once = fault.once();
      trap.set(once::pass);
      recorder.note(
          Change.upserted(
              ObjectKind.WORKLOAD, HubObjects.read(Workload.class, WORKLOAD.getBytes(UTF_8))));

      await()
          .atMost(Duration.ofMinutes(1))
          .until(() -> once.hasStruck() && (hasItQueued() || !ends.isEmpty()));
    }
    assertThat(lines().stream().filter(it -> it instanceof Transition)).hasSizeLessThan(2);
    assertThat(ends.isEmpty() ? lines().stream().filter(it -> it instanceof Gap).toList() : ends)
        .isNotEmpty();
  }
}
