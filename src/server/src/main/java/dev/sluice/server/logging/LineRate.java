package dev.sluice.server.logging;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * How many lines of a kind are written in a minute: lines are of one kind if they have the same
 * logger and the same message before its arguments are filled in. The rest are counted.
 * Thread-safe.
 */
final class LineRate {
  /** The time in which lines are counted. */
  static final Duration WINDOW = Duration.ofMinutes(1);

  /** The number of kinds that are counted separately; all others count as one kind. */
  static final int KINDS = 1_000;

  private static final Kind OTHERS = new Kind("", "other lines");

  private final LongSupplier nanoTime;
  private final Map<Kind, Count> counts = new LinkedHashMap<>();

  /**
   * A kind of lines.
   *
   * @param logger the name of what writes them
   * @param message the message without its arguments
   */
  record Kind(String logger, String message) {}

  /**
   * Lines that were not written.
   *
   * @param kind their kind
   * @param lines how many, at least one
   */
  record Withheld(Kind kind, long lines) {}

  private static final class Count {
    private final long began;
    private long lines;
    private long withheld;

    private Count(long began) {
      this.began = began;
    }
  }

  /** Counts with a clock of nanoseconds. */
  LineRate(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** Whether one more line of this kind may be written; counts it either way. */
  synchronized boolean admits(Kind kind, int most) {
    long now = nanoTime.getAsLong();
    Count count = counts.get(kind);
    if (count == null && counts.size() >= KINDS) {
      forgetQuiet(now);
    }
    Kind counted = count == null && counts.size() >= KINDS ? OTHERS : kind;
    Count current = counts.computeIfAbsent(counted, _ -> new Count(now));
    if (isOver(current, now) && current.withheld == 0) {
      current = new Count(now);
      counts.put(counted, current);
    }
    if (current.lines < most) {
      current.lines++;
      return true;
    }
    current.withheld++;
    return false;
  }

  private static boolean isOver(Count count, long now) {
    return now - count.began >= WINDOW.toNanos();
  }

  private void forgetQuiet(long now) {
    counts.values().removeIf(count -> isOver(count, now) && count.withheld == 0);
  }

  /** Whether lines were suppressed and not reported yet. */
  synchronized boolean hasWithheld() {
    return counts.values().stream().anyMatch(count -> count.withheld > 0);
  }

  /** Counts of suppressed lines in past minutes; each is returned once, and a new minute begins. */
  synchronized List<Withheld> takeWithheld() {
    long now = nanoTime.getAsLong();
    List<Withheld> withheld = new ArrayList<>();
    for (Iterator<Map.Entry<Kind, Count>> all = counts.entrySet().iterator(); all.hasNext(); ) {
      Map.Entry<Kind, Count> entry = all.next();
      if (isOver(entry.getValue(), now)) {
        all.remove();
        if (entry.getValue().withheld > 0) {
          withheld.add(new Withheld(entry.getKey(), entry.getValue().withheld));
        }
      }
    }
    return withheld;
  }
}
