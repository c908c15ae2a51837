package dev.sluice.cluster.access;

import static dev.sluice.cluster.access.TestAuthority.base64;
import static dev.sluice.cluster.access.TestAuthority.pem;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.api.configuration.Configuration;
import dev.sluice.api.configuration.Extensions;
import dev.sluice.cluster.api.Connection;
import dev.sluice.cluster.view.WatchTimes;
import dev.sluice.cluster.view.WatchedKinds;
import dev.sluice.cluster.view.WatchedView;
import dev.sluice.controlplane.ControlPlane;
import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Client keys against a real API server that knows users by their certificates. */
@FullTier
@NeedsControlPlane
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ClientKeyE2E {
  private static final Duration AMPLE = Duration.ofSeconds(60);
  private static final TestAuthority CLIENTS = TestAuthority.named("CN=clients");

  @TempDir Path folder;

  private ControlPlane controlPlane = start();

  private static ControlPlane start() {
    try {
      Path authority = Files.createTempFile("clients", ".crt");
      Files.writeString(authority, CLIENTS.pem());
      ControlPlane started =
          ControlPlane.start(
              ControlPlane.Options.apiServer().withApiServerFlags("--client-ca-file=" + authority));
      Files.delete(authority);
      return started;
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @AfterAll
  void stop() {
    controlPlane.close();
  }

  @ParameterizedTest
  @CsvSource({
    "RSA:2048, PKCS1",
    "EC:secp256r1, SEC1",
    "EC:secp256r1, PKCS8",
    "EC:secp384r1, PKCS8",
    "Ed25519, PKCS8",
  })
  void theApiServerKnowsTheUserAndEveryWatchSeesAll(String kind, String encoding)
      throws IOException {
    try (Connection connection = Connection.to(kubeconfig(kind, encoding));
        WatchedView view =
            new WatchedView(
                connection,
                WatchedKinds.of(Configuration.defaults("sluice-system"), Extensions.DEFAULT),
                WatchTimes.EAGER,
                new Random(7))) {
      String review =
          """
          {"apiVersion":"authentication.k8s.io/v1","kind":"SelfSubjectReview"}\
          """;
      Connection.Answer answer =
          connection.send(
              "POST",
              "/apis/authentication.k8s.io/v1/selfsubjectreviews",
              Connection.JSON,
              review.getBytes(UTF_8),
              AMPLE);

      assertThat(new String(answer.body(), UTF_8)).contains("\"username\":\"kim\"");

      view.start();
      await().atMost(AMPLE).untilAsserted(() -> assertThat(view.missing()).isEmpty());
    }
  }

  private Path kubeconfig(String kind, String encoding) throws IOException {
    KeyPair keys = TestAuthority.keys(kind);
    return Files.writeString(
        folder.resolve("kubeconfig"),
        """
        clusters: [{name: c, cluster: {server: "%s", certificate-authority-data: %s}}]
        users: [{name: u, user: {client-certificate-data: %s, client-key-data: %s}}]
        contexts: [{name: x, context: {cluster: c, user: u}}]
        current-context: x
        """
            .formatted(
                controlPlane.server(),
                base64(controlPlane.caPem()),
                base64(pem(CLIENTS.issue(keys, "CN=kim,O=system:masters"))),
                base64(pem(keys, encoding))));
  }
}
