package dev.sluice.cli.schedule;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Takes traces by OTLP over HTTP, and keeps what it was sent: names stand in it as they are. */
final class TraceReceiver implements AutoCloseable {
  private static final String PATH = "/v1/traces";

  private final Queue<String> taken = new ConcurrentLinkedQueue<>();
  private final HttpServer server;

  TraceReceiver() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(PATH, this::take);
    server.start();
  }

  private void take(HttpExchange exchange) throws IOException {
    try (exchange) {
      taken.add(new String(exchange.getRequestBody().readAllBytes(), ISO_8859_1));
      exchange.getResponseHeaders().set("content-type", "application/x-protobuf");
      exchange.sendResponseHeaders(200, -1);
    }
  }

  /** What OTEL_EXPORTER_OTLP_ENDPOINT names. */
  String endpoint() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** Whether all of this was in what it was sent. */
  boolean has(String... words) {
    String all = String.join("", taken);
    for (String word : words) {
      if (!all.contains(word)) {
        return false;
      }
    }
    return true;
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
