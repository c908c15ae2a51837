package dev.sluice.cluster.access;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.Date;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.ASN1Sequence;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.sec.ECPrivateKey;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** An authority that signs certificates for any kind of key. */
final class TestAuthority {
  private static final SecureRandom RANDOM = new SecureRandom();

  private final KeyPair keys;
  private final X509Certificate certificate;

  private TestAuthority(KeyPair keys, X509Certificate certificate) {
    this.keys = keys;
    this.certificate = certificate;
  }

  static TestAuthority named(String name) {
    KeyPair keys = keys("EC:secp256r1");
    return new TestAuthority(keys, sign(keys, name, keys, name, true, 30));
  }

  /** An authority below this one. */
  TestAuthority intermediate(String name) {
    KeyPair own = keys("EC:secp256r1");
    return new TestAuthority(own, sign(keys, subject(), own, name, true, 30));
  }

  /** A certificate for a client, or for a server on loopback that is also called api.example. */
  X509Certificate issue(KeyPair leaf, String name) {
    return sign(keys, subject(), leaf, name, false, 30);
  }

  X509Certificate issueExpired(KeyPair leaf, String name) {
    return sign(keys, subject(), leaf, name, false, -1);
  }

  X509Certificate certificate() {
    return certificate;
  }

  String pem() {
    return pem(certificate);
  }

  private String subject() {
    return certificate.getSubjectX500Principal().getName();
  }

  /** Keys of RSA:BITS, EC:CURVE or Ed25519. */
  static KeyPair keys(String kind) {
    try {
      String[] parts = kind.split(":", -1);
      KeyPairGenerator generator = KeyPairGenerator.getInstance(parts[0]);
      switch (parts[0]) {
        case "RSA" -> generator.initialize(Integer.parseInt(parts[1]));
        case "EC" -> generator.initialize(new ECGenParameterSpec(parts[1]));
        default -> {}
      }
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  /** A private key as PKCS8, PKCS1, SEC1, or SEC1 behind a block that names the curve. */
  static String pem(KeyPair pair, String encoding) {
    try {
      byte[] pkcs8 = pair.getPrivate().getEncoded();
      PrivateKeyInfo info = PrivateKeyInfo.getInstance(pkcs8);
      return switch (encoding) {
        case "PKCS8" -> block("PRIVATE KEY", pkcs8);
        case "PKCS1" ->
            block("RSA PRIVATE KEY", ASN1Sequence.getInstance(info.parsePrivateKey()).getEncoded());
        case "SEC1" -> block("EC PRIVATE KEY", sec1(info, true));
        case "SEC1 with parameters" -> parameters(info) + block("EC PRIVATE KEY", sec1(info, true));
        case "SEC1 behind parameters" ->
            parameters(info) + block("EC PRIVATE KEY", sec1(info, false));
        default -> throw new IllegalArgumentException(encoding);
      };
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static String parameters(PrivateKeyInfo info) throws IOException {
    return block(
        "EC PARAMETERS",
        info.getPrivateKeyAlgorithm().getParameters().toASN1Primitive().getEncoded());
  }

  private static byte[] sec1(PrivateKeyInfo info, boolean withCurve) throws IOException {
    ECPrivateKey bare = ECPrivateKey.getInstance(info.parsePrivateKey());
    int bits = bare.getKey().bitLength() > 384 ? 521 : bare.getKey().bitLength() > 256 ? 384 : 256;
    return withCurve
        ? new ECPrivateKey(bits, bare.getKey(), info.getPrivateKeyAlgorithm().getParameters())
            .getEncoded()
        : new ECPrivateKey(bits, bare.getKey()).getEncoded();
  }

  static String pem(X509Certificate certificate) {
    try {
      return block("CERTIFICATE", certificate.getEncoded());
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
  }

  private static String block(String label, byte[] der) {
    String body = Base64.getMimeEncoder(64, "\n".getBytes(US_ASCII)).encodeToString(der);
    return "-----BEGIN " + label + "-----\n" + body + "\n-----END " + label + "-----\n";
  }

  private static X509Certificate sign(
      KeyPair signer, String issuer, KeyPair subject, String name, boolean authority, int days) {
    try {
      Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
      var builder =
          new JcaX509v3CertificateBuilder(
              new X500Principal(issuer),
              new BigInteger(64, RANDOM),
              Date.from(now.minus(2, ChronoUnit.DAYS)),
              Date.from(now.plus(days, ChronoUnit.DAYS)),
              new X500Principal(name),
              subject.getPublic());
      builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(authority));
      if (!authority) {
        builder.addExtension(
            Extension.subjectAlternativeName,
            false,
            new GeneralNames(
                name.equals("CN=elsewhere")
                    ? new GeneralName[] {new GeneralName(GeneralName.dNSName, "api.example")}
                    : new GeneralName[] {
                      new GeneralName(GeneralName.iPAddress, "127.0.0.1"),
                      new GeneralName(GeneralName.dNSName, "localhost")
                    }));
      }
      byte[] der =
          builder
              .build(new JcaContentSignerBuilder("SHA256withECDSA").build(signer.getPrivate()))
              .getEncoded();
      return (X509Certificate)
          CertificateFactory.getInstance("X.509")
              .generateCertificate(new ByteArrayInputStream(der));
    } catch (GeneralSecurityException | OperatorCreationException | IOException e) {
      throw new AssertionError(e);
    }
  }
}
