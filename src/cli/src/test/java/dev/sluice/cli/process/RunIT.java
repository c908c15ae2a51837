package dev.sluice.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.sluice.testkit.ApiClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code sluice run} as a process: what it prints works, and it ends when it is asked to. */
class RunIT {
  private static final int ENDED_BY_SIGTERM = 143;
  private static final Pattern CURL =
      Pattern.compile(
          "(?m)^curl -sS --cacert '(.*?)' .* (https://localhost:\\d+)/convert -d '(.*)'$");

  @TempDir Path folder;

  @Test
  void theCurlLineItPrintsConvertsWithLevelsInOrderAndSigtermEndsIt() throws Exception {
    try (var running = run()) {
      String line = curlLine(running.awaitOut("curl -sS").awaitOut("}}'"));
      Matcher parts = CURL.matcher(line);
      assertThat(parts.matches()).as(line).isTrue();

      String ca = Files.readString(Path.of(parts.group(1)));
      try (var client = new ApiClient(URI.create(parts.group(2)), "none", ca)) {
        assertConverted(client.create("/convert", parts.group(3)).orThrow().body());
      }
      if (Shell.has("curl")) {
        Shell.Ran pasted = Shell.run(Map.of(), folder, "sh", "-c", line);
        assertThat(pasted.code()).as(pasted.err()).isZero();
        assertConverted(pasted.out());
      }
      assertThat(running.terminate()).isEqualTo(ENDED_BY_SIGTERM);
    }
  }

  private static void assertConverted(String body) throws IOException {
    JsonNode response = new JsonMapper().readTree(body).get("response");
    assertThat(response.at("/result/status").asText()).isEqualTo("Success");
    assertThat(response.at("/convertedObjects/0/apiVersion").asText())
        .isEqualTo("kueue.x-k8s.io/v1beta2");
    assertThat(response.at("/convertedObjects/0/spec/levels").toString())
        .isEqualTo(
            "[{\"nodeLabel\":\"cloud.example.com/nvlink-domain\"},"
                + "{\"nodeLabel\":\"cloud.example.com/rack\"}]");
  }

  @Test
  void theCertificateOutlivesTheProcessAndTwoMayShareIt() throws Exception {
    String ca;
    try (var first = run();
        var second = run()) {
      first.awaitOut("curl -sS");
      second.awaitOut("curl -sS");
      ca = Files.readString(folder.resolve("data/certs/ca.crt"));
      first.kill();
    }
    try (var third = run()) {
      third.awaitOut("curl -sS");
      assertThat(third.err()).doesNotContain("new authority", "new serving certificate");
      assertThat(Files.readString(folder.resolve("data/certs/ca.crt"))).isEqualTo(ca);
    }
  }

  @Test
  void aTakenPortIsASentenceThatNamesPortAndFlag() throws Exception {
    try (var taken = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"));
        var refused = run("--port", Integer.toString(taken.getLocalPort()))) {
      assertThat(refused.awaitEnd()).isEqualTo(1);
      assertThat(refused.err())
          .contains("127.0.0.1:" + taken.getLocalPort(), "--port")
          .doesNotContain("Exception");
    }
  }

  private SluiceProcess run(String... more) throws IOException {
    String data = folder.resolve("data").toString();
    return more.length == 0
        ? SluiceProcess.start(folder, "run", "--port", "0", "--http-port", "0", "--data", data)
        : SluiceProcess.start(folder, "run", more[0], more[1], "--http-port", "0", "--data", data);
  }

  private static String curlLine(SluiceProcess running) {
    return running.out().lines().filter(l -> l.startsWith("curl ")).findFirst().orElseThrow();
  }
}
