package dev.sluice.cli.installed;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.cli.process.SluiceProcess;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.controlplane.ControlPlane;
import dev.sluice.controlplane.Poll;
import dev.sluice.controlplane.Ports;
import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two servers behind one address share an authority. Authorities are replaced and the Secret is
 * deleted under calls that never stop, and none fails; a kill costs what is on its connection.
 */
@FullTier
@NeedsControlPlane
@Timeout(900)
@SuppressWarnings("NullAway.Init") // set by the test
class SharedCertificatesE2E {
  private static final Duration SOON = Duration.ofMinutes(4);
  private static final int HANDSHAKE_MILLIS = 30_000;
  private static final Duration PAUSE = Duration.ofMillis(100);
  private static final String SECRET =
      "/api/v1/namespaces/sluice-system/secrets/sluice-webhook-authority";
  private static final String CRD =
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/topologies.kueue.x-k8s.io";
  private static final String MUTATING =
      "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations/sluice-mutating";

  @TempDir private Path folder;
  private ApiClient api;
  private final List<String> failures = new CopyOnWriteArrayList<>();
  private volatile boolean done;
  private volatile String lastProblem = "";

  @Test
  void noCallFailsWhileAuthoritiesAreReplacedAndTheSecretIsDeleted() throws Exception {
    int first = Ports.free();
    int second = Ports.free();
    try (ControlPlane controlPlane =
            ControlPlane.start(
                ControlPlane.Options.apiServer().withDirectory(folder.resolve("control-plane")));
        Balancer balancer = new Balancer(List.of(first, second))) {
      api = controlPlane.client();
      String url = "https://127.0.0.1:" + balancer.port();
      Printed.apply(api, Printed.leadingTo(url));
      try (SluiceProcess one = serve(controlPlane, url, first);
          SluiceProcess two = serve(controlPlane, url, second)) {
        await("both are trusted", one, () -> isEffective() && trusts(first) && trusts(second));

        Thread caller = Thread.ofPlatform().start(() -> call(balancer.port()));
        long before = changes();
        for (int rollover = 1; rollover <= 2; rollover++) {
          replaceAuthority(one, "request " + rollover, first, second);
        }
        assertThat(changes() - before).as("each new authority is published once").isEqualTo(2);

        String text = api.get(SECRET).orThrow().json().at("/data").toString();
        api.delete(SECRET).orThrow();
        await("the Secret is back", one, () -> api.get(SECRET).isSuccess());
        assertThat(api.get(SECRET).orThrow().json().at("/data")).hasToString(text);
        assertThat(failures).as(one.tail()).isEmpty();

        two.kill();
        await("one is enough", one, this::isEffective);
        two.restart();
        await("the other is back", two, () -> trusts(second));
        done = true;
        caller.join();
        assertThat(failures).as("what was under way on the connection").hasSizeLessThan(3);
      } finally {
        done = true;
      }
    }
  }

  private SluiceProcess serve(ControlPlane controlPlane, String url, int port) throws IOException {
    String token = api.serviceAccountToken("sluice-system", "sluice-webhook");
    Path account =
        Printed.kubeconfig(
            controlPlane, token, Files.createTempFile(folder, "account", ".kubeconfig"));
    return SluiceProcess.startFromClasses(
        folder,
        "serve",
        "--register",
        "--url=" + url,
        "--kubeconfig=" + account,
        "--shared-certificates=sluice-webhook-authority",
        "--host=127.0.0.1",
        "--port=" + port,
        "--http-port=0",
        "--warm-up=0s");
  }

  /** Asks for a new authority, and waits until both servers show certificates of it. */
  private void replaceAuthority(SluiceProcess server, String request, int... ports)
      throws GeneralSecurityException {
    Set<X509Certificate> known = new HashSet<>(bundle());
    api.mergePatch(
            SECRET,
            "{\"metadata\":{\"annotations\":{\"sluice.dev/new-authority\":\"%s\"}}}"
                .formatted(request))
        .orThrow();
    for (int port : ports) {
      await("a certificate of the new authority on " + port, server, () -> isTrusted(known, port));
    }
  }

  /** Whether a client would trust what is served there by what is published beside these. */
  private boolean isTrusted(Set<X509Certificate> known, int port) {
    try {
      List<X509Certificate> authorities = new ArrayList<>(bundle());
      authorities.removeAll(known);
      Optional<String> problem = problem(authorities, port);
      problem.ifPresent(it -> lastProblem = it);
      return !authorities.isEmpty() && problem.isEmpty();
    } catch (GeneralSecurityException e) {
      lastProblem = e.toString();
      return false;
    }
  }

  /** The certificates that the API server trusts for conversions. */
  private List<X509Certificate> bundle() throws GeneralSecurityException {
    JsonNode config =
        api.get(CRD).orThrow().json().at("/spec/conversion/webhook/clientConfig/caBundle");
    return CertificateFactory.getInstance("X.509")
        .generateCertificates(new ByteArrayInputStream(Base64.getDecoder().decode(config.asText())))
        .stream()
        .map(X509Certificate.class::cast)
        .toList();
  }

  /** How often something else was written into the definition than its status. */
  private long changes() {
    return api.get(CRD).orThrow().json().at("/metadata/generation").asLong();
  }

  private boolean trusts(int port) {
    return isTrusted(Set.of(), port);
  }

  /** What is wrong with a new connection of a client that trusts these; empty if nothing is. */
  private static Optional<String> problem(List<X509Certificate> authorities, int port)
      throws GeneralSecurityException {
    KeyStore store = emptyStore();
    for (X509Certificate authority : authorities) {
      store.setCertificateEntry(authority.getSerialNumber().toString(), authority);
    }
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(store);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    try (SSLSocket socket =
        (SSLSocket) context.getSocketFactory().createSocket("127.0.0.1", port)) {
      SSLParameters parameters = socket.getSSLParameters();
      parameters.setEndpointIdentificationAlgorithm("HTTPS");
      socket.setSSLParameters(parameters);
      socket.setSoTimeout(HANDSHAKE_MILLIS);
      socket.startHandshake();
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of(e.toString());
    }
  }

  private static KeyStore emptyStore() throws GeneralSecurityException {
    try {
      KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
      store.load(null, null);
      return store;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Without a pause: writes by the API server, and connections with what is published now. */
  private void call(int port) {
    while (!done) {
      ApiClient.Response answer = createsAJob();
      if (!answer.isSuccess()) {
        failures.add(answer.body());
      }
      try {
        problem(bundle(), port).ifPresent(failures::add);
      } catch (GeneralSecurityException | RuntimeException e) {
        failures.add(e.toString());
      }
    }
  }

  private ApiClient.Response createsAJob() {
    return api.create(
        "/apis/batch/v1/namespaces/default/jobs?dryRun=All",
        """
        {"apiVersion":"batch/v1","kind":"Job","metadata":{"generateName":"j-"},"spec":{"template":{
        "spec":{"restartPolicy":"Never","containers":[{"name":"c","image":"i"}]}}}}\
        """);
  }

  private boolean isEffective() {
    ApiClient.Response found = api.get(MUTATING);
    return createsAJob().isSuccess()
        && found.isSuccess()
        && !found.json().findValuesAsText("failurePolicy").contains("Ignore");
  }

  private void await(String what, SluiceProcess server, BooleanSupplier condition) {
    assertThat(Poll.until(SOON, PAUSE, condition))
        .as(() -> what + "; " + lastProblem + "\n" + server.tail())
        .isTrue();
  }
}
