package dev.sluice.webhook;

import static java.util.Objects.requireNonNull;

import dev.sluice.webhook.server.Bounds;
import dev.sluice.webhook.server.ClientCheck;
import dev.sluice.webhook.server.ConnectionBounds;
import dev.sluice.webhook.server.ListenAddress;
import dev.sluice.webhook.server.TlsPolicy;
import java.time.Duration;
import java.util.Optional;

/**
 * How the server is to run.
 *
 * @param https where reviews are answered
 * @param http where health and metrics are answered, without TLS
 * @param bounds how much it takes on
 * @param warmUp the longest time spent on warming up before it says ready; zero for none
 * @param certificateCheck how often it looks for a new certificate
 * @param drainDelay how long it goes on accepting after it was asked to stop, so that callers learn
 *     of it first
 * @param drainTimeout how long requests under way may take after that
 * @param clients who may ask for reviews; empty for everybody
 * @param connections how many connections reviews may have, and how long they may be silent
 * @param tls how TLS is spoken where reviews are answered
 */
public record ServerOptions(
    ListenAddress https,
    ListenAddress http,
    Bounds bounds,
    Duration warmUp,
    Duration certificateCheck,
    Duration drainDelay,
    Duration drainTimeout,
    Optional<ClientCheck> clients,
    ConnectionBounds connections,
    TlsPolicy tls) {
  /** What {@code sluice run} does without flags. */
  public static final ServerOptions DEFAULT =
      new ServerOptions(
          new ListenAddress("127.0.0.1", 9443),
          new ListenAddress("127.0.0.1", 8080),
          Bounds.DEFAULT,
          Duration.ofSeconds(2),
          Duration.ofMinutes(1),
          Duration.ZERO,
          Duration.ofSeconds(10));

  /** With the connections that suit the bounds and the TLS of the platform. */
  public ServerOptions(
      ListenAddress https,
      ListenAddress http,
      Bounds bounds,
      Duration warmUp,
      Duration certificateCheck,
      Duration drainDelay,
      Duration drainTimeout,
      Optional<ClientCheck> clients) {
    this(
        https,
        http,
        bounds,
        warmUp,
        certificateCheck,
        drainDelay,
        drainTimeout,
        clients,
        ConnectionBounds.of(bounds),
        TlsPolicy.DEFAULT);
  }

  /** The same for everybody. */
  public ServerOptions(
      ListenAddress https,
      ListenAddress http,
      Bounds bounds,
      Duration warmUp,
      Duration certificateCheck,
      Duration drainDelay,
      Duration drainTimeout) {
    this(https, http, bounds, warmUp, certificateCheck, drainDelay, drainTimeout, Optional.empty());
  }

  public ServerOptions {
    requireNonNull(https, "https");
    requireNonNull(http, "http");
    requireNonNull(bounds, "bounds");
    requireNonNull(connections, "connections");
    requireNonNull(tls, "tls");
    if (warmUp.isNegative() || drainDelay.isNegative() || drainTimeout.isNegative()) {
      throw new IllegalArgumentException(
          "warmUp: %s, drainDelay: %s, drainTimeout: %s (expected: none negative)"
              .formatted(warmUp, drainDelay, drainTimeout));
    }
    if (certificateCheck.toMillis() < 1) {
      throw new IllegalArgumentException(
          "certificateCheck: " + certificateCheck + " (expected: >= 1 ms)");
    }
  }

  /** The same, listening elsewhere. */
  public ServerOptions listeningOn(ListenAddress newHttps, ListenAddress newHttp) {
    return new ServerOptions(
        newHttps,
        newHttp,
        bounds,
        warmUp,
        certificateCheck,
        drainDelay,
        drainTimeout,
        clients,
        connections,
        tls);
  }

  /** The same within other bounds, with the connections that suit them. */
  public ServerOptions within(Bounds newBounds) {
    return new ServerOptions(
        https,
        http,
        newBounds,
        warmUp,
        certificateCheck,
        drainDelay,
        drainTimeout,
        clients,
        ConnectionBounds.of(newBounds),
        tls);
  }

  /** The same for these clients only. */
  public ServerOptions forClients(ClientCheck check) {
    return new ServerOptions(
        https,
        http,
        bounds,
        warmUp,
        certificateCheck,
        drainDelay,
        drainTimeout,
        Optional.of(check),
        connections,
        tls);
  }

  /** The same with other bounds of connections. */
  public ServerOptions within(ConnectionBounds newConnections) {
    return new ServerOptions(
        https,
        http,
        bounds,
        warmUp,
        certificateCheck,
        drainDelay,
        drainTimeout,
        clients,
        newConnections,
        tls);
  }

  /** The same, speaking TLS like this. */
  public ServerOptions speaking(TlsPolicy newTls) {
    return new ServerOptions(
        https,
        http,
        bounds,
        warmUp,
        certificateCheck,
        drainDelay,
        drainTimeout,
        clients,
        connections,
        newTls);
  }
}
