package dev.sluice.certs;

/** What came of looking for a new certificate. */
public sealed interface Refresh {
  /** Nothing is new. */
  record Unchanged() implements Refresh {}

  /** The certificate, the bundle of authorities, or both are new: fetch them from the source. */
  record Changed() implements Refresh {}

  /** The new content cannot be used; the source keeps the old one. Deserves a warning. */
  record Refused(CertificateProblem problem) implements Refresh {}
}
