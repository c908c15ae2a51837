package dev.sluice.webhook.server;

import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;

/** Puts a {@link ConnectionGate} before the port of an HTTP server of another part. */
public final class PortGuard {
  private final GatedTransport gates;
  private final ConnectionGate gate;

  /**
   * A guard of one port.
   *
   * @param vertx one of {@link GatedTransport#vertx}
   * @param port the tag that separates the meters of several ports
   * @param registry takes what is measured of connections
   */
  public PortGuard(Vertx vertx, ConnectionBounds bounds, String port, MeterRegistry registry) {
    this.gates = GatedTransport.of(vertx);
    this.gate = new ConnectionGate(bounds, System::nanoTime, port, registry);
  }

  /** Lets that handler have the requests of a server that does not listen yet. */
  public HttpServer handling(HttpServer server, Handler<HttpServerRequest> requests) {
    return server
        .connectionHandler(OpenConnection::connected)
        .requestHandler(
            request -> {
              OpenConnection.accepted(request);
              requests.handle(request);
            });
  }

  /**
   * Starts to listen.
   *
   * @param port that it is to listen on; 0 for any
   */
  public Future<HttpServer> listen(HttpServer server, int port) {
    return gates.guarding(gate, port, server::listen, HttpServer::actualPort);
  }

  /** Ends an exchange in any state, also where the caller does not take what was written. */
  public static void abort(HttpServerRequest request) {
    Reply.abort(request);
  }

  /** Stands before the port no more. */
  public void leave() {
    gates.forget(gate);
  }
}
