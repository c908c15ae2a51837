package dev.sluice.cli.apiserver;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
import dev.sluice.cli.devcluster.DevCluster;
import dev.sluice.cli.testcluster.Kueue;
import dev.sluice.cli.testcluster.NeedsDevCluster;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.controlplane.Poll;
import dev.sluice.testkit.FullTier;
import dev.sluice.webhook.endpoint.ValidationEndpoint;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;

/** A client other than the API server sends reviews of Workloads that do not exist. */
@FullTier
@NeedsDevCluster
class ForgedReviewE2E {
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final Duration PAUSE = Duration.ofMillis(50);

  private static String status(int cpu) {
    return """
    "status":{"admission":{"clusterQueue":"forged","podSetAssignments":[{"name":"main","count":1,
    "flavors":{"cpu":"forged-f"},"resourceUsage":{"cpu":"%d"}}]},"conditions":[{
    "type":"QuotaReserved","status":"True","reason":"QuotaReserved","message":"",
    "lastTransitionTime":"2026-01-01T00:00:00Z"}]}\
    """
        .formatted(cpu);
  }

  private static String review(int number) {
    String object =
        """
        {"apiVersion":"kueue.x-k8s.io/v1beta2","kind":"Workload","metadata":{"namespace":"default",
        "name":"forged-%1$d","uid":"forged-%1$d","resourceVersion":"%2$d"},"spec":%3$s%4$s}\
        """;
    String spec = Kueue.workload("forged", 3);
    int version = 1_000_000_000 + number;
    return """
    {"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{"uid":"u",
    "kind":{"group":"kueue.x-k8s.io","version":"v1beta2","kind":"Workload"},"operation":"UPDATE",
    "subResource":"status","namespace":"default","name":"forged-%d","object":%s,"oldObject":%s}}\
    """
        .formatted(
            number,
            object.formatted(number, version, spec, "," + status(3)),
            object.formatted(number, version, spec, ""));
  }

  @Test
  void theyKeepNoRealWorkloadFromItsQuotaAndLearnNoAmount(DevCluster cluster) throws Exception {
    ApiClient api = cluster.controlPlane().client();
    Kueue.create(api, ApiKind.CLUSTER_QUEUE, "forged", Kueue.clusterQueue("forged-f", 3)).orThrow();
    Kueue.create(api, ApiKind.LOCAL_QUEUE, "forged", Kueue.localQueue("forged")).orThrow();
    Kueue.create(api, ApiKind.WORKLOAD, "real", Kueue.workload("forged", 3)).orThrow();
    AtomicInteger sent = new AtomicInteger();
    AtomicReference<String> refusal = new AtomicReference<>("");

    try (HttpClient forger = client(cluster)) {
      Thread.ofVirtual().start(() -> forge(cluster, forger, sent, refusal));
      assertThat(Poll.until(SOON, PAUSE, () -> refusal.get().contains("does not fit")))
          .as("the quota is all promised; last answer: " + refusal.get())
          .isTrue();

      assertThat(Poll.until(SOON, PAUSE, () -> reserve(api).isSuccess()))
          .as(reserve(api).body())
          .isTrue();

      int then = sent.get();
      assertThat(Poll.until(SOON, PAUSE, () -> sent.get() > then + 10)).as("it goes on").isTrue();
      assertThat(refusal.get()).contains("\"allowed\":false").doesNotContain("of cpu");
    }
  }

  private static ApiClient.Response reserve(ApiClient api) {
    return api.mergePatch(
        Kueue.path(ApiKind.WORKLOAD, ApiVersion.HUB, "real") + "/status", "{" + status(3) + "}");
  }

  /** One after the other until the client is closed. */
  private static void forge(
      DevCluster cluster, HttpClient forger, AtomicInteger sent, AtomicReference<String> refusal) {
    URI uri =
        URI.create(
            "https://127.0.0.1:"
                + cluster.server().httpsPort()
                + ValidationEndpoint.path(ApiKind.WORKLOAD.hub()));
    try {
      while (!forger.isTerminated()) {
        var request =
            HttpRequest.newBuilder(uri)
                .header("content-type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(review(sent.incrementAndGet())))
                .build();
        String answer = forger.send(request, BodyHandlers.ofString()).body();
        if (answer.contains("\"allowed\":false")) {
          refusal.set(answer);
        }
      }
    } catch (IOException e) {
      return; // closed
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static HttpClient client(DevCluster cluster)
      throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    byte[] bundle = cluster.server().caBundlePem().getBytes(UTF_8);
    store.setCertificateEntry(
        "ca",
        CertificateFactory.getInstance("X.509")
            .generateCertificate(new ByteArrayInputStream(bundle)));
    var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(store);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return HttpClient.newBuilder().sslContext(context).build();
  }
}
