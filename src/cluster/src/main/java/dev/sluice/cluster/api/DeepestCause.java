package dev.sluice.cluster.api;

import java.net.ConnectException;
import java.util.Locale;
import java.util.regex.Pattern;

/** The most specific cause: a refused connection instead of a failed future. */
public final class DeepestCause {
  private static final int MOST = 10;

  /** What the HTTP client puts in front of a cause; callers name the server themselves. */
  private static final Pattern ADDRESS = Pattern.compile("^Connect to .* failed: ");

  private DeepestCause() {}

  /** Its message, or its class without one. */
  public static String of(Throwable e) {
    Throwable cause = e;
    for (int depth = 0; depth < MOST && cause.getCause() != null; depth++) {
      cause = cause.getCause();
    }
    String message = cause.getMessage();
    if (message == null || message.isBlank()) {
      return cause.getClass().getSimpleName().replaceAll("Exception$", "");
    }
    String brief = ADDRESS.matcher(message).replaceFirst("");
    return cause instanceof ConnectException ? brief.toLowerCase(Locale.ROOT) : brief;
  }
}
