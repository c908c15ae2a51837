package dev.sluice.bench.load;

/** How the client talks. */
public enum Protocol {
  /** HTTP/2, everything over one connection, as an API server does it. */
  ONE_HTTP2_CONNECTION(1),
  /** HTTP/1.1, 16 connections kept alive. */
  HTTP1_CONNECTIONS(16),
  /** HTTP/1.1, as many connections kept alive as there are requests in flight, up to 64. */
  HTTP1_CONNECTION_EACH(64);

  private final int connections;

  Protocol(int connections) {
    this.connections = connections;
  }

  /** The most connections at a time. */
  int connections() {
    return connections;
  }

  boolean isHttp2() {
    return this == ONE_HTTP2_CONNECTION;
  }

  /** In words, for tables. */
  public String words() {
    return isHttp2() ? "HTTP/2" : "HTTP/1.1";
  }
}
