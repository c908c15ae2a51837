package dev.sluice.server.logging;

import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.StackTraceElementProxy;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An exception as a log line shows it: its message may hold text of a caller. */
record PrintableThrowable(
    IThrowableProxy thrown, @Nullable IThrowableProxy cause, List<IThrowableProxy> suppressed)
    implements IThrowableProxy {
  /** The maximum depth of causes; deeper ones are cut. */
  private static final int DEEPEST = 16;

  private static final int MOST_SUPPRESSED = 4;

  static IThrowableProxy of(IThrowableProxy thrown) {
    return of(thrown, DEEPEST);
  }

  private static IThrowableProxy of(IThrowableProxy thrown, int deeper) {
    IThrowableProxy cause = thrown.getCause();
    IThrowableProxy[] suppressed = thrown.getSuppressed();
    boolean isLast = deeper == 0;
    return new PrintableThrowable(
        thrown,
        cause == null || isLast ? null : of(cause, deeper - 1),
        suppressed == null || isLast
            ? List.of()
            : Arrays.stream(suppressed)
                .limit(MOST_SUPPRESSED)
                .map(it -> of(it, deeper / 2))
                .toList());
  }

  @Override
  public @Nullable String getMessage() {
    return printable(thrown.getMessage());
  }

  @Override
  public @Nullable String getOverridingMessage() {
    return printable(thrown.getOverridingMessage());
  }

  private static @Nullable String printable(@Nullable String message) {
    return message == null ? null : PrintableEvent.text(message, PrintableEvent.ARGUMENT);
  }

  @Override
  public String getClassName() {
    return thrown.getClassName();
  }

  @Override
  public StackTraceElementProxy[] getStackTraceElementProxyArray() {
    return thrown.getStackTraceElementProxyArray();
  }

  @Override
  public int getCommonFrames() {
    return thrown.getCommonFrames();
  }

  @Override
  public @Nullable IThrowableProxy getCause() {
    return cause;
  }

  @Override
  public IThrowableProxy[] getSuppressed() {
    return suppressed.toArray(IThrowableProxy[]::new);
  }

  @Override
  public boolean isCyclic() {
    return thrown.isCyclic();
  }
}
