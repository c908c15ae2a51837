package dev.sluice.cli.cluster;

import dev.sluice.server.program.CommandException;

/** The cluster cannot be worked with; the message is one sentence for people. */
public final class ClusterException extends CommandException {
  private static final long serialVersionUID = 1L;

  /** What went wrong. */
  public enum Reason {
    /** No answer comes, or none that is understood. */
    UNREACHABLE,
    /** The API server kept asking to retry later. */
    OVERLOADED,
    /** The API server does not let this user do it. */
    DENIED,
    /** The answer is one that was not foreseen. */
    UNEXPECTED,
    /** The thread was interrupted; its interrupt flag is set again. */
    INTERRUPTED
  }

  private final Reason reason;

  /** This reason, in this sentence. */
  public ClusterException(Reason reason, String message) {
    super(message);
    this.reason = reason;
  }

  /** This reason, in this sentence, because of something else. */
  public ClusterException(Reason reason, String message, Throwable cause) {
    super(message, cause);
    this.reason = reason;
  }

  /** What went wrong. */
  public Reason reason() {
    return reason;
  }
}
