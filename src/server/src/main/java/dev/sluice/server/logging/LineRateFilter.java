package dev.sluice.server.logging;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.filter.Filter;
import ch.qos.logback.core.spi.FilterReply;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Limits the lines of one kind per minute, so that no caller fills a disk. The number of suppressed
 * lines is logged at the end of the minute.
 */
final class LineRateFilter extends Filter<ILoggingEvent> {
  /** Lines per kind and minute at level info and above. */
  static final int MOST = 100;

  /** Lines per kind and minute at level debug and below. */
  static final int MOST_DEBUG = 6_000;

  private static final String OWN = LineRateFilter.class.getName();

  private final LineRate rate = new LineRate(System::nanoTime);
  private final AtomicBoolean isDue = new AtomicBoolean();
  private final Executor later =
      CompletableFuture.delayedExecutor(LineRate.WINDOW.toMillis() + 100, TimeUnit.MILLISECONDS);

  @Override
  public FilterReply decide(ILoggingEvent event) {
    if (event.getLoggerName().equals(OWN)) {
      return FilterReply.NEUTRAL;
    }
    int most = event.getLevel().isGreaterOrEqual(Level.INFO) ? MOST : MOST_DEBUG;
    LineRate.Kind kind =
        new LineRate.Kind(event.getLoggerName(), String.valueOf(event.getMessage()));
    if (rate.admits(kind, most)) {
      return FilterReply.NEUTRAL;
    }
    tellLater();
    return FilterReply.DENY;
  }

  private void tellLater() {
    if (isDue.compareAndSet(false, true)) {
      later.execute(this::tell);
    }
  }

  private void tell() {
    isDue.set(false);
    Logger log = LoggerFactory.getLogger(OWN);
    for (LineRate.Withheld withheld : rate.takeWithheld()) {
      log.warn(
          "{} more of this kind in the last minute, not shown: {}: {}",
          withheld.lines(),
          withheld.kind().logger(),
          withheld.kind().message());
    }
    if (rate.hasWithheld()) {
      tellLater(); // their minute is not over
    }
  }
}
