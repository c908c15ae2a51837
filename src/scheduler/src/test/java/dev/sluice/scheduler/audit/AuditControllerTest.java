package dev.sluice.scheduler.audit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.quota.QuotaEngine;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.supervision.Supervisor;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class AuditControllerTest {
  private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");

  private final QuotaEngine engine = new QuotaEngine(EngineConfiguration.defaults());
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final Map<ObjectKey, JsonNode> stored = new TreeMap<>();
  private final AuditController audit =
      new AuditController(
          () -> engine.snapshot(NOW),
          new StoredAudit(
              new ShownWorkloads(stored), () -> engine.snapshot(NOW), _ -> {}, _ -> {}, () -> 0),
          registry,
          new Supervisor());

  private double count(String name) {
    return registry.get(name).counter().count();
  }

  @Test
  void countsItsRounds() {
    audit.step();
    audit.step();
    assertThat(count("sluice.audit.rounds")).isEqualTo(2);
    assertThat(count("sluice.audit.findings")).isZero();
  }

  @Test
  void tellsAndCountsEachFindingOnce() {
    audit.report(List.of("Workload a/b holds quota twice"));
    audit.report(List.of("Workload a/b holds quota twice", "Workload a/c waits nowhere"));
    assertThat(count("sluice.audit.findings")).isEqualTo(2);
  }

  @Test
  void countsStoredWorkloadsThatContradictThemselves() {
    stored.put(new ObjectKey("ns", "w"), ShownWorkloads.contradictory("w"));

    audit.step();
    assertThat(registry.get("sluice.contradictory.workloads").gauge().value()).isEqualTo(1);
    assertThat(count("sluice.audit.findings")).as("it may be repaired at once").isZero();
    audit.step();
    audit.step();
    assertThat(count("sluice.audit.findings")).isEqualTo(1);
    assertThat(audit.now().text())
        .contains("Workload ns/w contradicts itself: QuotaReserved is True");

    stored.clear();
    audit.step();
    assertThat(registry.get("sluice.contradictory.workloads").gauge().value()).isZero();
  }

  @Test
  void looksAtAllOnDemand() {
    assertThat(audit.now()).isEqualTo(new AuditReport(true, List.of()));
    assertThat(audit.now().text()).isEqualTo("0 findings");
  }
}
