package dev.sluice.certs;

import static dev.sluice.certs.CertificateProblem.Reason.KEY_MISMATCH;
import static dev.sluice.certs.CertificateProblem.Reason.UNREADABLE;
import static dev.sluice.certs.Fixtures.keys;
import static dev.sluice.certs.Fixtures.selfSigned;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.math.BigInteger;
import java.security.KeyPair;
import java.security.interfaces.ECPrivateKey;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class ServingCertificateTest {
  @ParameterizedTest
  @CsvSource({
    "EC,      256, SHA256withECDSA",
    "EC,      384, SHA384withECDSA",
    "EC,      521, SHA512withECDSA",
    "RSA,     2048, SHA256withRSA",
    "Ed25519, 0,   Ed25519"
  })
  void acceptsAKeyThatBelongsToItsCertificate(String algorithm, int size, String signature) {
    var pair = keys(algorithm, size);

    var serving = selfSigned(pair, signature);

    assertThat(serving.key()).isEqualTo(pair.getPrivate());
    assertThat(serving.leaf().getPublicKey()).isEqualTo(pair.getPublic());
  }

  static Stream<Arguments> strangers() {
    var ec = selfSigned(keys("EC", 256), "SHA256withECDSA");
    var rsa = selfSigned(keys("RSA", 2048), "SHA256withRSA");
    return Stream.of(
        Arguments.of("another of the same curve", ec, keys("EC", 256)),
        Arguments.of("another curve", ec, keys("EC", 384)),
        Arguments.of("RSA for EC", ec, keys("RSA", 2048)),
        Arguments.of("Ed25519 for EC", ec, keys("Ed25519", 0)),
        Arguments.of("another RSA", rsa, keys("RSA", 2048)),
        Arguments.of("another size of RSA", rsa, keys("RSA", 3072)),
        Arguments.of("EC for RSA", rsa, keys("EC", 256)));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("strangers")
  void refusesAKeyThatBelongsToAnotherCertificate(
      String what, ServingCertificate serving, KeyPair stranger) {
    var problem =
        catchThrowableOfType(
            CertificateProblem.class,
            () -> new ServingCertificate(serving.chain(), stranger.getPrivate()));

    assertThat(problem.reason()).as(what).isEqualTo(KEY_MISMATCH);
    assertThat(problem).hasMessageContaining("CN=localhost");
  }

  @Test
  void refusesAnEmptyChain() {
    var key = keys("EC", 256).getPrivate();

    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ServingCertificate(List.of(), key))
        .withMessage("chain: [] (expected: at least one certificate)");
  }

  @Test
  void comesBackFromItsFile() {
    var serving = Fixtures.serving();

    assertThat(ServingCertificate.of(Pem.parse(serving.toPem()))).isEqualTo(serving);
  }

  @Test
  void refusesAFileWithTwoKeys() {
    var serving = Fixtures.serving();

    var problem =
        catchThrowableOfType(
            CertificateProblem.class,
            () -> ServingCertificate.of(Pem.parse(serving.toPem() + Pem.of(serving.key()))));

    assertThat(problem.reason()).isEqualTo(UNREADABLE);
  }

  @Test
  void printsNothingOfItsKey() {
    var serving = Fixtures.serving();
    var secret = ((ECPrivateKey) serving.key()).getS();

    assertThat(serving.toString())
        .matches("ServingCertificate\\[CN=sluice-serving, serial [0-9a-f]+, until [-0-9:TZ]+]")
        .doesNotContain(secret.toString(), hex(secret));
    assertThat(Pem.parse(serving.toPem()).toString()).isEqualTo("Pem[1 certificates, 1 keys]");
  }

  private static String hex(BigInteger secret) {
    return secret.toString(16);
  }
}
