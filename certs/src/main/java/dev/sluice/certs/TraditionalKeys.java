package dev.sluice.certs;

import static dev.sluice.certs.CertificateProblem.Reason.UNREADABLE;

import java.util.List;
import java.util.Optional;

/**
 * Turns keys as older tools write them ("EC PRIVATE KEY" of RFC 5915, "RSA PRIVATE KEY" of RFC
 * 8017) into PKCS#8, which the JDK reads: the same key after the name of its algorithm.
 */
final class TraditionalKeys {
  private static final int CURVE = 0;

  /** Version, modulus, two exponents, two primes, two exponents of theirs, and the coefficient. */
  private static final int RSA_NUMBERS = 9;

  private TraditionalKeys() {}

  /** A key that does not name its curve is on the one of the parameters before it. */
  static byte[] ec(byte[] sec1, Optional<byte[]> parameters) {
    try {
      byte[] curve =
          Der.parts(sec1).stream()
              .filter(part -> Der.isExplicit(CURVE, part))
              .map(Der.Value::content)
              .findFirst()
              .or(() -> parameters)
              .orElseThrow(() -> new IllegalArgumentException("no curve"));
      return pkcs8(Der.sequence(Der.id("1.2.840.10045.2.1"), curve), sec1);
    } catch (IllegalArgumentException damaged) {
      throw new CertificateProblem(UNREADABLE, "an EC private key is damaged", damaged);
    }
  }

  static byte[] rsa(byte[] pkcs1) {
    try {
      List<Der.Value> numbers = Der.parts(pkcs1);
      if (numbers.size() < RSA_NUMBERS || numbers.getFirst().tag() != Der.INTEGER) {
        throw new IllegalArgumentException("too few numbers");
      }
      return pkcs8(Der.sequence(Der.id("1.2.840.113549.1.1.1"), Der.NULL), pkcs1);
    } catch (IllegalArgumentException damaged) {
      throw new CertificateProblem(UNREADABLE, "an RSA private key is damaged", damaged);
    }
  }

  private static byte[] pkcs8(byte[] algorithm, byte[] key) {
    return Der.sequence(Der.integer(0), algorithm, Der.octets(key));
  }
}
