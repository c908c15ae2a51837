package dev.sluice.webhook.endpoint;

import dev.sluice.api.configuration.GoDuration;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

/** The moment by which a request must be answered. */
public final class Deadline {
  private static final Duration LONGEST = Duration.ofHours(1000);

  private final LongSupplier nanoTime;
  private final long at;

  private Deadline(LongSupplier nanoTime, long at) {
    this.nanoTime = nanoTime;
    this.at = at;
  }

  /** The deadline this far from now, by a clock that counts nanoseconds from anywhere. */
  public static Deadline after(Duration time, LongSupplier nanoTime) {
    return new Deadline(nanoTime, nanoTime.getAsLong() + time.toNanos());
  }

  /**
   * The time a caller allows, as Kubernetes writes it into {@code ?timeout=}: {@code 10s}, {@code
   * 1m30s}, {@code 1.5s}, {@code 500ms}. Empty for anything else, for no time at all, and for 1000
   * hours and more.
   */
  public static Optional<Duration> parse(String text) {
    return GoDuration.parse(text).filter(time -> time.isPositive() && time.compareTo(LONGEST) < 0);
  }

  /** The time until then; negative when it has passed. */
  public Duration left() {
    return Duration.ofNanos(at - nanoTime.getAsLong());
  }

  /** Whether it is too late. */
  public boolean expired() {
    return nanoTime.getAsLong() - at >= 0;
  }
}
