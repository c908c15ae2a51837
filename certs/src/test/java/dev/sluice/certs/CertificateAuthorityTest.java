package dev.sluice.certs;

import static dev.sluice.certs.Fixtures.AT_NOW;
import static dev.sluice.certs.Fixtures.NOW;
import static dev.sluice.certs.Fixtures.RANDOM;
import static dev.sluice.certs.Fixtures.YEAR;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.security.GeneralSecurityException;
import java.security.Security;
import java.security.interfaces.ECPublicKey;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CertificateAuthorityTest {
  private static final int DIGITAL_SIGNATURE = 0;
  private static final int CERTIFICATE_SIGN = 5;
  private static final int CRL_SIGN = 6;

  private final CertificateAuthority authority = Fixtures.authority();

  @Test
  void signsCertificatesButNoFurtherAuthority() {
    var certificate = authority.certificate();

    assertThat(certificate.getSubjectX500Principal().getName()).isEqualTo("CN=sluice-ca");
    assertThat(certificate.getBasicConstraints()).isZero();
    assertThat(certificate.getKeyUsage()).containsExactly(only(CERTIFICATE_SIGN, CRL_SIGN));
    assertThat(certificate.getCriticalExtensionOIDs()).contains("2.5.29.19", "2.5.29.15");
  }

  @Test
  void vouchesForItself() throws GeneralSecurityException {
    var certificate = authority.certificate();

    certificate.verify(certificate.getPublicKey()); // throws when not so
    assertThat(certificate.getIssuerX500Principal())
        .isEqualTo(certificate.getSubjectX500Principal());
  }

  @Test
  void issuesForServersOnly() throws GeneralSecurityException {
    var leaf = authority.issue(List.of("localhost"), YEAR, AT_NOW, RANDOM).leaf();

    assertThat(leaf.getExtendedKeyUsage()).containsExactly("1.3.6.1.5.5.7.3.1");
    assertThat(leaf.getKeyUsage()).containsExactly(only(DIGITAL_SIGNATURE));
    assertThat(leaf.getBasicConstraints()).isNegative();
    leaf.verify(authority.certificate().getPublicKey()); // throws when not so
  }

  @Test
  void usesCurveP256() {
    var leaf = authority.issue(List.of("localhost"), YEAR, AT_NOW, RANDOM).leaf();

    for (var certificate : List.of(leaf, authority.certificate())) {
      var key = (ECPublicKey) certificate.getPublicKey();
      assertThat(key.getParams().toString()).contains("secp256r1");
      assertThat(certificate.getSigAlgName()).isEqualTo("SHA256withECDSA");
    }
  }

  @Test
  void namesHostsAsHostsAndAddressesAsAddresses() throws GeneralSecurityException {
    var names = List.of("Sluice.kueue-system.svc", "*.example.org", "127.0.0.1", "::1");

    var leaf = authority.issue(names, YEAR, AT_NOW, RANDOM).leaf();

    assertThat(leaf.getSubjectAlternativeNames())
        .containsExactly(
            List.of(2, "sluice.kueue-system.svc"),
            List.of(2, "*.example.org"),
            List.of(7, "127.0.0.1"),
            List.of(7, "0:0:0:0:0:0:0:1"));
  }

  @Test
  void linksTheServingCertificateToItsAuthorityByKey() {
    var leaf = authority.issue(List.of("localhost"), YEAR, AT_NOW, RANDOM).leaf();

    var subjectKey = hex(authority.certificate().getExtensionValue("2.5.29.14"));
    var authorityKey = hex(leaf.getExtensionValue("2.5.29.35"));

    String digest = subjectKey.substring(subjectKey.length() - 40); // SHA-1, 20 bytes
    assertThat(authorityKey).endsWith(digest);
    assertThat(hex(leaf.getExtensionValue("2.5.29.14"))).doesNotEndWith(digest);
  }

  @Test
  void beginsALittleEarlierBecauseClocksDiffer() {
    var validity = authority.issue(List.of("localhost"), YEAR, AT_NOW, RANDOM).validity();

    assertThat(validity.from())
        .as("for a client an hour behind, by a server an hour ahead")
        .isBetween(NOW.minus(Duration.ofHours(3)), NOW.minus(Duration.ofHours(2)));
    assertThat(validity.until()).isEqualTo(NOW.plus(YEAR));
  }

  @Test
  void issuesNothingThatOutlivesIt() {
    var validity = authority.issue(List.of("localhost"), YEAR.multipliedBy(20), AT_NOW, RANDOM);

    assertThat(validity.validity().until()).isEqualTo(authority.validity().until());
  }

  @Test
  void givesEachCertificateASerialNumberOfItsOwn() {
    var serials =
        List.of(
            authority.certificate().getSerialNumber(),
            authority.issue(List.of("a"), YEAR, AT_NOW, RANDOM).leaf().getSerialNumber(),
            authority.issue(List.of("a"), YEAR, AT_NOW, RANDOM).leaf().getSerialNumber());

    assertThat(serials).doesNotHaveDuplicates();
    assertThat(serials).allSatisfy(serial -> assertThat(serial.signum()).isPositive());
    assertThat(serials).allSatisfy(serial -> assertThat(serial.bitLength()).isEqualTo(128));
  }

  @Test
  void leavesTheProvidersOfTheRuntimeAlone() {
    authority.issue(List.of("localhost"), YEAR, AT_NOW, RANDOM);

    assertThat(Security.getProvider("BC")).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "two words",
        "under_score",
        "-dash",
        "dot.",
        "..",
        "a.*.b",
        "*",
        "300.1.1.1",
        "1:2",
        "fe80::1%lo",
        "m\u00fcller.de",
        "http://a"
      })
  void refusesWhatIsNeitherHostNorAddress(String name) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> authority.issue(List.of(name), YEAR, AT_NOW, RANDOM))
        .withMessageContaining("\"" + name + "\" (expected: ");
  }

  @Test
  void refusesToIssueForNoName() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> authority.issue(List.of(), YEAR, AT_NOW, RANDOM))
        .withMessage("names: [] (expected: at least one)");
  }

  @Test
  void refusesTheKeyOfAnotherAuthority() {
    var other = Fixtures.authority();

    assertThatThrownBy(() -> new CertificateAuthority(authority.certificate(), other.key()))
        .isInstanceOfSatisfying(
            CertificateProblem.class,
            problem ->
                assertThat(problem.reason()).isEqualTo(CertificateProblem.Reason.KEY_MISMATCH));
  }

  @Test
  void refusesAServingCertificateAsAuthority() {
    var serving = Fixtures.serving();

    assertThatIllegalArgumentException()
        .isThrownBy(() -> new CertificateAuthority(serving.leaf(), serving.key()));
  }

  @Test
  void printsNothingOfItsKey() {
    assertThat(authority.toString())
        .matches("CertificateAuthority\\[CN=sluice-ca, serial [0-9a-f]+, until [-0-9:TZ]+]");
  }

  private static boolean[] only(int... bits) {
    var usage = new boolean[9];
    for (int bit : bits) {
      usage[bit] = true;
    }
    return usage;
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }
}
