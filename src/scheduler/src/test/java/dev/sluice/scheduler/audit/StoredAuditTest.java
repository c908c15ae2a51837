package dev.sluice.scheduler.audit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.read.HubObjects;
import dev.sluice.api.workload.Workload;
import dev.sluice.quota.Change;
import dev.sluice.quota.ObjectKind;
import dev.sluice.quota.QuotaEngine;
import dev.sluice.quota.configuration.EngineConfiguration;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class StoredAuditTest {
  private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");
  private static final ObjectKey KEY = new ObjectKey("ns", "w");
  private static final JsonNode HOLDER =
      ShownWorkloads.workload(
          "w",
          "u1",
          ShownWorkloads.reserved()
              + """
              ,"admission":{"clusterQueue":"cq","podSetAssignments":[{"name":"main",
              "flavors":{"cpu":"f"},"resourceUsage":{"cpu":"1"},"count":1}]}\
              """);

  private final QuotaEngine engine = new QuotaEngine(EngineConfiguration.defaults());
  private final Map<ObjectKey, JsonNode> shown = new TreeMap<>();
  private final List<ObjectKey> repaired = new ArrayList<>();
  private long nanos;
  private final StoredAudit audit =
      new StoredAudit(
          new ShownWorkloads(shown),
          () -> engine.snapshot(NOW),
          change -> engine.apply(change, NOW),
          repaired::add,
          () -> nanos);

  private void tellEngine(JsonNode workload) {
    engine.apply(
        Change.upserted(ObjectKind.WORKLOAD, HubObjects.read(Workload.class, workload)), NOW);
  }

  private List<String> after(Duration time) {
    nanos += time.toNanos();
    return audit.goOn(1_000);
  }

  @Test
  void whatNothingShowsForThreeMinutesIsToldAndGivenBack() {
    tellEngine(HOLDER);

    assertThat(after(Duration.ZERO)).isEmpty();
    assertThat(after(Duration.ofSeconds(179))).isEmpty();
    assertThat(engine.snapshot(NOW).holders("cq")).hasSize(1);
    assertThat(after(Duration.ofSeconds(1)))
        .containsExactly(
            "Workload ns/w (UID: u1) is not there, and the engine holds quota of ClusterQueue cq"
                + " for it; that is given back");

    assertThat(engine.snapshot(NOW).workloads()).isEmpty();
    assertThat(engine.snapshot(NOW).holders("cq")).isEmpty();
    assertThat(after(Duration.ofMinutes(5))).isEmpty();
  }

  @Test
  void whatIsShownStaysAndSoDoesWhatIsShownLate() {
    tellEngine(HOLDER);
    after(Duration.ZERO);
    after(Duration.ofSeconds(170));
    shown.put(KEY, HOLDER);
    after(Duration.ofSeconds(1));
    shown.clear();

    assertThat(after(Duration.ofSeconds(100))).as("missing since now").isEmpty();
    assertThat(engine.snapshot(NOW).holders("cq")).hasSize(1);
  }

  @Test
  void anotherOneOfTheSameNameIsNotTakenForIt() {
    tellEngine(HOLDER);
    shown.put(KEY, ShownWorkloads.workload("w", "u2", ""));
    after(Duration.ZERO);

    assertThat(after(Duration.ofMinutes(3))).hasSize(1);

    assertThat(engine.snapshot(NOW).workloads()).isEmpty();
  }

  @Test
  void whatContradictsItselfIsRepairedAtOnceAndToldOnceItLasts() {
    shown.put(KEY, ShownWorkloads.contradictory("w"));

    assertThat(after(Duration.ZERO)).isEmpty();
    assertThat(repaired).containsExactly(KEY);
    assertThat(after(Duration.ofSeconds(1)))
        .containsExactly(
            "Workload ns/w contradicts itself: QuotaReserved is True, and there is no"
                + " status.admission");
    assertThat(audit.contradictory()).isEqualTo(1);
  }

  @Test
  void aRoundIsDoneInPieces() {
    for (String name : List.of("a", "b", "c")) {
      shown.put(new ObjectKey("ns", name), ShownWorkloads.contradictory(name));
    }

    audit.goOn(2);
    assertThat(audit.contradictory()).as("the round is not over").isZero();
    audit.goOn(2);
    assertThat(audit.contradictory()).isEqualTo(3);
  }
}
