package dev.sluice.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.testcluster.Pages;
import dev.sluice.controlplane.Poll;
import dev.sluice.controlplane.Ports;
import dev.sluice.testkit.FullTier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A configuration with {@code metrics.bindAddress: "0"}, in every role that has a plain port. */
@FullTier
@Timeout(180)
class MetricsOffIT {
  private static final Duration SOON = Duration.ofSeconds(90);
  private static final Duration PAUSE = Duration.ofMillis(100);

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "run --data DATA --port 0",
        "run --data DATA --port 0 --kubeconfig KUBECONFIG",
        "serve --data DATA --port 0 --no-inject --no-view",
        "schedule --kubeconfig KUBECONFIG"
      })
  void theAddressZeroLeavesHealthOnThePlainPortAndNoMetrics(String role) throws Exception {
    int port = Ports.free();
    List<String> arguments = new ArrayList<>(List.of(filled(role).split(" ")));
    arguments.addAll(
        List.of("--http-port", Integer.toString(port), "--config", configuration().toString()));

    try (var process = SluiceProcess.startFromClasses(folder, arguments.toArray(String[]::new))) {
      assertThat(Poll.until(SOON, PAUSE, () -> process.hasEnded() || isHealthy(port)))
          .as(process.err())
          .isTrue();

      assertThat(Pages.read(port, "/metrics"))
          .as(process.err())
          .startsWith("no such path (expected: one of /healthz, /readyz");
      assertThat(process.err()).doesNotContain("metrics.bindAddress");
    }
  }

  private static boolean isHealthy(int port) {
    try {
      return Pages.read(port, "/healthz").equals("ok\n");
    } catch (IOException _) {
      return false; // it does not listen yet
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private String filled(String role) throws IOException {
    return role.replace("DATA", folder.resolve("data").toString())
        .replace("KUBECONFIG", kubeconfig().toString());
  }

  private Path configuration() throws IOException {
    return Files.writeString(
        folder.resolve("config.yaml"),
        """
        apiVersion: config.kueue.x-k8s.io/v1beta2
        kind: Configuration
        metrics: {bindAddress: "0"}
        """);
  }

  /** A cluster that does not answer: no role needs it to show its pages. */
  private Path kubeconfig() throws IOException {
    return Files.writeString(
        folder.resolve("kubeconfig"),
        """
        apiVersion: v1
        kind: Config
        clusters: [{name: c, cluster: {server: "http://127.0.0.1:%d"}}]
        contexts: [{name: x, context: {cluster: c, user: u}}]
        current-context: x
        users: [{name: u, user: {}}]
        """
            .formatted(Ports.free()));
  }
}
