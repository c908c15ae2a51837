package dev.sluice.scheduler.write;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class EventTellerTest {
  @Test
  void aMessageIsCutToWhatAnEventMayBeAndNotWithinACharacter() {
    String cut = EventTeller.cut("x" + "ä".repeat(2_000));

    assertThat(cut.getBytes(StandardCharsets.UTF_8)).hasSize(1_023);
    assertThat(cut).endsWith("ä").doesNotContain("\uFFFD");
    assertThat(EventTeller.cut("short")).isEqualTo("short");
  }

  @Test
  void aBurstIsToldWholeAndThenSoManyASecond() {
    EventBudget budget = new EventBudget(0);
    int told = 0;
    for (int i = 0; i < 10_000; i++) {
      told += budget.allows(0) ? 1 : 0;
    }
    assertThat(told).isEqualTo(EventBudget.BURST);

    long later = Duration.ofSeconds(2).toNanos();
    for (int i = 0; i < 10_000; i++) {
      told += budget.allows(later) ? 1 : 0;
    }
    assertThat(told).isEqualTo(EventBudget.BURST + (int) (2 * EventBudget.PER_SECOND));
  }
}
