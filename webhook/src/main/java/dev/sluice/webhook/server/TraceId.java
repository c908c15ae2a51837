package dev.sluice.webhook.server;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The trace a request belongs to, as W3C Trace Context has it in the header {@code traceparent}.
 */
final class TraceId {
  /** The key under which log lines carry it. */
  static final String KEY = "trace_id";

  /** The header that callers send. */
  static final String HEADER = "traceparent";

  private static final Pattern TRACEPARENT =
      Pattern.compile("[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}(-.{0,200})?");
  private static final String NONE = "0".repeat(32);

  private TraceId() {}

  /** The trace id in the header's value; empty if there is none that can be read. */
  static Optional<String> of(@Nullable String traceparent) {
    if (traceparent == null) {
      return Optional.empty();
    }
    Matcher matcher = TRACEPARENT.matcher(traceparent);
    return matcher.matches() && !matcher.group(1).equals(NONE)
        ? Optional.of(matcher.group(1))
        : Optional.empty();
  }
}
