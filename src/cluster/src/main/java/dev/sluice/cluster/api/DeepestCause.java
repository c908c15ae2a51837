package dev.sluice.cluster.api;

import java.net.ConnectException;
import java.nio.channels.ClosedChannelException;

/** The most specific cause: a refused connection instead of a failed future. */
public final class DeepestCause {
  private static final int MOST = 10;

  private DeepestCause() {}

  /** Its message, or its class without one. */
  public static String of(Throwable e) {
    Throwable cause = e;
    for (int depth = 0; depth < MOST && cause.getCause() != null; depth++) {
      if (isRefused(cause, cause.getCause())) {
        return "connection refused";
      }
      cause = cause.getCause();
    }
    String message = cause.getMessage();
    String name = cause.getClass().getSimpleName().replaceAll("Exception$", "");
    return message == null || message.isBlank() ? name : message;
  }

  /** The JDK's client tries a refused connection again, and then only knows that it is closed. */
  private static boolean isRefused(Throwable e, Throwable cause) {
    return e instanceof ConnectException && cause instanceof ClosedChannelException;
  }
}
