package dev.sluice.server.see;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.sluice.testkit.Kubeconfigs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.function.Predicate;

/**
 * An API server that only answers reviews: a token is the name of its user, and a predicate says
 * who may do what.
 */
final class ReviewingServer implements AutoCloseable {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final HttpServer http;

  private ReviewingServer(HttpServer http) {
    this.http = http;
  }

  /** Starts it; the predicate gets the spec of each SubjectAccessReview. */
  static ReviewingServer start(Predicate<JsonNode> allowed) {
    try {
      HttpServer http =
          HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      http.createContext("/", exchange -> answer(exchange, allowed));
      http.start();
      return new ReviewingServer(http);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void answer(HttpExchange exchange, Predicate<JsonNode> allowed)
      throws IOException {
    try (exchange) {
      JsonNode spec = MAPPER.readTree(exchange.getRequestBody()).path("spec");
      String answer =
          spec.has("token")
              ? "{\"status\":{\"authenticated\":true,\"user\":{\"username\":\"%s\"}}}"
                  .formatted(spec.path("token").asText())
              : "{\"status\":{\"allowed\":%s}}".formatted(allowed.test(spec));
      byte[] body = answer.getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(200, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  /** Writes a kubeconfig that leads here into that folder. */
  Path kubeconfig(Path folder) throws IOException {
    return Kubeconfigs.plain(folder, http.getAddress().getPort());
  }

  @Override
  public void close() {
    http.stop(0);
  }
}
