package dev.sluice.certs;

import java.io.IOException;
import java.math.BigInteger;
import java.security.KeyPair;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Date;
import org.bouncycastle.asn1.DEROctetString;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/**
 * Puts certificates together and signs them: the one place that needs Bouncy Castle to do so, kept
 * apart so that a start with good certificates on disk never loads it. The cryptography itself is
 * the JDK's.
 */
final class Issuance {
  private static final int SERIAL_BITS = 128;

  private final SecureRandom random;

  Issuance(SecureRandom random) {
    this.random = random;
  }

  X509Certificate authority(String name, KeyPair keys, Validity validity) {
    try {
      var ids = new JcaX509ExtensionUtils();
      var builder =
          builder(commonName(name), commonName(name), keys.getPublic(), validity)
              .addExtension(Extension.basicConstraints, true, new BasicConstraints(0))
              .addExtension(
                  Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign))
              .addExtension(
                  Extension.subjectKeyIdentifier,
                  false,
                  ids.createSubjectKeyIdentifier(keys.getPublic()))
              .addExtension(
                  Extension.authorityKeyIdentifier,
                  false,
                  ids.createAuthorityKeyIdentifier(keys.getPublic()));
      return sign(builder, keys.getPrivate());
    } catch (IOException | NoSuchAlgorithmException | OperatorCreationException e) {
      throw cannotIssue(e);
    }
  }

  X509Certificate serving(
      CertificateAuthority issuer,
      String name,
      PublicKey key,
      ServedNames names,
      Validity validity) {
    try {
      var ids = new JcaX509ExtensionUtils();
      var issuerName =
          X500Name.getInstance(issuer.certificate().getSubjectX500Principal().getEncoded());
      var builder =
          builder(issuerName, commonName(name), key, validity)
              .addExtension(Extension.basicConstraints, true, new BasicConstraints(false))
              .addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature))
              .addExtension(
                  Extension.extendedKeyUsage,
                  false,
                  new ExtendedKeyUsage(KeyPurposeId.id_kp_serverAuth))
              .addExtension(Extension.subjectAlternativeName, false, alternatives(names))
              .addExtension(
                  Extension.subjectKeyIdentifier, false, ids.createSubjectKeyIdentifier(key))
              .addExtension(
                  Extension.authorityKeyIdentifier,
                  false,
                  ids.createAuthorityKeyIdentifier(issuer.certificate().getPublicKey()));
      return sign(builder, issuer.key());
    } catch (IOException | NoSuchAlgorithmException | OperatorCreationException e) {
      throw cannotIssue(e);
    }
  }

  private static X500Name commonName(String name) {
    return new X500NameBuilder().addRDN(BCStyle.CN, name).build();
  }

  private X509v3CertificateBuilder builder(
      X500Name issuer, X500Name subject, PublicKey key, Validity validity) {
    return new X509v3CertificateBuilder(
        issuer,
        serial(),
        Date.from(validity.from()),
        Date.from(validity.until()),
        subject,
        SubjectPublicKeyInfo.getInstance(key.getEncoded()));
  }

  /** Positive, never zero, and too large a space for two to meet. */
  private BigInteger serial() {
    return new BigInteger(SERIAL_BITS, random).setBit(SERIAL_BITS - 1);
  }

  private X509Certificate sign(X509v3CertificateBuilder builder, PrivateKey key)
      throws OperatorCreationException, IOException {
    var signer = new JcaContentSignerBuilder("SHA256withECDSA").setSecureRandom(random).build(key);
    return Pem.certificate(builder.build(signer).getEncoded());
  }

  private static GeneralNames alternatives(ServedNames names) {
    var all = new ArrayList<GeneralName>();
    names.hosts().forEach(host -> all.add(new GeneralName(GeneralName.dNSName, host)));
    names
        .addresses()
        .forEach(
            address ->
                all.add(
                    new GeneralName(
                        GeneralName.iPAddress, new DEROctetString(address.getAddress()))));
    return new GeneralNames(all.toArray(GeneralName[]::new));
  }

  private static IllegalStateException cannotIssue(Exception cause) {
    return new IllegalStateException("a certificate cannot be put together", cause);
  }
}
