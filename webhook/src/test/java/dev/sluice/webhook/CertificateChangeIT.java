package dev.sluice.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import dev.sluice.certs.CertificateFolder;
import dev.sluice.certs.MountedCertificate;
import dev.sluice.webhook.endpoint.Log;
import java.io.IOException;
import java.math.BigInteger;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The certificate changes while reviews are answered. */
class CertificateChangeIT {
  private static final int CHANGES = 20;

  @TempDir private Path dir;

  @Test
  void noRequestFailsWhileTheCertificateChangesTwentyTimes() throws IOException {
    CertificateFolder certificates = Served.certificates(dir);
    Set<BigInteger> serials = new HashSet<>();
    try (var log = new Log(CertificateRenewal.class);
        Served served = Served.with(Served.OPTIONS, certificates);
        var load = new Load(served);
        Wire old = served.connect()) {
      BigInteger first = serial(served);
      serials.add(first);
      for (int i = 0; i < CHANGES; i++) {
        Files.delete(dir.resolve("certs/serving.pem"));
        served.server().checkCertificate();
        assertThat(serials.add(serial(served))).as("a certificate not served before").isTrue();
        assertThat(serial(served)).isEqualTo(certificates.current().leaf().getSerialNumber());
        assertAnswers(old, "old-" + i);
        load.awaitAnother(50);
      }

      load.stop();
      assertThat(load.failures).isEmpty();
      assertThat(log.messages(Level.WARN)).isEmpty();
      assertThat(log.messages(Level.INFO)).hasSize(CHANGES);
      assertThat(served.metric("sluice_certificate_expiry_timestamp_seconds"))
          .isEqualTo(
              (double) certificates.current().leaf().getNotAfter().toInstant().getEpochSecond());
    }
  }

  /** Also keeps the connection: one without a request would be closed as idle. */
  private static void assertAnswers(Wire connection, String uid) {
    String body = Texts.conversion(uid, "a");
    assertThat(connection.post(body.length(), body).read().body())
        .contains("\"uid\":\"" + uid + "\"");
  }

  /** Eight callers: of both protocols, on connections that stay and on new ones. */
  private static final class Load implements AutoCloseable {
    private final Queue<String> failures = new ConcurrentLinkedQueue<>();
    private final AtomicInteger answers = new AtomicInteger();
    private final AtomicBoolean over = new AtomicBoolean();
    private final ExecutorService callers = Executors.newFixedThreadPool(8);
    private final Served served;

    private Load(Served served) {
      this.served = served;
      IntStream.range(0, 2)
          .forEach(
              _ -> {
                callers.execute(() -> call(Version.HTTP_2, Integer.MAX_VALUE));
                callers.execute(() -> call(Version.HTTP_1_1, Integer.MAX_VALUE));
                callers.execute(() -> call(Version.HTTP_2, 1));
                callers.execute(() -> call(Version.HTTP_1_1, 3));
              });
    }

    private void call(Version version, int requestsPerConnection) {
      while (!over.get()) {
        SSLContext trust = Served.trusting(served.server().caBundlePem());
        try (HttpClient client = Served.client(trust, version)) {
          for (int i = 0; i < requestsPerConnection && !over.get(); i++) {
            String uid = "u-" + answers.incrementAndGet();
            HttpResponse<String> answer =
                served.post(client, "/convert", Texts.conversion(uid, "a"));
            if (answer.statusCode() != 200 || !answer.body().contains("\"uid\":\"" + uid + "\"")) {
              failures.add(answer.statusCode() + " " + answer.body());
            }
          }
        } catch (RuntimeException e) {
          failures.add(version + ": " + e);
        }
      }
    }

    private void awaitAnother(int more) {
      int before = answers.get();
      await().atMost(Served.PATIENCE).until(() -> answers.get() >= before + more);
    }

    private void stop() {
      over.set(true);
      callers.close();
    }

    @Override
    public void close() {
      stop();
    }
  }

  /** What a new caller is shown, one that resumes no session. */
  private static BigInteger serial(Served served) {
    SSLContext trust = Served.trusting(served.server().caBundlePem());
    try (Wire wire = Wire.open(trust, served.port())) {
      var leaf = (X509Certificate) wire.socket().getSession().getPeerCertificates()[0];
      return leaf.getSerialNumber();
    } catch (SSLPeerUnverifiedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void servesTheOldOneOnWhenAMountedPairDoesNotBelongTogether() throws IOException {
    Path mounted = Files.createDirectory(dir.resolve("mounted"));
    String first = issued("first");
    String second = issued("second");
    write(mounted, first, first);
    try (var log = new Log(CertificateRenewal.class);
        Served served =
            Served.with(Served.OPTIONS, MountedCertificate.load(mounted, InstantSource.system()))) {
      BigInteger shown = serial(served);

      write(mounted, second, first);
      served.server().checkCertificate();

      assertThat(log.messages(Level.WARN))
          .singleElement()
          .asString()
          .contains("a new certificate was refused")
          .contains("tls.crt")
          .doesNotContain("PRIVATE");
      assertThat(serial(served)).isEqualTo(shown);
      assertThat(served.answers()).isTrue();
      assertThat(served.metric("sluice_certificate_refused")).isEqualTo(1);
      assertThat(served.plain("/debug/certificates").statusCode()).isEqualTo(503);
      assertThat(served.plain("/debug/certificates").body())
          .startsWith("certificates from the folder " + mounted + ": external")
          .contains("refused: ", "tls.crt")
          .doesNotContain("PRIVATE");

      write(mounted, second, second);
      served.server().checkCertificate();

      assertThat(serial(served)).isNotEqualTo(shown);
      assertThat(log.messages(Level.INFO)).containsExactly("serving a new certificate");
      assertThat(served.metric("sluice_certificate_refused")).isZero();
      assertThat(served.metric("sluice_certificate_phase{phase=\"external\"}")).isEqualTo(1);
      assertThat(served.plain("/debug/certificates").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void anAuthorityThatIsPublishedBeforeItsCertificateIsServedIsNoNewCertificate()
      throws IOException {
    Path mounted = Files.createDirectory(dir.resolve("mounted"));
    String first = issued("first");
    String second = issued("second");
    write(mounted, first, first);
    try (var log = new Log(CertificateRenewal.class);
        Served served =
            Served.with(
                Served.OPTIONS,
                MountedCertificate.published(
                    mounted, InstantSource.system(), Duration.ofMinutes(5)))) {
      BigInteger shown = serial(served);
      String published = served.server().caBundlePem();

      write(mounted, second, second);
      served.server().checkCertificate();

      assertThat(served.server().caBundlePem()).isNotEqualTo(published);
      assertThat(served.metric("sluice_certificate_phase{phase=\"publishing\"}")).isEqualTo(1);
      assertThat(serial(served)).isEqualTo(shown);
      assertThat(log.messages(Level.INFO)).isEmpty();
    }
  }

  /** Certificates and key in PEM, of an authority of their own. */
  private String issued(String name) throws IOException {
    Path folder = dir.resolve(name);
    Served.certificates(folder);
    return Files.readString(folder.resolve("certs/serving.pem"))
        + Files.readString(folder.resolve("certs/ca.crt"));
  }

  private static void write(Path mounted, String certificate, String key) throws IOException {
    Files.writeString(mounted.resolve("tls.crt"), blocks(certificate, "CERTIFICATE"));
    Files.writeString(mounted.resolve("tls.key"), blocks(key, "PRIVATE KEY"));
  }

  private static String blocks(String pem, String label) {
    return List.of(pem.split("(?=-----BEGIN )")).stream()
        .filter(block -> block.startsWith("-----BEGIN " + label))
        .reduce("", String::concat);
  }
}
