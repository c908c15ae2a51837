package dev.sluice.webhook;

import java.net.BindException;
import java.util.concurrent.TimeoutException;

/** The server could not start; the message is one sentence for the user. */
public final class ServerStartException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Why. */
  public enum Reason {
    /** An address cannot be listened on. */
    ADDRESS,
    /** It does not answer itself as it should. */
    PROBE,
    /** It took too long. */
    TIMEOUT
  }

  private final Reason reason;

  private ServerStartException(Reason reason, String what, Throwable cause) {
    super(what + " failed: " + cause.getMessage(), cause);
    this.reason = reason;
  }

  static ServerStartException of(String what, Throwable cause) {
    Reason reason =
        switch (cause) {
          case BindException _ -> Reason.ADDRESS;
          case java.net.UnknownHostException _ -> Reason.ADDRESS;
          case TimeoutException _ -> Reason.TIMEOUT;
          default -> Reason.PROBE;
        };
    return new ServerStartException(reason, what, cause);
  }

  /** Why. */
  public Reason reason() {
    return reason;
  }
}
