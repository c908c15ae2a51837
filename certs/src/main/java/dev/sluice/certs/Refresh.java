package dev.sluice.certs;

/** What came of looking for a new certificate. */
public sealed interface Refresh {
  /** Nothing is new. */
  record Unchanged() implements Refresh {}

  /** The certificate, the bundle of authorities, or both are new: fetch them from the source. */
  record Changed() implements Refresh {}

  /** What is there now cannot be used; the source goes on with what it had. Worth a warning. */
  record Refused(CertificateProblem problem) implements Refresh {}
}
