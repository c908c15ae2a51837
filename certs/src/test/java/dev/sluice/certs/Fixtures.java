package dev.sluice.certs;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** Times, keys and certificates to test with. */
final class Fixtures {
  static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  static final InstantSource AT_NOW = InstantSource.fixed(NOW);
  static final SecureRandom RANDOM = new SecureRandom();
  static final Duration YEAR = Duration.ofDays(365);
  static final List<String> NAMES = List.of("sluice.kueue-system.svc", "localhost", "127.0.0.1");

  private Fixtures() {}

  static CertificateAuthority authority() {
    return CertificateAuthority.create(YEAR.multipliedBy(10), AT_NOW, RANDOM);
  }

  static ServingCertificate serving() {
    return authority().issue(NAMES, YEAR, AT_NOW, RANDOM);
  }

  static KeyPair keys(String algorithm, int size) {
    try {
      var generator = KeyPairGenerator.getInstance(algorithm);
      if (size > 0) {
        generator.initialize(size);
      }
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  /** A certificate that vouches for itself, of any kind of key. */
  static ServingCertificate selfSigned(KeyPair keys, String signature) {
    try {
      var name = new X500Principal("CN=localhost");
      var holder =
          new JcaX509v3CertificateBuilder(
                  name,
                  BigInteger.ONE,
                  Date.from(NOW.minusSeconds(60)),
                  Date.from(NOW.plus(YEAR)),
                  name,
                  keys.getPublic())
              .build(new JcaContentSignerBuilder(signature).build(keys.getPrivate()));
      return new ServingCertificate(
          List.of(Pem.certificate(holder.getEncoded())), keys.getPrivate());
    } catch (OperatorCreationException | IOException e) {
      throw new AssertionError(e);
    }
  }

  static String pemBlock(String label, byte[] der) {
    String body = Base64.getMimeEncoder(64, "\n".getBytes(US_ASCII)).encodeToString(der);
    return "-----BEGIN " + label + "-----\n" + body + "\n-----END " + label + "-----\n";
  }

  static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  static void write(Path file, String text) {
    try {
      Files.writeString(file, text);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** A clock that goes when it is told to. */
  static final class ManualClock implements InstantSource {
    private Instant now = NOW;

    @Override
    public Instant instant() {
      return now;
    }

    void goTo(Instant instant) {
      now = instant;
    }

    void advance(Duration duration) {
      now = now.plus(duration);
    }
  }
}
