package dev.sluice.certs;

import static java.util.Objects.requireNonNull;

/**
 * A certificate, a key or the folder they live in cannot be used. The message names the file and
 * what to do about it, and never holds key material.
 */
public final class CertificateProblem extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Why; a closed set, so that a caller can decide by it. */
  public enum Reason {
    /** The private key belongs to another certificate. */
    KEY_MISMATCH,
    /** A file is missing, cut off, damaged, or in a form we do not read. */
    UNREADABLE,
    /** The certificate's validity is over. */
    EXPIRED,
    /** The certificate's validity has not begun: it, or the clock, is wrong. */
    NOT_YET_VALID,
    /** The certificate does not lead to the authority that is published beside it. */
    UNTRUSTED,
    /** Another process held the folder for longer than we wait. */
    FOLDER_IN_USE,
    /** The folder or a file in it cannot be written, or cannot be made private to its owner. */
    UNWRITABLE
  }

  private final Reason reason;

  CertificateProblem(Reason reason, String message) {
    super(message);
    this.reason = requireNonNull(reason, "reason");
  }

  CertificateProblem(Reason reason, String message, Throwable cause) {
    super(message, cause);
    this.reason = requireNonNull(reason, "reason");
  }

  public Reason reason() {
    return reason;
  }
}
