package dev.sluice.cli.doctor;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.certs.CertificateFolder;
import dev.sluice.certs.Lifetimes;
import dev.sluice.cli.testcluster.OwnCluster;
import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import java.net.URI;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Doctor examines how the API server reaches the webhook server: registration and CA bundles. */
@FullTier
@NeedsControlPlane
@SuppressWarnings("NullAway.Init") // set before each test
final class DoctorRegistrationE2E {
  @RegisterExtension private static final OwnCluster CLUSTER = OwnCluster.ofAnApiServer();
  private ExaminedCluster cluster;

  @BeforeEach
  void heal() {
    cluster = new ExaminedCluster(CLUSTER);
    cluster.heal();
  }

  @Test
  void namesAServerWhoseCertificateHasExpired() throws Exception {
    InstantSource longAgo = InstantSource.fixed(Instant.now().minus(Duration.ofDays(400)));
    CertificateFolder certificates =
        CertificateFolder.open(
            CLUSTER.folder().resolve("expired"),
            List.of("127.0.0.1"),
            Lifetimes.DEFAULT,
            longAgo,
            new SecureRandom());
    try (TlsServer server = TlsServer.of(certificates.current())) {
      URI url = URI.create("https://127.0.0.1:" + server.port());
      cluster.install(url, certificates.caBundlePem());

      Examined examined = cluster.doctor();

      assertThat(examined.code()).isEqualTo(1);
      assertThat(examined.findings("error"))
          .anySatisfy(
              finding -> {
                assertThat(finding.path("object").asText()).isEqualTo(url.toString());
                assertThat(finding.path("seen").asText())
                    .contains("its certificate is not valid now", "NotAfter");
              })
          .anySatisfy(
              finding -> assertThat(finding.path("seen").asText()).contains("at v1alpha1", "x509"))
          .filteredOn(finding -> finding.path("seen").asText().matches(".*(not valid now|x509).*"))
          .allSatisfy(
              finding ->
                  assertThat(finding.path("remedy").asText()).contains("tls.crt and tls.key"));
    }
  }

  @Test
  void namesACaBundleThatIsMissing() {
    cluster
        .api()
        .jsonPatch(
            ExaminedCluster.TOPOLOGIES,
            "[{\"op\":\"remove\",\"path\":\"/spec/conversion/webhook/clientConfig/caBundle\"}]")
        .orThrow();

    Examined examined = cluster.doctor();

    assertThat(examined.code()).isEqualTo(1);
    assertThat(examined.findings("error"))
        .anySatisfy(finding -> namesTheAuthority(finding, "caBundle is empty"));
  }

  @Test
  void namesACaBundleThatBelongsToAnotherAuthority() {
    String other =
        Base64.getEncoder().encodeToString(CLUSTER.controlPlane().caPem().getBytes(UTF_8));
    cluster
        .api()
        .mergePatch(
            ExaminedCluster.TOPOLOGIES,
            "{\"spec\":{\"conversion\":{\"webhook\":{\"clientConfig\":{\"caBundle\":\"%s\"}}}}}"
                .formatted(other))
        .orThrow();

    Examined examined = cluster.doctor();

    assertThat(examined.code()).isEqualTo(1);
    assertThat(examined.findings("error"))
        .anySatisfy(finding -> namesTheAuthority(finding, "is not trusted by its caBundle"));
  }

  @Test
  void namesADefinitionThatIsMissing() {
    cluster.api().delete(ExaminedCluster.TOPOLOGIES).orThrow();

    Examined examined = cluster.doctor();

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
  void namesAWebhookThatAnotherProgramLeftInADefinitionAndHowItGoes() {
    String flavors = ExaminedCluster.TOPOLOGIES.replace("topologies", "resourceflavors");
    cluster
        .api()
        .mergePatch(
            flavors,
            """
            {"spec":{"conversion":{"strategy":"Webhook","webhook":{
            "conversionReviewVersions":["v1"],"clientConfig":{"service":{
            "namespace":"kueue-system","name":"kueue-webhook-service","path":"/convert"}}}}}}\
            """)
        .orThrow();

    Examined examined = cluster.doctor();

    assertThat(examined.code()).isEqualTo(1);
    JsonNode found =
        examined
            .findings("error")
            .filter(it -> it.path("object").asText().equals("crd/resourceflavors.kueue.x-k8s.io"))
            .findFirst()
            .orElseThrow();
    assertThat(found.path("seen").asText()).endsWith("service kueue-system/kueue-webhook-service");

    String remedy = found.path("remedy").asText();
    String patch = remedy.substring(remedy.indexOf('{'), remedy.lastIndexOf('}') + 1);
    cluster.api().mergePatch(flavors, patch).orThrow();
    assertThat(cluster.doctor().findings("error")).isEmpty();
  }

  @Test
  void namesARegistrationThatIsMissing() {
    cluster.api().delete(ExaminedCluster.WEBHOOKS + "sluice-validating").orThrow();

    Examined examined = cluster.doctor();

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
    cluster
        .api()
        .jsonPatch(
            ExaminedCluster.WEBHOOKS + "sluice-validating",
            "[{\"op\":\"replace\",\"path\":\"/webhooks/0/failurePolicy\",\"value\":\"Ignore\"}]")
        .orThrow();

    Examined examined = cluster.doctor();

    assertThat(examined.code()).isZero();
    assertThat(examined.findings("warning"))
        .singleElement()
        .satisfies(finding -> assertThat(finding.path("seen").asText()).contains("Ignore"));
  }

  /** As a server leaves it that has registered itself and was not called yet. */
  @Test
  void tellsOfARegistrationThatIsStillOnTrialInOneWarning() {
    String validating = ExaminedCluster.WEBHOOKS + "sluice-validating";
    int webhooks = cluster.api().get(validating).orThrow().json().path("webhooks").size();
    String each =
        "{\"op\":\"replace\",\"path\":\"/webhooks/%d/failurePolicy\",\"value\":\"Ignore\"}";
    cluster
        .api()
        .jsonPatch(
            validating,
            IntStream.range(0, webhooks)
                .mapToObj(each::formatted)
                .collect(Collectors.joining(",", "[", "]")))
        .orThrow();

    Examined examined = cluster.doctor();

    assertThat(examined.code()).isZero();
    assertThat(examined.findings("warning"))
        .singleElement()
        .satisfies(finding -> assertThat(finding.path("seen").asText()).startsWith("is on trial"));
  }

  @Test
  void namesARegistrationThatAnUninstalledServerLeftBehindAndHowToRemoveIt() {
    cluster
        .api()
        .jsonPatch(
            ExaminedCluster.WEBHOOKS + "sluice-validating",
            """
            [{"op":"replace","path":"/webhooks/0/clientConfig","value":{"service":{
            "namespace":"gone","name":"sluice","path":"/validate"}}}]\
            """)
        .orThrow();

    Examined examined = cluster.doctor();

    cluster
        .api()
        .delete(ExaminedCluster.WEBHOOKS + "sluice-validating")
        .orThrow(); // an apply would merge the two
    assertThat(examined.code()).isEqualTo(1);
    assertThat(examined.findings("error"))
        .anySatisfy(
            finding -> {
              assertThat(finding.path("seen").asText())
                  .isEqualTo(
                      "calls the service gone/sluice, which does not exist: writes are refused");
              assertThat(finding.path("remedy").asText())
                  .contains("kubectl delete validatingwebhookconfiguration sluice-validating");
            });
  }

  private static void namesTheAuthority(JsonNode finding, String seen) {
    assertThat(finding.path("object").asText()).isEqualTo("crd/topologies.kueue.x-k8s.io");
    assertThat(finding.path("seen").asText()).contains(seen);
    assertThat(finding.path("remedy").asText()).contains("sluice install --ca-file");
  }
}
