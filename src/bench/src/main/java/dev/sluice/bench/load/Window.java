package dev.sluice.bench.load;

import java.time.Duration;

/**
 * How long to send: first to warm up, then measured.
 *
 * @param warmUp time whose answers are checked but not counted
 * @param measured time whose answers are counted
 */
public record Window(Duration warmUp, Duration measured) {
  public Window {
    if (warmUp.isNegative() || measured.toMillis() < 100) {
      throw new IllegalArgumentException(
          "warmUp: %s, measured: %s (expected: >= 0 and >= 100 ms)".formatted(warmUp, measured));
    }
  }
}
