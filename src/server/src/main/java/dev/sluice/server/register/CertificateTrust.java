package dev.sluice.server.register;

import static java.util.Objects.requireNonNull;

import dev.sluice.certs.CertificateSource;

/**
 * The trust that certificates of that source need.
 *
 * @param check serves a new certificate, if there is one
 */
public record CertificateTrust(CertificateSource certificates, Runnable check)
    implements PublishedTrust {
  public CertificateTrust {
    requireNonNull(certificates, "certificates");
    requireNonNull(check, "check");
  }

  @Override
  public String bundle() {
    return certificates.caBundlePem();
  }

  @Override
  public String awaited() {
    return certificates.awaitedPem();
  }

  @Override
  public String withdrawn() {
    return certificates.withdrawnPem();
  }

  @Override
  public void seen(String bundle, boolean everywhere) {
    certificates.seen(bundle, everywhere);
  }

  @Override
  public void refresh() {
    check.run();
  }
}
