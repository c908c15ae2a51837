package dev.sluice.certs;

import static dev.sluice.certs.CertificateProblem.Reason.UNREADABLE;

import java.io.IOException;
import java.util.Optional;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1Primitive;
import org.bouncycastle.asn1.DERNull;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.pkcs.RSAPrivateKey;
import org.bouncycastle.asn1.sec.ECPrivateKey;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x9.X9ObjectIdentifiers;

/**
 * Turns keys as older tools write them ("EC PRIVATE KEY", "RSA PRIVATE KEY") into PKCS#8, which the
 * JDK reads. A class of its own, so that Bouncy Castle is loaded only when such a key turns up.
 */
final class TraditionalKeys {
  private TraditionalKeys() {}

  /** A key that does not name its curve is on the one of the parameters before it. */
  static byte[] ec(byte[] sec1, Optional<byte[]> parameters) {
    try {
      var key = ECPrivateKey.getInstance(sec1);
      ASN1Encodable curve = key.getParametersObject();
      if (curve == null && parameters.isPresent()) {
        curve = ASN1Primitive.fromByteArray(parameters.get());
      }
      var algorithm = new AlgorithmIdentifier(X9ObjectIdentifiers.id_ecPublicKey, curve);
      return pkcs8(algorithm, key);
    } catch (IOException | IllegalArgumentException | IllegalStateException damaged) {
      throw new CertificateProblem(UNREADABLE, "an EC private key is damaged", damaged);
    }
  }

  static byte[] rsa(byte[] pkcs1) {
    try {
      var algorithm =
          new AlgorithmIdentifier(PKCSObjectIdentifiers.rsaEncryption, DERNull.INSTANCE);
      return pkcs8(algorithm, RSAPrivateKey.getInstance(pkcs1));
    } catch (IOException | IllegalArgumentException | IllegalStateException damaged) {
      throw new CertificateProblem(UNREADABLE, "an RSA private key is damaged", damaged);
    }
  }

  private static byte[] pkcs8(AlgorithmIdentifier algorithm, ASN1Encodable key) throws IOException {
    return new PrivateKeyInfo(algorithm, key).getEncoded();
  }
}
