package dev.sluice.cluster.access;

/**
 * The configuration of the cluster's address or of the credentials cannot be used. The message is
 * one sentence that names file and field and what was expected; it never holds a secret. Wrong
 * usage: trying again does not help.
 */
public final class AccessException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  AccessException(String message) {
    super(message);
  }

  AccessException(String message, Throwable cause) {
    super(message, cause);
  }
}
