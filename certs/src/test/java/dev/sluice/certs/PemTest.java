package dev.sluice.certs;

import static dev.sluice.certs.CertificateProblem.Reason.UNREADABLE;
import static dev.sluice.certs.Fixtures.keys;
import static dev.sluice.certs.Fixtures.pemBlock;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Random;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.bouncycastle.asn1.ASN1Sequence;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.sec.ECPrivateKey;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class PemTest {
  @ParameterizedTest
  @CsvSource({"EC, 256", "EC, 384", "RSA, 2048", "Ed25519, 0"})
  void readsKeysInPkcs8(String algorithm, int size) {
    var key = keys(algorithm, size).getPrivate();

    assertThat(Pem.parse(Pem.of(key)).keys()).containsExactly(key);
  }

  @ParameterizedTest
  @CsvSource({"256", "384"})
  void readsEcKeysAsOpensslWroteThem(int size) throws IOException {
    var pair = keys("EC", size);
    var info = PrivateKeyInfo.getInstance(pair.getPrivate().getEncoded());
    var curve = info.getPrivateKeyAlgorithm().getParameters();
    var bare = ECPrivateKey.getInstance(info.parsePrivateKey());
    var sec1 = new ECPrivateKey(size, bare.getKey(), curve);

    var pem =
        Pem.parse(
            pemBlock("EC PARAMETERS", curve.toASN1Primitive().getEncoded())
                + pemBlock("EC PRIVATE KEY", sec1.getEncoded()));

    assertThat(KeyPairs.belongTogether(pair.getPublic(), pem.keys().getFirst())).isTrue();
  }

  @Test
  void readsRsaKeysAsOpensslWroteThem() throws IOException {
    var pair = keys("RSA", 2048);
    var info = PrivateKeyInfo.getInstance(pair.getPrivate().getEncoded());
    var pkcs1 = ASN1Sequence.getInstance(info.parsePrivateKey()).getEncoded();

    var pem = Pem.parse(pemBlock("RSA PRIVATE KEY", pkcs1));

    assertThat(pem.keys()).containsExactly(pair.getPrivate());
  }

  @ParameterizedTest
  @MethodSource("harmless")
  void passesOverWhatIsNoneOfItsBusiness(UnaryOperator<String> change) {
    var serving = Fixtures.serving();

    var pem = Pem.parse(change.apply(serving.toPem()));

    assertThat(ServingCertificate.of(pem)).isEqualTo(serving);
  }

  static Stream<UnaryOperator<String>> harmless() {
    return Stream.of(
        text -> "subject=CN = localhost\nissued by M\u00fcller\n" + text,
        text -> text.replace("\n", "\r\n"),
        text -> text + pemBlock("PUBLIC KEY", new byte[] {1, 2, 3}),
        text -> text.strip());
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("damaged")
  void refusesDamagedText(String what, String text) {
    var problem = catchThrowableOfType(CertificateProblem.class, () -> Pem.parse(text));

    assertThat(problem.reason()).as(what).isEqualTo(UNREADABLE);
  }

  static Stream<Arguments> damaged() {
    String pem = Fixtures.serving().toPem();
    byte[] rubbish = {1, 2, 3, 4};
    return Stream.of(
        Arguments.of("cut off in the key", pem.substring(0, pem.length() - 40)),
        Arguments.of("cut off in the certificate", pem.substring(0, 200)),
        Arguments.of("not Base64", pem.replaceFirst("M", "!")),
        Arguments.of("no certificate", pemBlock("CERTIFICATE", rubbish)),
        Arguments.of("no key", pemBlock("PRIVATE KEY", rubbish)),
        Arguments.of("no EC key", pemBlock("EC PRIVATE KEY", rubbish)),
        Arguments.of("no RSA key", pemBlock("RSA PRIVATE KEY", rubbish)),
        Arguments.of("an EC key without a curve", pemBlock("EC PRIVATE KEY", withoutCurve())),
        Arguments.of(
            "an encrypted key",
            """
            -----BEGIN RSA PRIVATE KEY-----
            Proc-Type: 4,ENCRYPTED
            DEK-Info: AES-256-CBC,00

            AAAA
            -----END RSA PRIVATE KEY-----
            """));
  }

  private static byte[] withoutCurve() {
    try {
      var info = PrivateKeyInfo.getInstance(keys("EC", 256).getPrivate().getEncoded());
      var bare = ECPrivateKey.getInstance(info.parsePrivateKey());
      return new ECPrivateKey(256, bare.getKey()).getEncoded();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  static LongStream seeds() {
    return LongStream.range(0, 60);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void anyDamageIsRefusedOrHarmlessButNeverAStrangeError(long seed) {
    var random = new Random(seed);
    var text = new StringBuilder(Fixtures.serving().toPem());
    for (int i = random.nextInt(1, 6); i > 0; i--) {
      text.setCharAt(random.nextInt(text.length()), (char) random.nextInt(32, 127));
    }
    text.setLength(random.nextInt(text.length()));

    var problem =
        catchThrowableOfType(
            CertificateProblem.class, () -> ServingCertificate.of(Pem.parse(text.toString())));

    assertThat(problem.reason()).isEqualTo(UNREADABLE); // its key, at the end, is always cut off
  }

  @Test
  void refusesAFileThatIsNoneOfItsKind(@TempDir Path dir) {
    var file = dir.resolve("large.pem");
    Fixtures.write(file, "x".repeat((1 << 20) + 1));

    var problem = catchThrowableOfType(CertificateProblem.class, () -> Pem.load(file, pem -> pem));

    assertThat(problem).hasMessageStartingWith(file.toString());
    assertThat(problem.reason()).isEqualTo(UNREADABLE);
  }
}
