package dev.sluice.cli.process;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.testkit.FullTier;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code sluice run} as a process: what it prints works, and it ends when it is asked to. */
@FullTier
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
      assertThat(running.err()).as("a library's warning").doesNotContain("MeterRegistry");
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

  @Test
  void aKindOfAConfigurationIsQueuedAsTheStateOfAFolderSays() throws Exception {
    Files.createDirectories(folder.resolve("state/queues"));
    Files.writeString(
        folder.resolve("state/queues/default.yaml"),
        """
        {apiVersion: v1, kind: Namespace, metadata: {name: yard}}
        ---
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: LocalQueue
        metadata: {name: default, namespace: yard}
        spec: {clusterQueue: tracks}
        """);
    Files.writeString(
        folder.resolve("kinds.yaml"),
        """
        apiVersion: config.sluice.dev/v1alpha1
        kind: Extensions
        customKinds:
          - {group: rail.example, version: v1, kind: Train, suspendPath: spec.suspend}
        """);
    String state = folder.resolve("state").toString();
    String kinds = folder.resolve("kinds.yaml").toString();

    try (var running = run("--port", "0", "--state", state, "--config", kinds)) {
      String line = curlLine(running.awaitOut("curl -sS").awaitOut("}}'"));
      Matcher parts = CURL.matcher(line);
      assertThat(parts.matches()).as(line).isTrue();
      String ca = Files.readString(Path.of(parts.group(1)));
      try (var client = new ApiClient(URI.create(parts.group(2)), "none", ca)) {
        assertThat(mutation(client, "yard"))
            .contains("kueue.x-k8s.io~1queue-name\",\"value\":\"default\"", "/spec/suspend");
        assertThat(mutation(client, "elsewhere")).isEmpty();
      }
    }
  }

  /** The patch for a Train that is created there; empty if it may stay as it is. */
  private static String mutation(ApiClient client, String namespace) throws IOException {
    String review =
        """
        {"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{"uid":"u",
        "kind":{"group":"rail.example","version":"v1","kind":"Train"},"namespace":"%1$s",
        "name":"t","operation":"CREATE","object":{"apiVersion":"rail.example/v1","kind":"Train",
        "metadata":{"name":"t","namespace":"%1$s","labels":{"a":"b"}},"spec":{}}}}
        """
            .formatted(namespace);
    String body = client.create("/mutate-rail-example-v1-train", review).orThrow().body();
    JsonNode response = new JsonMapper().readTree(body).get("response");
    assertThat(response.path("allowed").asBoolean()).as(body).isTrue();
    return new String(Base64.getDecoder().decode(response.path("patch").asText()), UTF_8);
  }

  private SluiceProcess run(String... more) throws IOException {
    List<String> line = new ArrayList<>(List.of("run", "--http-port", "0"));
    line.addAll(List.of("--data", folder.resolve("data").toString()));
    line.addAll(more.length == 0 ? List.of("--port", "0") : List.of(more));
    return SluiceProcess.start(folder, line.toArray(String[]::new));
  }

  private static String curlLine(SluiceProcess running) {
    return running.out().lines().filter(l -> l.startsWith("curl ")).findFirst().orElseThrow();
  }
}
