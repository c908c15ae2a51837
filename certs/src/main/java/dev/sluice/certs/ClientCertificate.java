package dev.sluice.certs;

import static dev.sluice.certs.CertificateProblem.Reason.UNREADABLE;

import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;

/**
 * What a TLS client shows and the key it proves it with; the client's own certificate comes first
 * in the chain. An instance is proof that the key belongs to that certificate. Constructing one of
 * two halves that do not belong together throws {@link CertificateProblem} with {@code
 * KEY_MISMATCH}.
 */
public record ClientCertificate(List<X509Certificate> chain, PrivateKey key) {
  public ClientCertificate {
    chain = List.copyOf(chain);
    if (chain.isEmpty()) {
      throw new IllegalArgumentException("chain: [] (expected: at least one certificate)");
    }
    KeyPairs.requirePair(chain.getFirst(), key);
  }

  /**
   * The certificates of a PEM text, in its order.
   *
   * @throws CertificateProblem if there are none, or one is damaged
   */
  public static List<X509Certificate> certificates(String pem) {
    List<X509Certificate> certificates =
        parse(pem, "is no certificate (expected: PEM)").certificates();
    if (certificates.isEmpty()) {
      throw new CertificateProblem(UNREADABLE, "is no certificate (expected: PEM)");
    }
    return certificates;
  }

  /**
   * The one private key of a PEM text: RSA, EC or EdDSA in PKCS#1, SEC1 or PKCS#8.
   *
   * @throws CertificateProblem if there is none or several, or it is encrypted or damaged
   */
  public static PrivateKey key(String pem) {
    if (pem.contains("ENCRYPTED")) {
      throw new CertificateProblem(
          UNREADABLE, "is encrypted (expected: a private key without a passphrase)");
    }
    String problem = "is no private key (expected: PEM of PKCS#1, SEC1 or PKCS#8)";
    List<PrivateKey> keys = parse(pem, problem).keys();
    if (keys.size() > 1) {
      throw new CertificateProblem(
          UNREADABLE, "holds " + keys.size() + " private keys (expected: one)");
    }
    if (keys.isEmpty()) {
      throw new CertificateProblem(UNREADABLE, problem);
    }
    return keys.getFirst();
  }

  private static Pem parse(String pem, String problem) {
    try {
      return Pem.parse(pem);
    } catch (CertificateProblem damaged) {
      throw new CertificateProblem(damaged.reason(), problem, damaged);
    }
  }

  /** The client's own certificate. */
  public X509Certificate leaf() {
    return chain.getFirst();
  }

  /** Subject and serial number; nothing of the key. */
  @Override
  public String toString() {
    return "ClientCertificate[%s, serial %s]"
        .formatted(leaf().getSubjectX500Principal(), leaf().getSerialNumber().toString(16));
  }
}
