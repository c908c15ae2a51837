package dev.sluice.webhook.server;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The limits of the connections of a port.
 *
 * @param most open connections; at this number an idle one is closed for the next, the longest idle
 *     of the addresses that have the most
 * @param mostPerAddress of those, connections from one IPv4 address or one IPv6 network of 64 bits
 * @param headTimeout time from accepting a connection to the end of the head of its first request,
 *     the TLS handshake included; and from the first byte of each later head to its end
 * @param idleTimeout time after which a connection without traffic is closed, once it has asked
 */
public record ConnectionBounds(
    int most, int mostPerAddress, Duration headTimeout, Duration idleTimeout) {
  private static final Duration SHORTEST = Duration.ofMillis(1);
  private static final Duration LONGEST = Duration.ofDays(1);
  private static final Duration HEAD_TIMEOUT = Duration.ofSeconds(10);

  /** Bounds of a port for kubelet, Prometheus and people. */
  public static final ConnectionBounds PAGES =
      new ConnectionBounds(128, 64, HEAD_TIMEOUT, Duration.ofMinutes(1));

  public ConnectionBounds {
    List<String> problems = new ArrayList<>();
    if (most < 1) {
      problems.add("most: " + most + " (expected: >= 1)");
    }
    if (mostPerAddress < 1 || mostPerAddress > most) {
      problems.add("mostPerAddress: " + mostPerAddress + " (expected: 1 to " + most + ")");
    }
    requireTime(headTimeout, "headTimeout", problems);
    requireTime(idleTimeout, "idleTimeout", problems);
    if (!problems.isEmpty()) {
      throw new IllegalArgumentException(String.join("; ", problems));
    }
  }

  private static void requireTime(Duration time, String name, List<String> problems) {
    if (time.compareTo(SHORTEST) < 0 || time.compareTo(LONGEST) > 0) {
      problems.add(name + ": " + time + " (expected: 1 ms to 24 h)");
    }
  }

  /** The bounds of the HTTPS port: half of its connections for one address, 10 s for a head. */
  public static ConnectionBounds of(Bounds bounds) {
    return new ConnectionBounds(
        bounds.maxConnections(), half(bounds.maxConnections()), HEAD_TIMEOUT, bounds.idleTimeout());
  }

  private static int half(int most) {
    return Math.max(1, most / 2);
  }

  /** The same with so many connections for one address. */
  public ConnectionBounds perAddress(int newMost) {
    return new ConnectionBounds(most, newMost, headTimeout, idleTimeout);
  }

  /** The same with so much time for a head. */
  public ConnectionBounds withHeadTimeout(Duration time) {
    return new ConnectionBounds(most, mostPerAddress, time, idleTimeout);
  }
}
