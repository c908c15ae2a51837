package dev.sluice.server.logging;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ConfiguratorRank;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.spi.ContextAwareBase;
import org.slf4j.LoggerFactory;

/**
 * Configures logging in code: no file is needed, and a program that only prints its help does not
 * pay for it. By default, warnings go to stderr. Every log entry is one line of printable
 * characters, whatever a caller sends ({@link PrintableEvent}), and the number of lines per minute
 * is bounded ({@link LineRateFilter}).
 */
@ConfiguratorRank(ConfiguratorRank.CUSTOM_HIGH_PRIORITY)
public final class Logging extends ContextAwareBase implements Configurator {
  private static final String TEXT =
      "%d{HH:mm:ss.SSS} %-5level %msg %kvp{DOUBLE} %mdc%n%nopexception";
  private static final String TEXT_WITH_TRACE =
      "%d{HH:mm:ss.SSS} %-5level %msg %kvp{DOUBLE} %mdc%n%ex{12}";

  @Override
  public ExecutionStatus configure(LoggerContext context) {
    configure(context, LogFlags.Level.WARN, LogFlags.Format.TEXT);
    return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
  }

  static void apply(LogFlags.Level level, LogFlags.Format format) {
    if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
      context.reset();
      configure(context, level, format);
    }
  }

  private static void configure(
      LoggerContext context, LogFlags.Level level, LogFlags.Format format) {
    ConsoleAppender<ILoggingEvent> appender = new ConsoleAppender<>();
    appender.setContext(context);
    appender.setTarget("System.err");
    appender.setEncoder(lines(context, level, format));
    LineRateFilter rate = new LineRateFilter();
    rate.start();
    appender.addFilter(rate);
    appender.start();
    Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    root.addAppender(appender);
    root.setLevel(Level.WARN);
    context.getLogger("dev.sluice").setLevel(Level.toLevel(level.name()));
  }

  /** What makes lines of events, for this level and in this format. */
  static Encoder<ILoggingEvent> lines(
      LoggerContext context, LogFlags.Level level, LogFlags.Format format) {
    PrintableEncoder printable = new PrintableEncoder(encoder(context, level, format));
    printable.setContext(context);
    printable.start();
    return printable;
  }

  private static Encoder<ILoggingEvent> encoder(
      LoggerContext context, LogFlags.Level level, LogFlags.Format format) {
    if (format == LogFlags.Format.JSON) {
      JsonEncoder encoder = new JsonEncoder();
      encoder.setContext(context);
      encoder.setWithContext(false);
      encoder.setWithSequenceNumber(false);
      encoder.setWithNanoseconds(false);
      encoder.setWithFormattedMessage(true);
      encoder.setWithMessage(false);
      encoder.setWithArguments(false);
      encoder.start();
      return encoder;
    }
    PatternLayoutEncoder encoder = new PatternLayoutEncoder();
    encoder.setContext(context);
    encoder.setPattern(level == LogFlags.Level.DEBUG ? TEXT_WITH_TRACE : TEXT);
    encoder.start();
    return encoder;
  }
}
