package dev.sluice.cli.doctor.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.cluster.ApiServer;
import dev.sluice.cluster.access.ClusterAccess;
import dev.sluice.testkit.PlainServer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterTest {
  private static final Duration BOUND = Duration.ofSeconds(30);

  @Test
  void anObjectThatSeveralChecksReadIsFetchedOnce(@TempDir Path folder) throws IOException {
    try (PlainServer http = PlainServer.start(_ -> "{\"kind\":\"Some\"}");
        ApiServer server = ApiServer.to(ClusterAccess.of(http.kubeconfig(folder)))) {
      Cluster cluster = new Cluster(server, BOUND);

      assertThat(cluster.get("/a")).isEqualTo(cluster.get("/a"));
      cluster.get("/b");

      assertThat(cluster.get("/a").json().path("kind").asText()).isEqualTo("Some");
      assertThat(http.asked()).containsExactly("GET /a", "GET /b");
    }
  }
}
