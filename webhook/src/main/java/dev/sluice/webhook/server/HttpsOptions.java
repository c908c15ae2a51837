package dev.sluice.webhook.server;

import static java.util.Objects.requireNonNull;

import java.util.Optional;

/**
 * How reviews are served on one HTTPS port.
 *
 * @param address where it listens
 * @param bounds the limits of requests
 * @param connections the number of connections and their idle timeout
 * @param tls which versions, cipher suites and key exchange groups are spoken
 * @param clients which clients may send reviews; empty for all
 * @param eventLoops how many loops share the work; one is used if any free port is asked for
 */
public record HttpsOptions(
    ListenAddress address,
    Bounds bounds,
    ConnectionBounds connections,
    TlsPolicy tls,
    Optional<ClientAuthorities> clients,
    int eventLoops) {
  public HttpsOptions {
    requireNonNull(address, "address");
    requireNonNull(bounds, "bounds");
    requireNonNull(connections, "connections");
    requireNonNull(tls, "tls");
    requireNonNull(clients, "clients");
    if (eventLoops < 1) {
      throw new IllegalArgumentException("eventLoops: " + eventLoops + " (expected: >= 1)");
    }
  }
}
