package dev.sluice.webhook.server;

import static java.util.Objects.requireNonNull;

/**
 * Where a server listens.
 *
 * @param host a host name or IP address; {@code 0.0.0.0} or {@code ::} for all
 * @param port the port, 0 for any that is free
 */
public record ListenAddress(String host, int port) {
  public ListenAddress {
    requireNonNull(host, "host");
    if (port < 0 || port > 65535) {
      throw new IllegalArgumentException("port: " + port + " (expected: 0 to 65535)");
    }
  }

  /** The host under which this machine reaches it. */
  public String localHost() {
    return switch (host) {
      case "0.0.0.0" -> "127.0.0.1";
      case "::" -> "::1";
      default -> host;
    };
  }

  /** As written in a URL. */
  @Override
  public String toString() {
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
  }
}
