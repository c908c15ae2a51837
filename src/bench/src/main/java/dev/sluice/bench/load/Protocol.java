package dev.sluice.bench.load;

/** How the client talks. */
public enum Protocol {
  /** HTTP/2, everything over one connection, as an API server does it. */
  ONE_HTTP2_CONNECTION,
  /** HTTP/1.1, 16 connections kept alive. */
  HTTP1_CONNECTIONS
}
