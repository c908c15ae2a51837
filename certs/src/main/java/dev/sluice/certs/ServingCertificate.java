package dev.sluice.certs;

import static dev.sluice.certs.CertificateProblem.Reason.UNREADABLE;

import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;

/**
 * What a TLS server shows and the key it proves it with; the server's own certificate comes first
 * in the chain. An instance is proof that the key belongs to that certificate. Constructing one of
 * two halves that do not belong together throws {@link CertificateProblem} with {@code
 * KEY_MISMATCH}.
 */
public record ServingCertificate(List<X509Certificate> chain, PrivateKey key) {
  public ServingCertificate {
    chain = List.copyOf(chain);
    if (chain.isEmpty()) {
      throw new IllegalArgumentException("chain: [] (expected: at least one certificate)");
    }
    KeyPairs.requirePair(chain.getFirst(), key);
  }

  /** Of all that stands in the blocks, which must hold one key. */
  static ServingCertificate of(Pem pem) {
    if (pem.certificates().isEmpty()) {
      throw new CertificateProblem(UNREADABLE, "no certificate in it");
    }
    if (pem.keys().size() != 1) {
      throw new CertificateProblem(
          UNREADABLE, pem.keys().size() + " private keys (expected: one, not encrypted)");
    }
    return new ServingCertificate(pem.certificates(), pem.keys().getFirst());
  }

  /** The server's own certificate. */
  public X509Certificate leaf() {
    return chain.getFirst();
  }

  /** The same for a client: a server shows it where it calls itself. */
  public ClientCertificate asClient() {
    return new ClientCertificate(chain, key);
  }

  Validity validity() {
    return Validity.of(leaf());
  }

  String toPem() {
    return Pem.ofCertificates(chain) + Pem.of(key);
  }

  /** Subject, serial number and expiry; nothing of the key. */
  @Override
  public String toString() {
    return "ServingCertificate[%s, serial %s, until %s]"
        .formatted(
            leaf().getSubjectX500Principal(),
            leaf().getSerialNumber().toString(16),
            validity().until());
  }
}
