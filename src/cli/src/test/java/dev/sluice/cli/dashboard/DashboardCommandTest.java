package dev.sluice.cli.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.sluice.cli.Commands;
import dev.sluice.testkit.Kubeconfigs;
import dev.sluice.testkit.PlainServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DashboardCommandTest {
  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource({
    "404, 'clusterqueues: not served at kueue.x-k8s.io/v1beta2'",
    "401, does not know you"
  })
  void aClusterThatAnswersNothingIsSaidBeforeAnythingIsServed(int status, String why)
      throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          try (exchange) {
            exchange.sendResponseHeaders(status, -1);
          }
        });
    server.start();
    try {
      Commands.Ran ran =
          Commands.run(
              "dashboard",
              "--no-browser",
              "--kubeconfig",
              Kubeconfigs.plain(folder, server.getAddress().getPort()).toString());

      assertThat(ran.code()).isEqualTo(1);
      assertThat(ran.err()).contains(why);
      assertThat(ran.out()).isEmpty();
    } finally {
      server.stop(0);
    }
  }

  @Test
  void aPortThatIsTakenIsSaid() throws IOException {
    try (PlainServer cluster = PlainServer.start(_ -> "{}");
        ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Commands.Ran ran =
          Commands.run(
              "dashboard",
              "--no-browser",
              "--port",
              Integer.toString(taken.getLocalPort()),
              "--kubeconfig",
              cluster.kubeconfig(folder).toString());

      assertThat(ran.code()).isEqualTo(1);
      assertThat(ran.err())
          .contains("cannot listen on 127.0.0.1:" + taken.getLocalPort())
          .contains("name another port with --port");
    }
  }

  @Test
  void aConfigurationIsReadFirstAndIsNotUsedWhereAServerHasItsOwn() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("config.yaml"),
            "{apiVersion: config.kueue.x-k8s.io/v1beta2, kind: Configuration}");
    Commands.Ran unread =
        Commands.run("dashboard", "--no-browser", "--config", folder.resolve("none").toString());
    assertThat(unread.code()).isPositive();
    assertThat(unread.err()).contains("none: no such file");

    try (PlainServer cluster = PlainServer.start(_ -> "{}");
        ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Commands.Ran ran =
          Commands.run(
              "dashboard",
              "--no-browser",
              "--port",
              Integer.toString(taken.getLocalPort()),
              "--config",
              file.toString(),
              "--kubeconfig",
              cluster.kubeconfig(folder).toString());

      assertThat(ran.err()).contains("The configuration is not used").contains("--local");
    }
  }

  @ParameterizedTest
  @CsvSource({"--port, 70000", "--port, -1", "-n, Team_A", "-n, a&key=b"})
  void wrongUsageIsRefused(String option, String value) {
    assertThat(Commands.run("dashboard", option, value).code()).isEqualTo(2);
  }

  @ParameterizedTest
  @CsvSource({"Linux, xdg-open", "Mac OS X, open", "Windows 11, rundll32", "FreeBSD, xdg-open"})
  void eachSystemHasAProgramThatOpensAddresses(String system, String program) {
    assertThat(Browser.command(system, "http://127.0.0.1:1/"))
        .startsWith(program)
        .endsWith("http://127.0.0.1:1/");
  }
}
