package dev.sluice.controlplane;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * A control plane cannot be had or asked: a program is missing, a process ended, the API server
 * does not answer.
 */
public final class ControlPlaneException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  /** Why, for those who handle the cases apart. */
  public enum Reason {
    /** A folder of binaries was named, but does not hold what is asked for. */
    BINARY_MISSING,
    /** There are no binaries and no Go to build them with. */
    GO_MISSING,
    /** The Go build ended with an error; the message has the end of its log. */
    BUILD_FAILED,
    /** A process ended before it was ready; the message has the end of its log. */
    PROCESS_ENDED,
    /** Something did not happen within its bound. */
    TIMED_OUT,
    /** The API server cannot be reached. */
    UNREACHABLE,
    /** The API server answered, but not with success. */
    REFUSED,
    /** A file could not be read or written. */
    FILES,
    /** The thread was interrupted while it waited; its interrupt flag is set again. */
    INTERRUPTED
  }

  private final Reason reason;

  public ControlPlaneException(Reason reason, String message) {
    this(reason, message, null);
  }

  public ControlPlaneException(Reason reason, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.reason = reason;
  }

  public Reason reason() {
    return reason;
  }
}
