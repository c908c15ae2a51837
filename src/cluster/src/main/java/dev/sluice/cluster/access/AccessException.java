package dev.sluice.cluster.access;

/**
 * What says where the cluster is, or how to log in, cannot be used. The message is one sentence
 * that names file and field and what was expected; it never holds a secret. Wrong usage: trying
 * again does not help.
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
