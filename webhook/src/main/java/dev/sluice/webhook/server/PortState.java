package dev.sluice.webhook.server;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.Optional;

/**
 * What the answers to probes amount to. The server is not ready from the first failure on, until a
 * probe is answered well again. One answer that is late does not count as such a failure, but the
 * second in a row does: to callers, slow answers are better than none. The server is unhealthy
 * after {@link #FAILURES} failures in a row over at least {@link #LEAST}: a restart is a last
 * resort. A server that is only busy stays ready and healthy for {@link #BUSY}. Thread-safe.
 */
final class PortState {
  static final int FAILURES = 3;
  static final Duration LEAST = Duration.ofSeconds(30);
  static final Duration BUSY = Duration.ofMinutes(2);

  @GuardedBy("this")
  private int failures;

  @GuardedBy("this")
  private boolean isReady = true;

  @GuardedBy("this")
  private long failingSince;

  @GuardedBy("this")
  private long goodAt;

  @GuardedBy("this")
  private String sentence = "";

  /** A state that begins with a good answer at that time, in nanoseconds. */
  PortState(long now) {
    this.goodAt = now;
  }

  /** A probe ended like that. */
  synchronized void ended(PortProbe.Outcome outcome, long now) {
    switch (outcome) {
      case PortProbe.Outcome.Good _ -> {
        failures = 0;
        isReady = true;
        goodAt = now;
      }
      case PortProbe.Outcome.Busy(String why) -> {
        if (now - goodAt > BUSY.toNanos()) {
          failed(why, now);
          isReady = false;
        }
      }
      case PortProbe.Outcome.Late(String why) -> {
        failed(why, now);
        isReady = isReady && failures == 1;
      }
      case PortProbe.Outcome.Broken(String why) -> {
        failed(why, now);
        isReady = false;
      }
    }
  }

  @GuardedBy("this")
  private void failed(String why, long now) {
    if (failures == 0) {
      failingSince = now;
    }
    failures++;
    sentence = why;
  }

  /** Why no requests should come; empty if they should. */
  synchronized Optional<String> whyNotReady() {
    return isReady
        ? Optional.empty()
        : Optional.of("the server does not answer its own probe: " + sentence);
  }

  /** Why the process should be restarted; empty if it should not. */
  synchronized Optional<String> problem(long now) {
    return failures >= FAILURES && now - failingSince >= LEAST.toNanos()
        ? Optional.of(
            "https: %d probes failed in a row in %d s, last with: %s"
                .formatted(failures, Duration.ofNanos(now - failingSince).toSeconds(), sentence))
        : Optional.empty();
  }
}
