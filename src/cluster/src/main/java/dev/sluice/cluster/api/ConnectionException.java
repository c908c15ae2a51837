package dev.sluice.cluster.api;

/** The API server could not be reached, or its answer was unusable; the message is a sentence. */
public final class ConnectionException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** What went wrong. */
  public enum Reason {
    /** There was no answer in time, or the connection broke. */
    UNREACHABLE,
    /** It does not serve that kind. */
    NOT_SERVED,
    /** It does not let us. */
    FORBIDDEN,
    /** The requested version is too old. */
    GONE,
    /**
     * The server asks to retry later: too many requests, or the storage of a kind is being set up
     * again, as after each change of a CustomResourceDefinition.
     */
    BUSY,
    /** It refused for another reason. */
    REFUSED,
    /** The answer makes no sense, or is larger than it may be. */
    UNREADABLE,
    /** The thread was interrupted; its interrupt flag is set again. */
    INTERRUPTED
  }

  private final Reason reason;

  ConnectionException(Reason reason, String message) {
    super(message);
    this.reason = reason;
  }

  ConnectionException(Reason reason, String message, Throwable cause) {
    super(message, cause);
    this.reason = reason;
  }

  /** What went wrong. */
  public Reason reason() {
    return reason;
  }

  /** Whether the API server could not convert objects, maybe since it cannot reach us yet. */
  public boolean isForLackOfConversion() {
    return reason == Reason.REFUSED && String.valueOf(getMessage()).contains("conversion webhook");
  }
}
