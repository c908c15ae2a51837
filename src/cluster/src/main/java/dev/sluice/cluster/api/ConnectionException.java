package dev.sluice.cluster.api;

/** The API server could not be asked, or did not answer as it should; the message is a sentence. */
public final class ConnectionException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** What went wrong. */
  public enum Reason {
    /** No answer came in time, or the connection broke. */
    UNREACHABLE,
    /** It does not serve that kind. */
    NOT_SERVED,
    /** It does not let us. */
    FORBIDDEN,
    /** What was asked for is too old to be told. */
    GONE,
    /**
     * It asks to come again later: too many requests, or storage of a kind that is set up anew, as
     * each change of a CustomResourceDefinition demands.
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
