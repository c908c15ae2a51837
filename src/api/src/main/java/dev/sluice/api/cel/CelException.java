package dev.sluice.api.cel;

/** An expression that cannot be read, or that has no value. The message is for its author. */
public final class CelException extends RuntimeException {
  private static final long serialVersionUID = 1;

  CelException(String message) {
    super(message, null, false, false); // many devices may fail, and nobody reads where
  }
}
