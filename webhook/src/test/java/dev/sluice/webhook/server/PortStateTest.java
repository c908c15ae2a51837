package dev.sluice.webhook.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.webhook.server.PortProbe.Outcome;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PortStateTest {
  private static final long BEGAN = Long.MAX_VALUE - 10; // a clock that overflows
  private final PortState state = new PortState(BEGAN);

  private static long at(long seconds) {
    return BEGAN + Duration.ofSeconds(seconds).toNanos();
  }

  /** Letters for probes ten seconds apart: good, busy, late, failed. */
  @ParameterizedTest
  @CsvSource({
    "g, true, true",
    "f, false, true",
    "ff, false, true",
    "fff, false, true",
    "ffff, false, false",
    "fffffff, false, false",
    "ffffg, true, true",
    "fffgf, false, true",
    "b, true, true",
    "bbbbbbbbbbbb, true, true",
    "bbbbbbbbbbbbb, false, true",
    "bbbbbbbbbbbbbbbb, false, false",
    "bbbbbbgbbbbbb, true, true",
    "fffbf, false, false",
    "l, true, true",
    "lg, true, true",
    "lgl, true, true",
    "ll, false, true",
    "lbl, false, true",
    "lf, false, true",
    "fl, false, true",
    "llg, true, true",
    "llll, false, false",
  })
  void aServerIsReadyUntilAProbeFailsOrTwoAreLateAndHealthyUntilSeveralDo(
      String probes, boolean ready, boolean healthy) {
    long now = 0;
    for (int i = 0; i < probes.length(); i++) {
      now += 10;
      state.ended(
          switch (probes.charAt(i)) {
            case 'g' -> new Outcome.Good();
            case 'b' -> new Outcome.Busy("status 429");
            case 'l' -> new Outcome.Late("no answer within 15 s");
            default -> new Outcome.Broken("refused");
          },
          at(now));
    }

    assertThat(state.whyNotReady().isEmpty()).as("ready").isEqualTo(ready);
    assertThat(state.problem(at(now)).isEmpty()).as("healthy").isEqualTo(healthy);
  }

  @Test
  void aProblemTellsTheProbesTheTimeAndTheCause() {
    for (int i = 1; i <= 4; i++) {
      state.ended(new Outcome.Broken("ConnectException: refused"), at(10L * i));
    }

    assertThat(state.problem(at(41)))
        .contains("https: 4 probes failed in a row in 31 s, last with: ConnectException: refused");
    assertThat(state.whyNotReady())
        .contains("the server does not answer its own probe: ConnectException: refused");
  }
}
