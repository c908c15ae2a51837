package dev.sluice.cli.doctor;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.sluice.cli.cluster.ApiServer;
import dev.sluice.cluster.access.ClusterAccess;
import dev.sluice.testkit.Kubeconfigs;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterTest {
  private static final Duration BOUND = Duration.ofSeconds(30);

  @Test
  void anObjectThatSeveralChecksReadIsFetchedOnce(@TempDir Path folder) throws IOException {
    List<String> asked = new CopyOnWriteArrayList<>();
    HttpServer http =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    http.createContext(
        "/",
        exchange -> {
          asked.add(exchange.getRequestURI().toString());
          byte[] body = "{\"kind\":\"Some\"}".getBytes(UTF_8);
          exchange.sendResponseHeaders(200, body.length);
          try (exchange) {
            exchange.getResponseBody().write(body);
          }
        });
    http.start();
    Path kubeconfig = Kubeconfigs.plain(folder, http.getAddress().getPort());
    try (ApiServer server = ApiServer.to(ClusterAccess.of(kubeconfig))) {
      Cluster cluster = new Cluster(server, BOUND);

      assertThat(cluster.get("/a")).isEqualTo(cluster.get("/a"));
      cluster.get("/b");

      assertThat(cluster.get("/a").json().path("kind").asText()).isEqualTo("Some");
      assertThat(asked).containsExactly("/a", "/b");
    } finally {
      http.stop(0);
    }
  }
}
