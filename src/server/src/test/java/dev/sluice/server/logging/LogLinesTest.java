package dev.sluice.server.logging;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.AppenderBase;
import ch.qos.logback.core.encoder.Encoder;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What a line of the log looks like when a caller chose the values in it. */
class LogLinesTest {
  private static final List<String> HOSTILE =
      List.of(
          "a\n12:00:00.000 ERROR audit: forged",
          "a\r12:00:00.000 ERROR audit: forged",
          "\u001b[2J\u001b[31mERROR audit: forged",
          "\u009b31mERROR audit: forged",
          "a\u202egnorw\u202c\u2066b\u2069",
          "zero\u200bwidth\ufeff",
          "lines\u2028of\u2029Unicode\u0085next",
          "\u0000\u0007\b\u007f",
          "x\ud800y",
          "y".repeat(1 << 20));

  /** Where a value of a caller can be in a line. */
  record Where(String name, BiConsumer<Logger, String> write) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static final Where ARGUMENT =
      new Where("argument", (log, value) -> log.warn("refused: {}", value));

  static Stream<Where> places() {
    return Stream.of(
        ARGUMENT,
        new Where("second argument", (log, value) -> log.warn("{} of {}: {}", 1, value, 2)),
        new Where("field", (log, value) -> log.atWarn().addKeyValue("uid", value).log("refused")),
        new Where("context", LogLinesTest::inContext),
        new Where("message", Logger::warn),
        new Where(
            "exception", (log, value) -> log.warn("failed", new IllegalStateException(value))),
        new Where(
            "cause",
            (log, value) ->
                log.warn(
                    "failed", new IllegalStateException("x", new IllegalStateException(value)))),
        new Where("suppressed", (log, value) -> log.warn("failed", suppressing(value))));
  }

  private static void inContext(Logger log, String value) {
    log.getLoggerContext().getMDCAdapter().put("trace_id", value);
    log.warn("refused");
  }

  private static Exception suppressing(String value) {
    Exception outer = new IllegalStateException("x");
    outer.addSuppressed(new IllegalStateException(value));
    return outer;
  }

  private static String written(
      LogFlags.Level level, LogFlags.Format format, Where where, String value) {
    LoggerContext context = new LoggerContext();
    context.setMDCAdapter(new LogbackMDCAdapter());
    Encoder<ILoggingEvent> lines = Logging.lines(context, level, format);
    List<byte[]> written = new ArrayList<>();
    AppenderBase<ILoggingEvent> appender =
        new AppenderBase<>() {
          @Override
          protected void append(ILoggingEvent event) {
            written.add(lines.encode(event));
          }
        };
    appender.setContext(context);
    appender.start();
    Logger log = context.getLogger("test");
    log.setLevel(Level.DEBUG);
    log.addAppender(appender);
    where.write().accept(log, value);
    assertThat(written).hasSize(1);
    return new String(written.getFirst(), UTF_8);
  }

  private static boolean isHarmful(int character) {
    return character != '\n'
        && character != '\t'
        && switch (Character.getType(character)) {
          case Character.CONTROL,
              Character.FORMAT,
              Character.LINE_SEPARATOR,
              Character.PARAGRAPH_SEPARATOR,
              Character.SURROGATE ->
              true;
          default -> false;
        };
  }

  @ParameterizedTest
  @MethodSource("places")
  void aLineStaysOneShortPrintableLine(Where where) {
    for (String value : HOSTILE) {
      String line = written(LogFlags.Level.INFO, LogFlags.Format.TEXT, where, value);

      assertThat(line).endsWith("\n").hasLineCount(1).hasSizeLessThan(6_000);
      assertThat(line.chars().filter(LogLinesTest::isHarmful)).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("places")
  void aLineWithATraceHasNoLineOfTheCaller(Where where) {
    for (String value : HOSTILE) {
      String lines = written(LogFlags.Level.DEBUG, LogFlags.Format.TEXT, where, value);

      assertThat(lines).hasSizeLessThan(20_000);
      assertThat(lines.chars().filter(LogLinesTest::isHarmful)).isEmpty();
      assertThat(lines.lines().skip(1))
          .allSatisfy(
              line ->
                  assertThat(line)
                      .containsPattern(
                          "^\\s*(at |\\.\\.\\. |Caused by: |Suppressed: |java\\.|Wrapped by: )"));
    }
  }

  @ParameterizedTest
  @MethodSource("places")
  void anObjectOfJsonStaysOneShortPrintableLine(Where where) throws Exception {
    for (String value : HOSTILE) {
      String line = written(LogFlags.Level.DEBUG, LogFlags.Format.JSON, where, value);

      assertThat(line).endsWith("\n").hasLineCount(1);
      JsonNode object = JsonMapper.builder().build().readTree(line);
      assertThat(object.path("level").asText()).isEqualTo("WARN");
      assertThat(object.path("timestamp").isMissingNode()).isFalse();
      assertThat(object.toString().chars().filter(LogLinesTest::isHarmful)).isEmpty();
      assertThat(object.path("formattedMessage").asText().length())
          .isLessThanOrEqualTo(PrintableEvent.MESSAGE);
    }
  }

  @ParameterizedTest
  @EnumSource(LogFlags.Format.class)
  void whatIsHarmlessIsWrittenAsItIs(LogFlags.Format format) {
    String line = written(LogFlags.Level.INFO, format, ARGUMENT, "Größe {} 100 % 名前");

    assertThat(line).contains("refused: Größe {} 100 % 名前");
  }
}
