package dev.sluice.webhook;

import static java.util.Objects.requireNonNull;

import dev.sluice.webhook.server.Bounds;
import dev.sluice.webhook.server.ClientCheck;
import dev.sluice.webhook.server.ConnectionBounds;
import dev.sluice.webhook.server.ListenAddress;
import dev.sluice.webhook.server.TlsPolicy;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How the server runs. Made by a {@link #builder()}.
 *
 * @param https where reviews are answered
 * @param http where health and metrics are answered, without TLS
 * @param bounds the limits of requests
 * @param warmUp how long the server warms up once it is ready, at most; zero for none
 * @param certificateCheck how often it looks for a new certificate
 * @param drainDelay how long it accepts requests after a stop signal, so that callers see it as not
 *     ready first
 * @param drainTimeout how long running requests may take after that
 * @param clients which clients may send reviews; empty for all
 * @param connections the number of connections and their idle timeout
 * @param tls how TLS is spoken where reviews are answered
 * @param metrics whether metrics are shown beside health
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
    TlsPolicy tls,
    boolean metrics) {
  /** What {@code sluice run} does without flags. */
  public static final ServerOptions DEFAULT = builder().build();

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

  /** A builder that starts from the options of {@code sluice run} without flags. */
  public static Builder builder() {
    return new Builder();
  }

  /** A builder that starts from these options. */
  public Builder toBuilder() {
    Builder builder = builder().listeningOn(https, http).bounds(bounds).tls(tls).metrics(metrics);
    builder.warmUp = warmUp;
    builder.certificateCheck = certificateCheck;
    builder.drainDelay = drainDelay;
    builder.drainTimeout = drainTimeout;
    builder.clients = clients;
    builder.connections = connections.equals(ConnectionBounds.of(bounds)) ? null : connections;
    return builder;
  }

  /** Collects options. For use by one thread. */
  public static final class Builder {
    private ListenAddress https = new ListenAddress("127.0.0.1", 9443);
    private ListenAddress http = new ListenAddress("127.0.0.1", 8080);
    private Bounds bounds = Bounds.DEFAULT;
    private Duration warmUp = Duration.ofSeconds(2);
    private Duration certificateCheck = Duration.ofMinutes(1);
    private Duration drainDelay = Duration.ZERO;
    private Duration drainTimeout = Duration.ofSeconds(10);
    private Optional<ClientCheck> clients = Optional.empty();
    private @Nullable ConnectionBounds connections;
    private TlsPolicy tls = TlsPolicy.DEFAULT;
    private boolean metrics = true;

    private Builder() {}

    /** Sets where reviews are answered, and where health and metrics. */
    public Builder listeningOn(ListenAddress newHttps, ListenAddress newHttp) {
      https = newHttps;
      http = newHttp;
      return this;
    }

    /** Sets how much it takes on; connections follow it unless they are set. */
    public Builder bounds(Bounds newBounds) {
      bounds = newBounds;
      return this;
    }

    /** Sets the longest time spent on warming up; zero for none. */
    public Builder warmUp(Duration longest) {
      warmUp = longest;
      return this;
    }

    /** Sets how often it looks for a new certificate; 1 ms at least. */
    public Builder certificateCheck(Duration period) {
      certificateCheck = period;
      return this;
    }

    /**
     * Sets how long it accepts requests when stopping, and how long running requests may take after
     * that.
     */
    public Builder drain(Duration delay, Duration timeout) {
      drainDelay = delay;
      drainTimeout = timeout;
      return this;
    }

    /** Sets which clients may send reviews; empty for all. */
    public Builder clients(Optional<ClientCheck> check) {
      clients = check;
      return this;
    }

    /** Sets which clients may send reviews. */
    public Builder clients(ClientCheck check) {
      return clients(Optional.of(check));
    }

    /** Sets the bounds of connections where reviews are answered. */
    public Builder connections(ConnectionBounds newConnections) {
      connections = newConnections;
      return this;
    }

    /** Sets how TLS is spoken where reviews are answered. */
    public Builder tls(TlsPolicy policy) {
      tls = policy;
      return this;
    }

    /** Sets whether metrics are shown beside health. */
    public Builder metrics(boolean areShown) {
      metrics = areShown;
      return this;
    }

    /**
     * Makes the options.
     *
     * @throws IllegalArgumentException if a time is negative or too short
     */
    public ServerOptions build() {
      return new ServerOptions(
          https,
          http,
          bounds,
          warmUp,
          certificateCheck,
          drainDelay,
          drainTimeout,
          clients,
          connections == null ? ConnectionBounds.of(bounds) : connections,
          tls,
          metrics);
    }
  }
}
