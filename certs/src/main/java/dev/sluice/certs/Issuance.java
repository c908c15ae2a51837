package dev.sluice.certs;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Puts certificates together (RFC 5280) and signs them. The JDK has the cryptography and reads
 * certificates, but has no public way to make one.
 */
final class Issuance {
  private static final int SERIAL_BITS = 128;
  private static final int VERSION_3 = 2;

  private static final byte[] ECDSA_WITH_SHA256 = Der.sequence(Der.id("1.2.840.10045.4.3.2"));
  private static final String COMMON_NAME = "2.5.4.3";
  private static final String SUBJECT_KEY_ID = "2.5.29.14";
  private static final String KEY_USAGE = "2.5.29.15";
  private static final String ALTERNATIVE_NAMES = "2.5.29.17";
  private static final String BASIC_CONSTRAINTS = "2.5.29.19";
  private static final String AUTHORITY_KEY_ID = "2.5.29.35";
  private static final String EXTENDED_KEY_USAGE = "2.5.29.37";
  private static final String SERVER_AUTHENTICATION = "1.3.6.1.5.5.7.3.1";

  /** Bit 0, and bits 5 and 6: signatures of TLS; signatures of certificates and of their lists. */
  private static final byte[] SIGNS_HANDSHAKES = Der.bits(7, new byte[] {(byte) 0x80});

  private static final byte[] SIGNS_CERTIFICATES = Der.bits(1, new byte[] {0x06});

  private static final int KEY_ID_OF_AUTHORITY = 0;
  private static final int HOST = 2;
  private static final int ADDRESS = 7;

  private final SecureRandom random;

  Issuance(SecureRandom random) {
    this.random = random;
  }

  X509Certificate authority(String name, KeyPair keys, Validity validity) {
    byte[] noFurtherAuthority = Der.sequence(Der.yes(), Der.integer(0));
    return certificate(
        commonName(name),
        commonName(name),
        keys.getPublic(),
        validity,
        List.of(
            critical(BASIC_CONSTRAINTS, noFurtherAuthority),
            critical(KEY_USAGE, SIGNS_CERTIFICATES),
            extension(SUBJECT_KEY_ID, Der.octets(keyId(keys.getPublic()))),
            extension(AUTHORITY_KEY_ID, authorityKeyId(keys.getPublic()))),
        keys.getPrivate());
  }

  X509Certificate serving(
      CertificateAuthority issuer,
      String name,
      PublicKey key,
      ServedNames names,
      Validity validity) {
    byte[] noAuthority = Der.sequence();
    return certificate(
        issuer.certificate().getSubjectX500Principal().getEncoded(),
        commonName(name),
        key,
        validity,
        List.of(
            critical(BASIC_CONSTRAINTS, noAuthority),
            critical(KEY_USAGE, SIGNS_HANDSHAKES),
            extension(EXTENDED_KEY_USAGE, Der.sequence(Der.id(SERVER_AUTHENTICATION))),
            extension(ALTERNATIVE_NAMES, alternatives(names)),
            extension(SUBJECT_KEY_ID, Der.octets(keyId(key))),
            extension(AUTHORITY_KEY_ID, authorityKeyId(issuer.certificate().getPublicKey()))),
        issuer.key());
  }

  private X509Certificate certificate(
      byte[] issuer,
      byte[] subject,
      PublicKey key,
      Validity validity,
      List<byte[]> extensions,
      PrivateKey signer) {
    byte[] unsigned =
        Der.sequence(
            Der.explicit(0, Der.integer(VERSION_3)),
            Der.integer(serial()),
            ECDSA_WITH_SHA256,
            issuer,
            Der.sequence(Der.time(validity.from()), Der.time(validity.until())),
            subject,
            key.getEncoded(),
            Der.explicit(3, Der.sequence(extensions.toArray(byte[][]::new))));
    return Pem.certificate(
        Der.sequence(unsigned, ECDSA_WITH_SHA256, Der.bits(0, sign(unsigned, signer))));
  }

  private byte[] sign(byte[] unsigned, PrivateKey key) {
    try {
      var signature = Signature.getInstance("SHA256withECDSA");
      signature.initSign(key, random);
      signature.update(unsigned);
      return signature.sign();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("a certificate cannot be signed", e);
    }
  }

  private static byte[] commonName(String name) {
    return Der.sequence(Der.setOf(Der.sequence(Der.id(COMMON_NAME), Der.utf8(name))));
  }

  /** Positive, never zero, and too large a space for two to meet. */
  private BigInteger serial() {
    return new BigInteger(SERIAL_BITS, random).setBit(SERIAL_BITS - 1);
  }

  private static byte[] critical(String id, byte[] value) {
    return Der.sequence(Der.id(id), Der.yes(), Der.octets(value));
  }

  private static byte[] extension(String id, byte[] value) {
    return Der.sequence(Der.id(id), Der.octets(value));
  }

  private static byte[] authorityKeyId(PublicKey key) {
    return Der.sequence(Der.implicit(KEY_ID_OF_AUTHORITY, keyId(key)));
  }

  /** The SHA-1 of the bits of the key: a name for it, on whose strength nothing depends. */
  private static byte[] keyId(PublicKey key) {
    byte[] bits = Der.parts(key.getEncoded()).getLast().content();
    try {
      return MessageDigest.getInstance("SHA-1").digest(Arrays.copyOfRange(bits, 1, bits.length));
    } catch (NoSuchAlgorithmException missing) {
      throw new IllegalStateException("this Java runtime lacks SHA-1", missing);
    }
  }

  private static byte[] alternatives(ServedNames names) {
    var all = new ArrayList<byte[]>();
    names.hosts().forEach(host -> all.add(Der.implicit(HOST, host.getBytes(US_ASCII))));
    names.addresses().forEach(address -> all.add(Der.implicit(ADDRESS, address.getAddress())));
    return Der.sequence(all.toArray(byte[][]::new));
  }
}
