package dev.sluice.cli.installed;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.vocabulary.Annotations;
import dev.sluice.certs.AuthorityStore;
import dev.sluice.certs.CertificateAuthority;
import dev.sluice.certs.Lifetimes;
import dev.sluice.certs.SharedCertificate;
import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two servers that share an authority recover by themselves, whatever somebody does to the Secret
 * and to the bundles.
 */
@FullTier
@NeedsControlPlane
@Timeout(900)
@SuppressWarnings("NullAway.Init") // set before all tests
class SharedCertificatesE2E {
  private static final Duration A_MINUTE = Duration.ofMinutes(1);
  private static final int RATE = 10;
  private static final SecureRandom RANDOM = new SecureRandom();

  @TempDir private static Path folder;
  private static Replicas replicas;

  @BeforeAll
  static void start() throws IOException {
    replicas = Replicas.start(folder);
  }

  @AfterAll
  static void stop() {
    replicas.close();
  }

  @BeforeEach
  void awaitHealthy() {
    replicas.awaitHealthy();
  }

  /** Both were started at once, with no Secret there. */
  @Test
  void ofTwoWritersOneTakesEachStepAndAForeignAuthorityBesideOursStays() throws Exception {
    X509Certificate foreign = authority(Instant.now()).certificate();
    publish(pem(replicas.encodedBundle()) + pem(foreign));
    long before = replicas.changes();
    try (ConstantCalls calls = ConstantCalls.start(replicas, RATE)) {
      replicas.replaceAuthority("two writers");

      assertThat(replicas.changes() - before).as("published once").isEqualTo(1);
      assertThat(replicas.bundle()).contains(foreign);
      assertThat(calls.failures()).as(replicas.tails()).isEmpty();
    }
    assertThat(stages()).containsOnlyOnce("signing since").doesNotContain("introduced");
  }

  @Test
  void aDeletedSecretComesBackAsItWasAndNoCallFails() {
    String text = replicas.stored().toString();
    try (ConstantCalls calls = ConstantCalls.start(replicas, RATE)) {
      replicas.api().delete(Replicas.SECRET).orThrow();
      replicas.await(
          "the Secret is back", A_MINUTE, () -> replicas.api().get(Replicas.SECRET).isSuccess());

      assertThat(replicas.stored()).hasToString(text);
      assertThat(calls.failures()).as(replicas.tails()).isEmpty();
    }
  }

  @Test
  void aDamagedSecretIsRestoredAndNoCallFails() {
    String text = replicas.stored().toString();
    try (ConstantCalls calls = ConstantCalls.start(replicas, RATE)) {
      replicas
          .api()
          .mergePatch(Replicas.SECRET, "{\"data\":{\"authorities.pem\":\"ZGFtYWdlZA==\"}}")
          .orThrow();
      replicas.await(
          "the Secret is restored", A_MINUTE, () -> replicas.stored().toString().equals(text));

      assertThat(calls.failures()).as(replicas.tails()).isEmpty();
    }
  }

  @Test
  void aForeignAuthorityInThePlaceOfOursIsJoinedByOursWithinAMinute() throws Exception {
    X509Certificate foreign = authority(Instant.now()).certificate();

    publish(pem(foreign));

    replicas.await("ours is back", A_MINUTE, replicas::isHealthy);
    assertThat(replicas.bundle()).contains(foreign);
  }

  /** A cluster that was switched off for years. */
  @Test
  void whereEverythingHasExpiredTheNextStartMakesAllAnew() throws Exception {
    replicas.killAll();
    Expired expired = new Expired();
    X509Certificate old = expired.authority();
    replicas
        .api()
        .mergePatch(
            Replicas.SECRET, "{\"data\":{\"authorities.pem\":\"%s\"}}".formatted(expired.encoded()))
        .orThrow();
    publish(pem(old));

    replicas.process(0).restart();
    replicas.process(1).restart();

    replicas.await("all is new", A_MINUTE, replicas::isHealthy);
    assertThat(replicas.bundle()).doesNotContain(old);
  }

  @Test
  void aRolloverDuringWhichTheApiServerIsAwayIsCarriedOn() throws Exception {
    Set<X509Certificate> known = new HashSet<>(replicas.bundle());
    replicas.requestAuthority("away");
    replicas.await("it has begun", () -> stages().contains("introduced since"));

    replicas.controlPlane().stopApiServer();
    for (X509Certificate each : known) {
      assertThat(each.getNotAfter()).isInTheFuture();
    }
    assertThat(Handshakes.problem(List.copyOf(known), replicas.port()))
        .as("who knows no newer authority is served")
        .isEmpty();
    replicas.controlPlane().restartApiServer();

    replicas.awaitAuthorityBeside(known);
    replicas.await("calls succeed", A_MINUTE, replicas::isHealthy);
  }

  private static String stages() {
    JsonNode annotations =
        replicas.api().get(Replicas.SECRET).orThrow().json().at("/metadata/annotations");
    return annotations.path(Annotations.AUTHORITIES).asText();
  }

  /** Puts a bundle where conversions and mutations are described, as a careless client would. */
  private static void publish(String bundle) {
    String encoded = Base64.getEncoder().encodeToString(bundle.getBytes(UTF_8));
    replicas
        .api()
        .mergePatch(
            Replicas.CRD,
            "{\"spec\":{\"conversion\":{\"webhook\":{\"clientConfig\":{\"caBundle\":\"%s\"}}}}}"
                .formatted(encoded))
        .orThrow();
    replicas
        .api()
        .jsonPatch(
            Replicas.MUTATING,
            "[{\"op\":\"replace\",\"path\":\"/webhooks/0/clientConfig/caBundle\",\"value\":\"%s\"}]"
                .formatted(encoded))
        .orThrow();
  }

  private static CertificateAuthority authority(Instant at) {
    return CertificateAuthority.create(Duration.ofDays(30), InstantSource.fixed(at), RANDOM);
  }

  private static String pem(String encoded) {
    return new String(Base64.getDecoder().decode(encoded), UTF_8);
  }

  private static String pem(X509Certificate certificate) throws Exception {
    return "-----BEGIN CERTIFICATE-----\n%s\n-----END CERTIFICATE-----\n"
        .formatted(
            Base64.getMimeEncoder(64, "\n".getBytes(UTF_8))
                .encodeToString(certificate.getEncoded()));
  }

  /** What a server of some years ago has left in the Secret. */
  private static final class Expired implements AuthorityStore {
    private String text = "";
    private final SharedCertificate left;

    private Expired() {
      Instant then = Instant.now().minus(Duration.ofDays(1_000));
      left =
          SharedCertificate.open(
              this,
              List.of("localhost"),
              new Lifetimes(Duration.ofDays(100), Duration.ofDays(30)),
              Duration.ofSeconds(1),
              InstantSource.fixed(then),
              RANDOM);
    }

    private X509Certificate authority() throws Exception {
      return Handshakes.certificates(
              Base64.getEncoder().encodeToString(left.caBundlePem().getBytes(UTF_8)))
          .getFirst();
    }

    private String encoded() {
      return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
    }

    @Override
    public Optional<Stored> read() {
      return Optional.empty();
    }

    @Override
    public boolean write(String written, String summary, Optional<Stored> replaced) {
      text = written;
      return true;
    }

    @Override
    public String toString() {
      return "the past";
    }
  }
}
