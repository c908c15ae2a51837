package dev.sluice.webhook.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.json.JsonLimits;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BoundsTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  @Test
  void namesAllProblemsAtOnce() {
    assertThatThrownBy(
            () ->
                new Bounds(
                    1023,
                    1022,
                    JsonLimits.DEFAULT,
                    0,
                    1022,
                    0,
                    Duration.ZERO,
                    Duration.ofNanos(999_999),
                    Duration.ofSeconds(-1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "maxBodyBytes: 1023 (expected: >= 1024); maxAnswerBytes: 1022 (expected: >= body);"
                + " maxConcurrent: 0 (expected: >= 1);"
                + " maxBytesInFlight: 1022 (expected: >= 1023, the largest body);"
                + " maxConnections: 0 (expected: >= 1);"
                + " bodyTimeout: PT0S (expected: 1 ms to 24 h);"
                + " requestTimeout: PT0.000999999S (expected: 1 ms to 24 h);"
                + " idleTimeout: PT-1S (expected: 1 ms to 24 h)");
  }

  @ParameterizedTest
  @CsvSource({"256, 128", "100, 64", "512, 256", "8192, 512"})
  void givesRequestsHalfOfTheHeapWithinReason(long heapMiB, long inFlightMiB) {
    assertThat(Bounds.bytesInFlight(heapMiB << 20)).isEqualTo(inFlightMiB << 20);
  }

  @Test
  void takesTheSmallest() {
    Duration least = Duration.ofMillis(1);

    var bounds = new Bounds(1024, 1024, JsonLimits.DEFAULT, 1, 1024, 1, least, least, least);

    assertThat(bounds.maxConcurrent()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"PT24H0.001S", "PT99999999999H", "PT-99999999999H"})
  void takesNoTimeThatNobodyMeans(Duration time) {
    assertThatThrownBy(
            () -> new Bounds(1024, 1024, JsonLimits.DEFAULT, 1, 1024, 1, SECOND, SECOND, time))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("idleTimeout: " + time + " (expected: 1 ms to 24 h)");
  }
}
