package dev.sluice.certs;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.stream.Stream;
import org.bouncycastle.asn1.ASN1Encoding;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.DERBitString;
import org.bouncycastle.asn1.DEROctetString;
import org.bouncycastle.asn1.DERUTF8String;
import org.bouncycastle.asn1.x509.Certificate;
import org.bouncycastle.asn1.x509.Time;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is written, compared with what Bouncy Castle writes and reads, which only tests have. */
class DerTest {
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 127, 128, 255, 256, 65_535, 65_536})
  void writesLengthsAsShortAsTheyGo(int length) throws IOException {
    byte[] content = new byte[length];

    assertThat(Der.octets(content)).isEqualTo(new DEROctetString(content).getEncoded());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"0.9.2342", "1.2.840.10045.4.3.2", "1.2.840.113549.1.1.1", "2.5.29.17", "2.999.3"})
  void writesIdentifiers(String id) throws IOException {
    assertThat(Der.id(id)).isEqualTo(new ASN1ObjectIdentifier(id).getEncoded());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1999-12-31T23:59:59Z",
        "2026-11-25T12:00:00.999Z",
        "2049-12-31T23:59:59Z",
        "2050-01-01T00:00:00Z",
        "2126-02-28T01:02:03Z"
      })
  void writesTimesInTheFormOfTheirYear(String time) throws IOException {
    Instant instant = Instant.parse(time);

    assertThat(Der.time(instant)).isEqualTo(new Time(Date.from(instant)).getEncoded());
  }

  @Test
  void writesTextsAndBits() throws IOException {
    assertThat(Der.utf8("sluice-ca \u00fc"))
        .isEqualTo(new DERUTF8String("sluice-ca \u00fc").getEncoded());
    assertThat(Der.bits(7, new byte[] {(byte) 0x80}))
        .isEqualTo(new DERBitString(new byte[] {(byte) 0x80}, 7).getEncoded());
  }

  static Stream<X509Certificate> issued() {
    return Stream.of(Fixtures.authority().certificate(), Fixtures.serving().leaf());
  }

  /** Go, in which API servers are written, refuses a certificate in any other encoding. */
  @ParameterizedTest
  @MethodSource("issued")
  void whatIsIssuedIsInTheDistinguishedEncoding(X509Certificate issued)
      throws IOException, CertificateEncodingException {
    byte[] written = issued.getEncoded();

    assertThat(Certificate.getInstance(written).getEncoded(ASN1Encoding.DER)).isEqualTo(written);
  }

  @Test
  void takesASequenceApart() {
    byte[] large = Der.octets(new byte[300]);
    byte[] sequence = Der.sequence(Der.integer(7), large, Der.sequence());

    List<Der.Value> parts = Der.parts(sequence);

    assertThat(parts)
        .extracting(Der.Value::tag)
        .containsExactly(Der.INTEGER, Der.OCTET_STRING, Der.SEQUENCE);
    assertThat(parts.getFirst().content()).containsExactly(7);
    assertThat(parts.get(1).content()).hasSize(300);
    assertThat(parts.getLast().content()).isEmpty();
  }

  static Stream<byte[]> notOneSequence() {
    byte[] good = Der.sequence(Der.integer(7), Der.utf8("text"));
    return Stream.of(
        new byte[0],
        Der.integer(7),
        "MIIB".getBytes(US_ASCII),
        new byte[] {0x30},
        new byte[] {0x30, (byte) 0x80, 0, 0}, // of a length that is not said before
        new byte[] {0x30, (byte) 0x84, 0x7f, -1, -1, -1},
        new byte[] {0x30, (byte) 0x82, 1},
        Arrays.copyOf(good, good.length - 1),
        Arrays.copyOf(good, good.length + 1),
        new byte[] {0x30, 2, 0x02, 5});
  }

  @ParameterizedTest
  @MethodSource("notOneSequence")
  void refusesWhatIsNotOneWholeSequence(byte[] bytes) {
    assertThatIllegalArgumentException().isThrownBy(() -> Der.parts(bytes));
  }
}
