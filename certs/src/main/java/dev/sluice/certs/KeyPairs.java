package dev.sluice.certs;

import static dev.sluice.certs.CertificateProblem.Reason.KEY_MISMATCH;
import static dev.sluice.certs.CertificateProblem.Reason.UNREADABLE;
import static java.nio.charset.StandardCharsets.US_ASCII;

import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.SignatureException;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;

/** Makes key pairs, and proves that a private and a public key belong together. */
final class KeyPairs {
  private static final byte[] PROBE = "do these two belong together".getBytes(US_ASCII);

  private KeyPairs() {}

  static KeyPair generate(SecureRandom random) {
    try {
      var generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"), random);
      return generator.generateKeyPair();
    } catch (GeneralSecurityException noP256) {
      throw new IllegalStateException("this Java runtime cannot make P-256 keys", noP256);
    }
  }

  static void requirePair(X509Certificate certificate, PrivateKey key) {
    if (!belongTogether(certificate.getPublicKey(), key)) {
      throw new CertificateProblem(
          KEY_MISMATCH,
          "the private key does not belong to the certificate of "
              + certificate.getSubjectX500Principal()
              + ": use the key that the certificate was issued for");
    }
  }

  /** Asks by a signature, because a key that is read from a file need not carry its public half. */
  static boolean belongTogether(PublicKey publicKey, PrivateKey privateKey) {
    if (!publicKey.getAlgorithm().equals(privateKey.getAlgorithm())) {
      return false;
    }
    try {
      var signature = Signature.getInstance(signatureAlgorithm(privateKey));
      signature.initSign(privateKey);
      signature.update(PROBE);
      byte[] signed = signature.sign();
      signature.initVerify(publicKey);
      signature.update(PROBE);
      return signature.verify(signed);
    } catch (InvalidKeyException | SignatureException differentCurveOrSize) {
      return false;
    } catch (NoSuchAlgorithmException missing) {
      throw new IllegalStateException("this Java runtime lacks " + missing.getMessage(), missing);
    }
  }

  private static String signatureAlgorithm(PrivateKey key) {
    return switch (key.getAlgorithm()) {
      case "EC" -> "SHA256withECDSA";
      case "RSA" -> "SHA256withRSA";
      case "EdDSA" -> "EdDSA";
      default ->
          throw new CertificateProblem(
              UNREADABLE, key.getAlgorithm() + " keys are not supported: use EC, RSA or Ed25519");
    };
  }
}
