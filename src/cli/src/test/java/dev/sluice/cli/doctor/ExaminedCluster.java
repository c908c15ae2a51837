package dev.sluice.cli.doctor;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
import dev.sluice.cli.testcluster.Kueue;
import dev.sluice.cli.testcluster.OwnCluster;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.controlplane.Poll;
import dev.sluice.manifests.Installation;
import dev.sluice.manifests.Target;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import picocli.CommandLine;

/** A cluster in which tests break the definition of Topology and the registration, and no more. */
final class ExaminedCluster {
  static final String WEBHOOKS =
      "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/";
  static final String TOPOLOGIES =
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/" + ApiKind.TOPOLOGY.crdName();

  private static final Duration SOON = Duration.ofSeconds(90);
  private static final Duration PAUSE = Duration.ofMillis(50);

  private final OwnCluster cluster;

  ExaminedCluster(OwnCluster cluster) {
    this.cluster = cluster;
  }

  ApiClient api() {
    return cluster.api();
  }

  /** All is well again. */
  void heal() {
    install(URI.create("https://127.0.0.1:" + cluster.server().httpsPort()));
    storedVersions("\"v1beta2\"");
    for (ApiVersion version : ApiKind.TOPOLOGY.versions()) {
      String collection = "/apis/" + version.groupVersion() + "/topologies";
      api().await(collection, SOON, _ -> true);
    }
    assertThat(Poll.until(SOON, PAUSE, this::asksOurServer)).as("it is healed").isTrue();
  }

  /** Whether the API server calls the webhook server by now, for reviews and for conversions. */
  private boolean asksOurServer() {
    return wouldTake(
            ApiKind.ADMISSION_CHECK,
            ApiVersion.HUB,
            Kueue.object(
                ApiKind.ADMISSION_CHECK,
                ApiVersion.HUB,
                "probe",
                "\"spec\":{\"controllerName\":\"example.com/probe\"}"))
        && wouldTake(
            ApiKind.TOPOLOGY,
            ApiVersion.V1ALPHA1,
            Kueue.topology(ApiVersion.V1ALPHA1, "probe", "rack"));
  }

  private boolean wouldTake(ApiKind kind, ApiVersion version, String object) {
    return api().create(Kueue.collection(kind, version) + "?dryRun=All", object).isSuccess();
  }

  Examined doctor() {
    return doctor(cluster.controlPlane().kubeconfig());
  }

  Examined doctor(Path kubeconfig, String... more) {
    return Examined.by(new CommandLine(new DoctorCommand()), kubeconfig, more);
  }

  /** Applies the definition of Topology and the registration; the tests break nothing else. */
  void install(URI url) {
    install(url, cluster.server().caBundlePem());
  }

  void install(URI url, String caBundlePem) {
    Installation installation = Installation.into(new Target.Url(url)).trusting(caBundlePem);
    for (ObjectNode document : installation.documents()) {
      String name = document.at("/metadata/name").asText();
      String kind = document.path("kind").asText();
      if (kind.endsWith("WebhookConfiguration")) {
        apply(WEBHOOKS.replace("validating", phase(kind)) + name, document);
      } else if (name.equals(ApiKind.TOPOLOGY.crdName())) {
        apply(TOPOLOGIES, document);
        api().awaitEstablished(name, SOON);
      }
    }
  }

  private static String phase(String kind) {
    return kind.startsWith("Mutating") ? "mutating" : "validating";
  }

  private void apply(String path, ObjectNode document) {
    api().serverSideApply(path, "sluice-install", document.toString()).orThrow();
  }

  void storedVersions(String versions) {
    api()
        .mergePatch(
            TOPOLOGIES + "/status", "{\"status\":{\"storedVersions\":[%s]}}".formatted(versions))
        .orThrow();
  }

  Path kubeconfig(String server, String token) throws IOException {
    String user = token.isEmpty() ? "{}" : "{token: " + token + "}";
    return Files.writeString(
        Files.createTempFile(cluster.folder(), "other", ".kubeconfig"),
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
}
