package dev.sluice.server.register;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.certs.CertificateAuthority;
import dev.sluice.cluster.access.ClusterAccess;
import dev.sluice.manifests.Installation;
import dev.sluice.manifests.Target;
import dev.sluice.supervision.Supervisor;
import dev.sluice.testkit.PlainServer;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.security.cert.CertificateEncodingException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Bundles that the CA injector of cert-manager writes: it replaces an old authority by a new one.
 */
class InjectedBundlesTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String OLD = pem();
  private static final String NEW = pem();

  @TempDir private Path folder;
  private final BlockingQueue<Boolean> seen = new LinkedBlockingQueue<>();

  /** A new authority. */
  private static String pem() {
    try {
      byte[] encoded =
          CertificateAuthority.create(
                  Duration.ofDays(30), InstantSource.system(), new SecureRandom())
              .certificate()
              .getEncoded();
      return "-----BEGIN CERTIFICATE-----\n%s\n-----END CERTIFICATE-----\n"
          .formatted(Base64.getMimeEncoder(64, "\n".getBytes(UTF_8)).encodeToString(encoded));
    } catch (CertificateEncodingException e) {
      throw new AssertionError(e);
    }
  }

  /** A server with a certificate of the old authority, and a successor that waits. */
  private final PublishedTrust trust =
      new PublishedTrust() {
        @Override
        public String bundle() {
          return NEW + OLD;
        }

        @Override
        public String awaited() {
          return NEW;
        }

        @Override
        public void seen(String bundle, boolean everywhere) {
          seen.add(everywhere);
        }
      };

  @ParameterizedTest(name = "{0} is injected: {1}")
  @CsvSource({"new, true", "old, false", "none, false"})
  void theSuccessorIsUsedOnceItsAuthorityIsInjectedAndNothingIsWritten(
      String injected, boolean everywhere) throws IOException {
    String object = object(injected).toString(); // for all CRDs and configurations
    try (PlainServer cluster = PlainServer.start(_ -> object)) {
      ClusterAccess access = ClusterAccess.of(cluster.kubeconfig(folder));
      try (ClusterPublisher _ =
          ClusterPublisher.start(access, trust, Optional.empty(), new Supervisor())) {
        await().atMost(PATIENCE).until(() -> !seen.isEmpty());
      }
      assertThat(cluster.asked()).allMatch(it -> it.startsWith("GET "));
    }
    assertThat(seen).first().isEqualTo(everywhere);
  }

  /** It has not looked at the webhook configurations, which may lack the new authority. */
  @Test
  void aServerThatIsNotReadyDoesNotSayThatTheBundleIsEverywhere() throws IOException {
    String object = object("new").toString();
    SelfRegistration notReady =
        new SelfRegistration(Installation.into(Target.Service.DEFAULT), () -> false, () -> 0);
    try (PlainServer cluster = PlainServer.start(_ -> object)) {
      ClusterAccess access = ClusterAccess.of(cluster.kubeconfig(folder));
      try (ClusterPublisher _ =
          ClusterPublisher.start(access, trust, Optional.of(notReady), new Supervisor())) {
        await().atMost(PATIENCE).until(() -> !seen.isEmpty());
      }
    }
    assertThat(seen).first().isEqualTo(false);
  }

  /** The clouds of some add to the selectors of all webhooks, and we write ours again. */
  @Test
  void aRegistrationThatSomebodyElseExtendsHoldsUpNoSuccessor() throws IOException {
    Installation installation = Installation.into(Target.Service.DEFAULT);
    String other = object("new").toString();
    SelfRegistration ready = new SelfRegistration(installation, () -> true, () -> 1);
    try (PlainServer cluster =
        PlainServer.start(
            path ->
                installation.registration().stream()
                    .filter(it -> path.contains(it.at("/metadata/name").asText()))
                    .findFirst()
                    .map(InjectedBundlesTest::extended)
                    .orElse(other))) {
      ClusterAccess access = ClusterAccess.of(cluster.kubeconfig(folder));
      try (ClusterPublisher _ =
          ClusterPublisher.start(access, trust, Optional.of(ready), new Supervisor())) {
        await().atMost(PATIENCE).until(() -> !seen.isEmpty());
      }
      assertThat(cluster.asked()).anyMatch(it -> it.startsWith("PATCH "));
    }
    assertThat(seen).first().isEqualTo(true);
  }

  private static String extended(ObjectNode registration) {
    registration.withObject("/metadata").put("resourceVersion", "1");
    for (JsonNode webhook : registration.path("webhooks")) {
      ((ObjectNode) webhook.path("clientConfig"))
          .put("caBundle", Base64.getEncoder().encodeToString((NEW + OLD).getBytes(UTF_8)));
      ((ObjectNode) webhook)
          .withObject("/namespaceSelector")
          .withArray("matchExpressions")
          .addObject()
          .put("key", "control-plane")
          .put("operator", "DoesNotExist");
    }
    return registration.toString();
  }

  private static ObjectNode object(String injected) {
    String pem =
        switch (injected) {
          case "new" -> NEW;
          case "old" -> OLD;
          default -> "";
        };
    String bundle = Base64.getEncoder().encodeToString(pem.getBytes(UTF_8));
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    object
        .putObject("metadata")
        .put("resourceVersion", "1")
        .putObject("annotations")
        .put("cert-manager.io/inject-ca-from", "sluice-system/sluice-webhook");
    object.withObject("/spec/conversion/webhook/clientConfig").put("caBundle", bundle);
    ObjectNode webhook = object.putArray("webhooks").addObject().put("name", "a.sluice.dev");
    webhook.putObject("clientConfig").put("caBundle", bundle);
    return object;
  }
}
