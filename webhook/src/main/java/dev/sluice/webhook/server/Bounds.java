package dev.sluice.webhook.server;

import static java.util.Objects.requireNonNull;

import dev.sluice.json.JsonLimits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * How much the server takes on. Beyond a bound a request is answered 413 (too large), 429 (too many
 * at once) or 503 (too slow) with one sentence; connections beyond theirs are closed.
 *
 * @param maxBodyBytes bytes of one request's body
 * @param maxAnswerBytes bytes of one answer
 * @param json bounds within a body
 * @param maxConcurrent requests being answered or waiting for a worker at one time
 * @param maxBytesInFlight bytes that all requests hold at one time: bodies, answers, and what is
 *     made on the way; each open request counts for some kilobytes at least. The last eighth is
 *     kept for small requests
 * @param maxConnections open connections
 * @param bodyTimeout time for a body to arrive once its request has begun; the rest of a body that
 *     was refused is thrown away for as long before the caller is cut off
 * @param requestTimeout time for a request until it is answered; a shorter {@code ?timeout=} of the
 *     caller wins. The caller has as long again to take the answer
 * @param idleTimeout time after which a connection without traffic is closed
 */
public record Bounds(
    int maxBodyBytes,
    long maxAnswerBytes,
    JsonLimits json,
    int maxConcurrent,
    long maxBytesInFlight,
    int maxConnections,
    Duration bodyTimeout,
    Duration requestTimeout,
    Duration idleTimeout) {
  // above the first instance, whose constructor reads them
  private static final Duration SHORTEST = Duration.ofMillis(1);
  private static final Duration LONGEST = Duration.ofDays(1);

  /** Bounds that suit an API server with large lists and a JVM of some hundred megabytes. */
  public static final Bounds DEFAULT =
      new Bounds(
          40 << 20,
          128L << 20,
          JsonLimits.DEFAULT,
          1000,
          128L << 20,
          1000,
          Duration.ofSeconds(10),
          Duration.ofSeconds(30),
          Duration.ofMinutes(5));

  private static final long LEAST_IN_FLIGHT = 64L << 20;
  private static final long MOST_IN_FLIGHT = 512L << 20;

  /**
   * The bytes that requests may hold in a heap of this many bytes: half of it. The rest is for the
   * server's own data, for garbage, and for uncounted memory.
   */
  public static long bytesInFlight(long heap) {
    return Math.clamp(heap / 2, LEAST_IN_FLIGHT, MOST_IN_FLIGHT);
  }

  public Bounds {
    requireNonNull(json, "json");
    List<String> problems = new ArrayList<>();
    require(maxBodyBytes >= 1 << 10, problems, "maxBodyBytes: " + maxBodyBytes, ">= 1024");
    require(
        maxAnswerBytes >= maxBodyBytes, problems, "maxAnswerBytes: " + maxAnswerBytes, ">= body");
    require(maxConcurrent >= 1, problems, "maxConcurrent: " + maxConcurrent, ">= 1");
    require(
        maxBytesInFlight >= maxBodyBytes,
        problems,
        "maxBytesInFlight: " + maxBytesInFlight,
        ">= " + maxBodyBytes + ", the largest body");
    require(maxConnections >= 1, problems, "maxConnections: " + maxConnections, ">= 1");
    requireTime(bodyTimeout, problems, "bodyTimeout");
    requireTime(requestTimeout, problems, "requestTimeout");
    requireTime(idleTimeout, problems, "idleTimeout");
    if (!problems.isEmpty()) {
      throw new IllegalArgumentException(String.join("; ", problems));
    }
  }

  private static void requireTime(Duration time, List<String> problems, String name) {
    boolean ok = time.compareTo(SHORTEST) >= 0 && time.compareTo(LONGEST) <= 0;
    require(ok, problems, name + ": " + time, "1 ms to 24 h");
  }

  private static void require(boolean ok, List<String> problems, String found, String expected) {
    if (!ok) {
      problems.add(found + " (expected: " + expected + ")");
    }
  }
}
