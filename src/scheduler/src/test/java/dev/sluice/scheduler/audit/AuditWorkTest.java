package dev.sluice.scheduler.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.quota.QuotaEngine;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.supervision.Supervisor;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class AuditWorkTest {
  private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");

  private final QuotaEngine engine = new QuotaEngine(EngineConfiguration.defaults());
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final AuditWork audit =
      new AuditWork(() -> engine.snapshot(NOW), registry, new Supervisor());

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
    audit.tell(List.of("Workload a/b holds quota twice"));
    audit.tell(List.of("Workload a/b holds quota twice", "Workload a/c waits nowhere"));
    assertThat(count("sluice.audit.findings")).isEqualTo(2);
  }

  @Test
  void looksAtAllOnDemand() {
    assertThat(audit.now()).isEqualTo(new AuditReport(true, List.of()));
    assertThat(audit.now().text()).isEqualTo("0 findings");
  }
}
