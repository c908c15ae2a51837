package dev.sluice.see.log;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.see.history.Held;
import dev.sluice.see.history.Step;
import dev.sluice.see.history.Transition;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.UUID;

/**
 * A transition in a log.
 *
 * @param number of the order in which entries came, from 1
 * @param id the same wherever the same transition is in a log
 * @param at when it happened
 * @param localQueue in the namespace of the workload; empty for none
 * @param clusterQueue whose quota it has or had; empty where it has none
 * @param reason one word of the API; empty for none
 * @param by the uid of the Workload for which it was preempted; empty for none
 */
public record LogEntry(
    long number,
    String id,
    Instant at,
    Step step,
    ObjectKey workload,
    String localQueue,
    String clusterQueue,
    String reason,
    String by) {
  /** The last one first. Within a second the order is that in which a Workload takes its steps. */
  static final Comparator<LogEntry> LAST_FIRST =
      Comparator.comparing(LogEntry::at)
          .thenComparing(LogEntry::step)
          .thenComparing(LogEntry::workload)
          .thenComparingLong(LogEntry::number)
          .reversed();

  /** What an object of that form takes on the heap at most, beside its texts. */
  private static final int FIXED_BYTES = 320;

  static LogEntry of(long number, Transition line) {
    Held held = line.held();
    return new LogEntry(
        number,
        id(line),
        line.at().truncatedTo(ChronoUnit.SECONDS),
        line.step(),
        line.subject().workload(),
        line.subject().localQueue(),
        held == null ? "" : held.clusterQueue(),
        line.reason(),
        line.by());
  }

  /**
   * Of the uid, the step, and the time. An end has the time of what it ends, since two processes
   * may have seen it at different times.
   */
  private static String id(Transition line) {
    Held held = line.held();
    boolean closes = line.step().closes();
    Instant time = !closes ? line.at() : held != null ? held.reserved() : line.queued();
    String text = "%s %s %s".formatted(line.subject().uid(), line.step(), time);
    UUID hash = UUID.nameUUIDFromBytes(text.getBytes(StandardCharsets.UTF_8));
    return HexFormat.of().toHexDigits(hash.getMostSignificantBits());
  }

  /** About how many bytes it takes, as if it shared no text with others. */
  int bytes() {
    return FIXED_BYTES
        + 2
            * (workload.namespace().length()
                + workload.name().length()
                + localQueue.length()
                + clusterQueue.length()
                + reason.length()
                + by.length());
  }
}
