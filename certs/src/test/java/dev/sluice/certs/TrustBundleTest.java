package dev.sluice.certs;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TrustBundleTest {
  private static final Instant NOW = Instant.parse("2026-11-24T12:00:00Z");

  private static X509Certificate authority(Instant made, Duration lifetime) {
    return CertificateAuthority.create(lifetime, InstantSource.fixed(made), new SecureRandom())
        .certificate();
  }

  private static X509Certificate authority() {
    return authority(NOW, Duration.ofDays(30));
  }

  private static String pem(X509Certificate... certificates) {
    return Pem.ofCertificates(List.of(certificates));
  }

  private static List<X509Certificate> in(String pem) {
    return Pem.parse(pem).certificates();
  }

  @Test
  void oursAloneWhereThereIsNone() {
    String ours = pem(authority());

    assertThat(TrustBundle.adding(ours, "", NOW)).isEqualTo(ours);
  }

  @Test
  void oursIsAddedToThoseOfOtherServers() {
    X509Certificate own = authority();
    X509Certificate other = authority();

    assertThat(in(TrustBundle.adding(pem(own), pem(other), NOW))).containsExactly(own, other);
  }

  /** Two servers that each add their own must come to rest. */
  @Test
  void leavesABundleThatHasAllOfOurs() {
    X509Certificate own = authority();
    String published = pem(authority(), own);

    assertThat(TrustBundle.adding(pem(own), published, NOW)).isSameAs(published);
  }

  @Test
  void removesAnExpiredCertificateOfAnotherServer() {
    X509Certificate own = authority();
    X509Certificate over = authority(NOW.minus(Duration.ofDays(2)), Duration.ofDays(1));

    assertThat(in(TrustBundle.adding(pem(own), pem(own, over), NOW))).containsExactly(own);
  }

  @Test
  void theOldestGoWhereThereAreTooMany() {
    X509Certificate own = authority();
    List<X509Certificate> others = new ArrayList<>();
    for (int days = 1; days <= TrustBundle.LARGEST + 2; days++) {
      others.add(authority(NOW.minus(Duration.ofDays(days)), Duration.ofDays(365)));
    }

    List<X509Certificate> bundle =
        in(TrustBundle.adding(pem(own), Pem.ofCertificates(others), NOW));

    assertThat(bundle)
        .hasSize(TrustBundle.LARGEST)
        .startsWith(own)
        .containsAll(others.subList(0, TrustBundle.LARGEST - 1));
  }

  @Test
  void aTextThatIsNoBundleIsReplaced() {
    String ours = pem(authority());

    assertThat(TrustBundle.adding(ours, "-----BEGIN CERTIFICATE-----\nx", NOW)).isEqualTo(ours);
  }

  /** With its own additions only, whichever server is first. */
  @Test
  void twoServersThatTakeTurnsAgreeAfterOneTurnEach() {
    String first = pem(authority());
    String second = pem(authority());
    String published = TrustBundle.adding(second, TrustBundle.adding(first, "", NOW), NOW);

    assertThat(TrustBundle.adding(first, published, NOW)).isSameAs(published);
    assertThat(TrustBundle.adding(second, published, NOW)).isSameAs(published);
  }
}
