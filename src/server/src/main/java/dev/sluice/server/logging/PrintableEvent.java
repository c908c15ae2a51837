package dev.sluice.server.logging;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.LoggingEvent;
import dev.sluice.json.Excerpt;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.KeyValuePair;
import org.slf4j.helpers.MessageFormatter;

/**
 * A log event whose values are all short and printable: arguments, fields, context and messages of
 * exceptions pass {@link Excerpt}. So no value can start a new line, change the text direction or
 * control a terminal.
 */
final class PrintableEvent extends LoggingEvent {
  /** Characters of a field, or of a value of the context. */
  static final int FIELD = 253;

  /** Characters of an argument, which may be a sentence; and of an exception's message. */
  static final int ARGUMENT = 1_000;

  /** Characters of a message with all its arguments. */
  static final int MESSAGE = 4_000;

  private static final int FIELDS = 20;

  private final @Nullable IThrowableProxy cause;

  private PrintableEvent(@Nullable IThrowableProxy cause) {
    this.cause = cause;
  }

  static PrintableEvent of(ILoggingEvent event) {
    IThrowableProxy thrown = event.getThrowableProxy();
    PrintableEvent printable =
        new PrintableEvent(thrown == null ? null : PrintableThrowable.of(thrown));
    printable.setLevel(event.getLevel());
    printable.setLoggerName(event.getLoggerName());
    printable.setThreadName(event.getThreadName());
    printable.setInstant(event.getInstant());
    printable.setLoggerContextRemoteView(event.getLoggerContextVO());
    printable.setMessage(message(event));
    printable.setMDCPropertyMap(context(event.getMDCPropertyMap()));
    printable.setKeyValuePairs(fields(event.getKeyValuePairs()));
    return printable;
  }

  private static String message(ILoggingEvent event) {
    Object[] arguments = event.getArgumentArray();
    if (arguments == null) {
      return Excerpt.of(String.valueOf(event.getMessage()), MESSAGE);
    }
    Object[] printable = new Object[arguments.length];
    for (int i = 0; i < arguments.length; i++) {
      printable[i] = text(arguments[i], ARGUMENT);
    }
    return Excerpt.of(
        String.valueOf(MessageFormatter.basicArrayFormat(event.getMessage(), printable)), MESSAGE);
  }

  private static Map<String, String> context(@Nullable Map<String, String> context) {
    return context == null || context.isEmpty()
        ? Map.of()
        : context.entrySet().stream()
            .limit(FIELDS)
            .collect(
                Collectors.toMap(
                    entry -> text(entry.getKey(), FIELD),
                    entry -> text(entry.getValue(), FIELD),
                    (first, _) -> first));
  }

  private static @Nullable List<KeyValuePair> fields(@Nullable List<KeyValuePair> fields) {
    return fields == null
        ? null
        : fields.stream()
            .limit(FIELDS)
            .map(field -> new KeyValuePair(text(field.key, FIELD), text(field.value, FIELD)))
            .toList();
  }

  /** The longest value in a line. */
  static String text(@Nullable Object value, int most) {
    try {
      return Excerpt.of(String.valueOf(value), most);
    } catch (RuntimeException e) {
      return "[" + e.getClass().getSimpleName() + " in toString]"; // the line is still written
    }
  }

  @Override
  public @Nullable IThrowableProxy getThrowableProxy() {
    return cause;
  }
}
