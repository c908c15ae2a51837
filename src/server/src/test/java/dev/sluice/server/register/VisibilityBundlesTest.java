package dev.sluice.server.register;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.certs.CertificateAuthority;
import dev.sluice.cluster.access.ClusterAccess;
import dev.sluice.supervision.Supervisor;
import dev.sluice.testkit.PlainServer;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.security.cert.CertificateEncodingException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The CA bundle of a server of the visibility API in its APIServices. */
class VisibilityBundlesTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String PATH =
      "/apis/apiregistration.k8s.io/v1/apiservices/%s.visibility.kueue.x-k8s.io";
  private static final String APPLY = "?force=true&fieldManager=sluice-see";

  @TempDir private Path folder;
  private final String ours = pem();
  private final BlockingQueue<Boolean> seen = new LinkedBlockingQueue<>();

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

  private final PublishedTrust trust =
      new PublishedTrust() {
        @Override
        public String bundle() {
          return ours;
        }

        @Override
        public void seen(String bundle, boolean everywhere) {
          seen.add(everywhere);
        }
      };

  /** What the first round asks of a cluster where each APIService is this object. */
  private List<String> askedWhere(ObjectNode service) throws IOException {
    String object = service.toString();
    try (PlainServer cluster = PlainServer.start(_ -> object)) {
      ClusterAccess access = ClusterAccess.of(cluster.kubeconfig(folder));
      try (ClusterPublisher _ = ClusterPublisher.ofVisibility(access, trust, new Supervisor())) {
        await().atMost(PATIENCE).until(() -> !seen.isEmpty());
      }
      return cluster.asked();
    }
  }

  private static ObjectNode service(String pem) {
    ObjectNode service = JsonNodeFactory.instance.objectNode();
    service.putObject("metadata").put("resourceVersion", "1");
    service
        .putObject("spec")
        .put("caBundle", Base64.getEncoder().encodeToString(pem.getBytes(UTF_8)));
    return service;
  }

  @Test
  void eachApiServiceWithoutItGetsItAndNothingElseIsWritten() throws IOException {
    List<String> asked = askedWhere(service(pem()));

    assertThat(asked)
        .contains(
            "PATCH " + PATH.formatted("v1beta2") + APPLY,
            "PATCH " + PATH.formatted("v1beta1") + APPLY);
    assertThat(asked)
        .allMatch(it -> it.contains("visibility.kueue.x-k8s.io") || it.contains("view.sluice.dev"));
    assertThat(seen).first().isEqualTo(false);
  }

  @Test
  void whereItIsAmongOthersNothingIsWritten() throws IOException {
    List<String> asked = askedWhere(service(pem() + ours));

    assertThat(asked).allMatch(it -> it.startsWith("GET "));
    assertThat(seen).first().isEqualTo(true);
  }
}
