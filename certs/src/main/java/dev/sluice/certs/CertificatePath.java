package dev.sluice.certs;

import static dev.sluice.certs.CertificateProblem.Reason.UNTRUSTED;

import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CertPathBuilder;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertStore;
import java.security.cert.CollectionCertStoreParameters;
import java.security.cert.PKIXBuilderParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509CertSelector;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Collection;
import java.util.Date;
import java.util.stream.Collectors;

/** The way from a server's certificate, through its chain, to an authority that clients trust. */
final class CertificatePath {
  private CertificatePath() {}

  static void requireFrom(
      ServingCertificate serving,
      Collection<X509Certificate> authorities,
      Instant now,
      Path bundle) {
    if (authorities.contains(serving.leaf())) { // a client that trusts the leaf asks no further
      return;
    }
    try {
      CertPathBuilder.getInstance("PKIX").build(parameters(serving, authorities, now));
    } catch (CertPathBuilderException noPath) {
      throw new CertificateProblem(
          UNTRUSTED, bundle + ": " + serving + " leads to none of the authorities in it", noPath);
    } catch (GeneralSecurityException noPkix) {
      throw new IllegalStateException("this Java runtime cannot check certificates", noPkix);
    }
  }

  private static PKIXBuilderParameters parameters(
      ServingCertificate serving, Collection<X509Certificate> authorities, Instant now)
      throws GeneralSecurityException {
    var anchors =
        authorities.stream()
            .map(authority -> new TrustAnchor(authority, null))
            .collect(Collectors.toSet());
    var target = new X509CertSelector();
    target.setCertificate(serving.leaf());
    var parameters = new PKIXBuilderParameters(anchors, target);
    parameters.addCertStore(
        CertStore.getInstance("Collection", new CollectionCertStoreParameters(serving.chain())));
    parameters.setDate(Date.from(now));
    parameters.setRevocationEnabled(false); // a mounted folder has no revocation lists
    return parameters;
  }
}
