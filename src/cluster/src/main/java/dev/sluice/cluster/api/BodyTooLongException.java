package dev.sluice.cluster.api;

/** The body of a response is longer than its caller wants to read. */
final class BodyTooLongException extends RuntimeException {
  private static final long serialVersionUID = 1;

  BodyTooLongException() {
    super("the body is longer than the caller reads");
  }
}
