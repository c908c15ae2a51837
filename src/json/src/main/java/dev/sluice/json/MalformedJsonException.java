package dev.sluice.json;

/** Text that is no JSON, or JSON beyond a bound; the message is one sentence for the sender. */
public final class MalformedJsonException extends Exception {
  private static final long serialVersionUID = 1L;

  private final boolean overLimit;

  MalformedJsonException(String message, boolean overLimit) {
    super(message);
    this.overLimit = overLimit;
  }

  /** Whether the text was given up because it passed a bound, and not because it is wrong. */
  public boolean overLimit() {
    return overLimit;
  }
}
