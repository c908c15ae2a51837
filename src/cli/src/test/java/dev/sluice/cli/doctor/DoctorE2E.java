package dev.sluice.cli.doctor;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
import dev.sluice.cli.Sluice;
import dev.sluice.cli.devcluster.DevCluster;
import dev.sluice.manifests.Installation;
import dev.sluice.manifests.Target;
import dev.sluice.testkit.ApiClient;
import dev.sluice.testkit.controlplane.ControlPlane;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import dev.sluice.webhook.ServerOptions;
import dev.sluice.webhook.server.ListenAddress;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Examinations of a real cluster, in which something is wrong each time. */
@NeedsControlPlane
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@SuppressWarnings("NullAway.Init") // started before all tests
final class DoctorE2E {
  private static final ListenAddress ANYWHERE = new ListenAddress("127.0.0.1", 0);
  private static final String CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/";
  private static final String WEBHOOKS =
      "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/";
  private static final String TOPOLOGIES = CRDS + ApiKind.TOPOLOGY.crdName();

  private Path folder;
  private DevCluster cluster;
  private ApiClient client;

  @BeforeAll
  void start(@TempDir Path temporary) {
    folder = temporary;
    cluster =
        DevCluster.start(
            folder.resolve("cluster"),
            ControlPlane.Options.apiServer(),
            ServerOptions.DEFAULT.listeningOn(ANYWHERE, ANYWHERE),
            _ -> {});
    client = cluster.controlPlane().client();
  }

  @AfterAll
  void stop() {
    cluster.close();
  }

  @BeforeEach
  void heal() {
    install(URI.create("https://127.0.0.1:" + cluster.server().httpsPort()));
    storedVersions("\"v1beta2\"");
    for (ApiVersion version : ApiKind.TOPOLOGY.versions()) {
      String collection = "/apis/" + version.groupVersion() + "/topologies";
      client.await(collection, Duration.ofSeconds(30), _ -> true);
    }
  }

  @Test
  void findsNothingWrongWithAHealthyCluster() {
    Examined examined = doctor();

    assertThat(examined.findings("warning", "error")).isEmpty();
    assertThat(examined.code()).isZero();
    assertThat(examined.out()).contains("6 version pairs converted", "serves v1alpha1");
  }

  @Test
  void namesACaBundleThatBelongsToAnotherAuthority() {
    String other =
        Base64.getEncoder().encodeToString(cluster.controlPlane().caPem().getBytes(UTF_8));
    client
        .mergePatch(
            TOPOLOGIES,
            "{\"spec\":{\"conversion\":{\"webhook\":{\"clientConfig\":{\"caBundle\":\"%s\"}}}}}"
                .formatted(other))
        .orThrow();

    Examined examined = doctor();

    assertThat(examined.code()).isEqualTo(1);
    assertThat(examined.findings("error"))
        .anySatisfy(
            finding -> {
              assertThat(finding.path("object").asText())
                  .isEqualTo("crd/topologies.kueue.x-k8s.io");
              assertThat(finding.path("seen").asText()).contains("is not trusted by its caBundle");
              assertThat(finding.path("remedy").asText()).contains("sluice install --ca-file");
            });
  }

  @Test
  void namesADefinitionThatIsMissing() {
    client.delete(TOPOLOGIES).orThrow();

    Examined examined = doctor();

    assertThat(examined.code()).isEqualTo(1);
    assertThat(examined.findings("error"))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.path("object").asText())
                  .isEqualTo("crd/topologies.kueue.x-k8s.io");
              assertThat(finding.path("seen").asText()).isEqualTo("is missing");
              assertThat(finding.path("remedy").asText()).startsWith("sluice install");
            });
  }

  @Test
  void namesARegistrationThatIsMissing() {
    client.delete(WEBHOOKS + "sluice-validating").orThrow();

    Examined examined = doctor();

    assertThat(examined.code()).isEqualTo(1);
    assertThat(examined.findings("error"))
        .singleElement()
        .satisfies(
            finding ->
                assertThat(finding.path("object").asText())
                    .isEqualTo("validatingwebhookconfigurations/sluice-validating"));
  }

  @Test
  void warnsOfARegistrationThatLetsWritesThroughUnseen() {
    client
        .jsonPatch(
            WEBHOOKS + "sluice-validating",
            "[{\"op\":\"replace\",\"path\":\"/webhooks/0/failurePolicy\",\"value\":\"Ignore\"}]")
        .orThrow();

    Examined examined = doctor();

    assertThat(examined.code()).isZero();
    assertThat(examined.findings("warning"))
        .singleElement()
        .satisfies(finding -> assertThat(finding.path("seen").asText()).contains("Ignore"));
  }

  @Test
  void sendsToMigrateWhatMayBeStoredAtOldVersions() {
    storedVersions("\"v1alpha1\",\"v1beta2\"");

    Examined examined = doctor();

    assertThat(examined.code()).isZero();
    assertThat(examined.findings("warning"))
        .singleElement()
        .satisfies(
            finding ->
                assertThat(finding.path("remedy").asText())
                    .startsWith("sluice migrate --kind Topology --kubeconfig "));
  }

  @Test
  void seesThatNobodyAnswersConversions() throws IOException {
    install(URI.create("https://127.0.0.1:" + freePort()));

    Examined examined = doctor();

    assertThat(examined.code()).isEqualTo(1);
    assertThat(examined.findings("error"))
        .anySatisfy(
            finding -> {
              assertThat(finding.path("seen").asText())
                  .contains("at v1alpha1", "connection refused");
              assertThat(finding.path("remedy").asText()).contains("sluice serve");
            });
    assertThat(examined.findings("warning"))
        .anySatisfy(
            finding ->
                assertThat(finding.path("seen").asText()).contains("cannot be reached from here"));
  }

  @Test
  void hasOneFindingWhenTheApiServerIsDown() throws IOException {
    Examined examined = doctor(kubeconfig("https://127.0.0.1:" + freePort(), "any"));

    assertThat(examined.code()).isEqualTo(1);
    assertThat(examined.findings("ok", "warning", "error"))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.path("seen").asText()).contains("cannot be reached");
              assertThat(finding.path("remedy").asText()).isNotEmpty();
            });
  }

  @Test
  void hasOneFindingWhenTheApiServerDoesNotKnowTheUser() throws IOException {
    Examined examined = doctor(kubeconfig(cluster.controlPlane().server().toString(), "of-nobody"));

    assertThat(examined.code()).isEqualTo(1);
    assertThat(examined.findings("ok", "warning", "error"))
        .singleElement()
        .satisfies(
            finding -> assertThat(finding.path("seen").asText()).contains("does not know you"));
  }

  @Test
  void saysWhatItMayNotLookAt() throws IOException {
    Path anonymous = kubeconfig(cluster.controlPlane().server().toString(), "");

    Examined examined = doctor(anonymous);

    assertThat(examined.findings("error")).isEmpty();
    assertThat(examined.findings("warning"))
        .hasSizeGreaterThan(ApiKind.values().length)
        .allSatisfy(finding -> assertThat(finding.path("remedy").asText()).contains("rights"));
  }

  private record Examined(int code, String out, JsonNode tree) {
    Stream<JsonNode> findings(String... levels) {
      return StreamSupport.stream(tree.path("findings").spliterator(), false)
          .filter(finding -> Stream.of(levels).anyMatch(finding.path("level").asText()::equals));
    }
  }

  private Examined doctor() {
    return doctor(cluster.controlPlane().kubeconfig());
  }

  private static Examined doctor(Path kubeconfig) {
    CommandLine command = Sluice.commandLine();
    StringWriter out = new StringWriter();
    command.setOut(new PrintWriter(out));
    int code =
        command.execute("doctor", "--kubeconfig=" + kubeconfig, "--timeout=5s", "-o", "json");
    try {
      return new Examined(code, out.toString(), new JsonMapper().readTree(out.toString()));
    } catch (IOException e) {
      throw new AssertionError(out.toString(), e);
    }
  }

  /** Applies the definition of Topology and the registration; the tests break nothing else. */
  private void install(URI url) {
    Installation installation =
        Installation.into(new Target.Url(url)).trusting(cluster.server().caBundlePem());
    for (ObjectNode document : installation.documents()) {
      String name = document.at("/metadata/name").asText();
      String kind = document.path("kind").asText();
      if (kind.endsWith("WebhookConfiguration")) {
        apply(WEBHOOKS.replace("validating", phase(kind)) + name, document);
      } else if (name.equals(ApiKind.TOPOLOGY.crdName())) {
        apply(TOPOLOGIES, document);
        client.awaitEstablished(name, Duration.ofSeconds(30));
      }
    }
  }

  private static String phase(String kind) {
    return kind.startsWith("Mutating") ? "mutating" : "validating";
  }

  private void apply(String path, ObjectNode document) {
    client.serverSideApply(path, "sluice-install", document.toString()).orThrow();
  }

  private void storedVersions(String versions) {
    client
        .mergePatch(
            TOPOLOGIES + "/status", "{\"status\":{\"storedVersions\":[%s]}}".formatted(versions))
        .orThrow();
  }

  private Path kubeconfig(String server, String token) throws IOException {
    String user = token.isEmpty() ? "{}" : "{token: " + token + "}";
    return Files.writeString(
        Files.createTempFile(folder, "other", ".kubeconfig"),
        """
        apiVersion: v1
        kind: Config
        clusters: [{name: c, cluster: {server: "%s", certificate-authority-data: %s}}]
        users: [{name: u, user: %s}]
        contexts: [{name: x, context: {cluster: c, user: u}}]
        current-context: x
        """
            .formatted(
                server,
                Base64.getEncoder().encodeToString(cluster.controlPlane().caPem().getBytes(UTF_8)),
                user));
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
