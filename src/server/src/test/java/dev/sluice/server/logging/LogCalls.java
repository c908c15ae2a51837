package dev.sluice.server.logging;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds where source code could write a value into the log, or to a stream, past the one place that
 * makes values printable. That place sees arguments and fields; what is already in a message when
 * it is logged could be anything. So the message of every log call must be a literal, or several
 * put together, and nothing else writes.
 */
final class LogCalls {
  private static final String LITERAL =
      "(?:\"\"\"(?:[^\\\\]|\\\\.)*?\"\"\"|\"(?:[^\"\\\\\\n]|\\\\.)*\")";
  private static final Pattern COMMENT =
      Pattern.compile(
          "(" + LITERAL + "|'(?:[^'\\\\\\n]|\\\\.)+')|/\\*.*?\\*/|//[^\\n]*", Pattern.DOTALL);
  private static final String LEVEL = "(?:trace|debug|info|warn|error)";

  /** A call of a logger: {@code LOG.warn(}, or {@code .log(} at the end of a fluent one. */
  private static final Pattern CALL =
      Pattern.compile(
          "\\b(?:LOG|log|LOGGER|logger|audit)\\s*\\.\\s*"
              + LEVEL
              + "\\(\\s*"
              + "|\\.at(?:Trace|Debug|Info|Warn|Error|Level)\\([^;]*?\\.log\\(\\s*",
          Pattern.DOTALL);

  private static final Pattern LITERALS =
      Pattern.compile(LITERAL + "(?:\\s*\\+\\s*" + LITERAL + ")*\\s*[,)]", Pattern.DOTALL);
  private static final Pattern FIELD_NAME =
      Pattern.compile("\\.addKeyValue\\(\\s*(?!\"|[A-Z_.a-z]+[A-Z_]+\\s*,)");
  private static final Pattern OTHER =
      Pattern.compile(
          "System\\.(?:err|out)\\b|java\\.util\\.logging|System\\.Logger|\\.printStackTrace\\(\\)");

  private LogCalls() {}

  /** Each place at which this source is at fault, as its text. */
  static List<String> faults(String source) {
    String code = COMMENT.matcher(source).replaceAll(LogCalls::withoutComment);
    List<String> faults = new ArrayList<>();
    Matcher call = CALL.matcher(code);
    while (call.find()) {
      if (!LITERALS.matcher(code).region(call.end(), code.length()).lookingAt()) {
        faults.add(excerpt(code, call.start()));
      }
    }
    for (Pattern forbidden : List.of(FIELD_NAME, OTHER)) {
      Matcher found = forbidden.matcher(code);
      while (found.find()) {
        faults.add(excerpt(code, found.start()));
      }
    }
    return faults;
  }

  /** How many calls of loggers this source has. */
  static int count(String source) {
    return (int)
        CALL.matcher(COMMENT.matcher(source).replaceAll(LogCalls::withoutComment))
            .results()
            .count();
  }

  private static String withoutComment(MatchResult found) {
    return found.group(1) == null ? " " : Matcher.quoteReplacement(found.group(1));
  }

  private static String excerpt(String code, int at) {
    return code.substring(at, Math.min(code.length(), at + 80)).replaceAll("\\s+", " ");
  }
}
