package dev.sluice.certs;

/**
 * Where a server's certificate comes from. A source always has one that works: it cannot be opened
 * without, and a bad successor is refused. Safe for use by any thread; {@link #refresh} reads and
 * may write files, the others answer from memory.
 */
public sealed interface CertificateSource
    permits CertificateFolder, MountedCertificate, SharedCertificate {
  /** What to serve now. */
  ServingCertificate current();

  /**
   * The authorities that clients are to trust, as the {@code caBundle} of a webhook takes it; empty
   * when none is known, and clients rely on those of their system.
   */
  String caBundlePem();

  /**
   * Those of {@link #caBundlePem} that the next step waits for. Who else writes bundles, and writes
   * only these, does not hold up the step.
   */
  default String awaitedPem() {
    return caBundlePem();
  }

  /** Authorities that clients are to trust no more, in the same form. */
  default String withdrawnPem() {
    return "";
  }

  /**
   * Tells whether a bundle was just found in all places where clients look.
   *
   * @param bundle as {@link #caBundlePem} gave it
   */
  default void seen(String bundle, boolean everywhere) {}

  /** How far the certificates have come. */
  CertificateStatus status();

  /** Looks for a successor; call it every minute or so. Throws no {@link CertificateProblem}. */
  Refresh refresh();
}
