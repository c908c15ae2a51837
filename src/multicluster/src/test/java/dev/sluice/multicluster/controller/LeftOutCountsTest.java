package dev.sluice.multicluster.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.multicluster.protocol.Memory;
import dev.sluice.multicluster.protocol.Memory.Cause;
import dev.sluice.multicluster.protocol.Memory.LeftOut;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LeftOutCountsTest {
  private static final Instant NOW = Instant.parse("2026-11-24T10:00:00Z");
  private static final ObjectKey ONE = new ObjectKey("ns", "one");
  private static final ObjectKey OTHER = new ObjectKey("ns", "other");

  private final LeftOutCounts counts = new LeftOutCounts();

  private void note(ObjectKey workload, Instant now, Cause cause) {
    LeftOut leftOut = new LeftOut(1, NOW.plusSeconds(60), cause, "w");
    counts.note(
        workload,
        new Memory(
            Map.of(),
            Map.of("a", leftOut),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Map.of()),
        now);
  }

  @Test
  void eachWorkloadCountsOnceHoweverOftenItIsPlanned() {
    note(ONE, NOW, Cause.REJECTED);
    note(ONE, NOW.plusSeconds(1), Cause.REJECTED);
    note(OTHER, NOW, Cause.REJECTED);

    assertThat(counts.count("a", Cause.REJECTED)).isEqualTo(2);
    assertThat(counts.count("a", Cause.NAME_TAKEN)).isZero();
    assertThat(counts.count("b", Cause.REJECTED)).isZero();
  }

  @Test
  void aWorkloadCountsForItsLastCause() {
    note(ONE, NOW, Cause.REJECTED);
    note(ONE, NOW, Cause.NAME_TAKEN);

    assertThat(counts.count("a", Cause.REJECTED)).isZero();
    assertThat(counts.count("a", Cause.NAME_TAKEN)).isEqualTo(1);
  }

  @Test
  void itCountsNoLongerWhenTheTimeIsOverOrItIsGone() {
    note(ONE, NOW, Cause.REJECTED);
    note(OTHER, NOW, Cause.REJECTED);

    note(ONE, NOW.plusSeconds(60), Cause.REJECTED);
    counts.forget(OTHER);

    assertThat(counts.count("a", Cause.REJECTED)).isZero();
  }
}
