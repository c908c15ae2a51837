package dev.sluice.certs;

import static dev.sluice.certs.CertificateProblem.Reason.UNREADABLE;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The certificates and unencrypted private keys of a PEM text, in its order. Text between blocks
 * and blocks of other kinds are passed over; a block that is cut off or damaged refuses the whole.
 */
record Pem(List<X509Certificate> certificates, List<PrivateKey> keys) {
  private static final long LARGEST_FILE = 1 << 20;
  private static final String BEGIN = "-----BEGIN ";
  private static final Pattern BLOCK =
      Pattern.compile(BEGIN + "([A-Z0-9 ]+)-----([^-]*+)-----END \\1-----");
  private static final Pattern BLANKS = Pattern.compile("\\s+");
  private static final Base64.Encoder LINES = Base64.getMimeEncoder(64, new byte[] {'\n'});
  private static final List<String> KEY_ALGORITHMS = List.of("EC", "RSA", "EdDSA");

  Pem {
    certificates = List.copyOf(certificates);
    keys = List.copyOf(keys);
  }

  /** Reads a file and makes something of it; every problem on the way names the file. */
  static <T> Optional<T> load(Path file, Function<Pem, T> make) {
    try {
      return text(file).map(text -> make.apply(parse(text)));
    } catch (CertificateProblem unnamed) {
      throw new CertificateProblem(unnamed.reason(), file + ": " + unnamed.getMessage(), unnamed);
    }
  }

  /** The text of a file, empty when there is none. */
  static Optional<String> text(Path file) {
    try {
      if (Files.size(file) > LARGEST_FILE) {
        throw new CertificateProblem(UNREADABLE, "larger than " + LARGEST_FILE + " bytes");
      }
      return Optional.of(Files.readString(file, ISO_8859_1)); // PEM is ASCII, remarks need not be
    } catch (NoSuchFileException _) {
      return Optional.empty();
    } catch (IOException unreadable) {
      throw new CertificateProblem(UNREADABLE, "cannot be read: " + unreadable, unreadable);
    }
  }

  static Pem parse(String text) {
    var certificates = new ArrayList<X509Certificate>();
    var keys = new ArrayList<PrivateKey>();
    Optional<byte[]> curve = Optional.empty();
    int blocks = 0;
    for (var block = BLOCK.matcher(text); block.find(); blocks++) {
      switch (block.group(1)) {
        case "CERTIFICATE" -> certificates.add(certificate(decode(block.group(2))));
        case "PRIVATE KEY" -> keys.add(privateKey(decode(block.group(2))));
        case "EC PARAMETERS" -> curve = Optional.of(decode(block.group(2)));
        case "EC PRIVATE KEY" ->
            keys.add(privateKey(TraditionalKeys.ec(decode(block.group(2)), curve)));
        case "RSA PRIVATE KEY" -> keys.add(privateKey(TraditionalKeys.rsa(decode(block.group(2)))));
        default -> {} // requests, public keys
      }
    }
    if (blocks != text.split(BEGIN, -1).length - 1) {
      throw new CertificateProblem(UNREADABLE, "a PEM block is cut off, damaged or encrypted");
    }
    return new Pem(certificates, keys);
  }

  static String ofCertificates(Collection<X509Certificate> certificates) {
    return certificates.stream().map(Pem::of).collect(Collectors.joining());
  }

  static String of(X509Certificate certificate) {
    try {
      return block("CERTIFICATE", certificate.getEncoded());
    } catch (CertificateEncodingException impossible) {
      throw new IllegalStateException("a certificate without an encoding", impossible);
    }
  }

  static String of(PrivateKey key) {
    return block("PRIVATE KEY", key.getEncoded());
  }

  private static String block(String label, byte[] der) {
    String body = new String(LINES.encode(der), US_ASCII);
    return BEGIN + label + "-----\n" + body + "\n-----END " + label + "-----\n";
  }

  private static byte[] decode(String body) {
    try {
      return Base64.getDecoder().decode(BLANKS.matcher(body).replaceAll(""));
    } catch (IllegalArgumentException notBase64) {
      throw new CertificateProblem(UNREADABLE, "a PEM block is not Base64", notBase64);
    }
  }

  static X509Certificate certificate(byte[] der) {
    try {
      return (X509Certificate)
          CertificateFactory.getInstance("X.509")
              .generateCertificate(new ByteArrayInputStream(der));
    } catch (CertificateException damaged) {
      throw new CertificateProblem(UNREADABLE, "a certificate is damaged", damaged);
    }
  }

  private static PrivateKey privateKey(byte[] pkcs8) {
    for (String algorithm : KEY_ALGORITHMS) {
      try {
        return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
      } catch (InvalidKeySpecException _) {
        // of another algorithm, or damaged: the next attempt decides
      } catch (NoSuchAlgorithmException missing) {
        throw new IllegalStateException("this Java runtime lacks " + algorithm, missing);
      }
    }
    throw new CertificateProblem(
        UNREADABLE,
        "a private key is damaged or of an unknown kind (expected: EC, RSA or Ed25519)");
  }

  /** Names no key. */
  @Override
  public String toString() {
    return "Pem[" + certificates.size() + " certificates, " + keys.size() + " keys]";
  }
}
