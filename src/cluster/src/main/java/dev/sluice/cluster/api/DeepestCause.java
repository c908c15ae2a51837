package dev.sluice.cluster.api;

/** The cause that says most: a connection refused and not that some future failed. */
public final class DeepestCause {
  private static final int MOST = 10;

  private DeepestCause() {}

  /** What it says; its kind where it says nothing. */
  public static String of(Throwable e) {
    Throwable cause = e;
    for (int depth = 0; depth < MOST && cause.getCause() != null; depth++) {
      cause = cause.getCause();
    }
    String message = cause.getMessage();
    String name = cause.getClass().getSimpleName().replaceAll("Exception$", "");
    return message == null || message.isBlank() ? name : message;
  }
}
