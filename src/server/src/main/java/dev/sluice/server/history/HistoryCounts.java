package dev.sluice.server.history;

import dev.sluice.see.history.Gap;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** What a recorder has done and missed. Thread-safe. */
final class HistoryCounts {
  private final LongAdder lines = new LongAdder();
  private final LongAdder dropped = new LongAdder();
  private final LongAdder lost = new LongAdder();
  private final Map<String, LongAdder> gaps =
      Map.of(
          Gap.RESTART, new LongAdder(), Gap.QUEUE_FULL, new LongAdder(), Gap.DISK, new LongAdder());
  private volatile boolean stopped;
  private volatile long bytes;

  void lines(int written) {
    lines.add(written);
  }

  void dropped(int segments) {
    dropped.add(segments);
  }

  void lost() {
    lost.increment();
  }

  void gap(String reason) {
    LongAdder counter = gaps.get(reason);
    if (counter != null) {
      counter.increment();
    }
  }

  void stopped(boolean now) {
    stopped = now;
  }

  void bytes(long now) {
    bytes = now;
  }

  void bindTo(MeterRegistry registry, Collection<?> queued) {
    Gauge.builder("sluice_history_queued", queued, Collection::size)
        .description("Changes that wait to be written to the history.")
        .register(registry);
    FunctionCounter.builder("sluice_history_lines_total", lines, LongAdder::sum)
        .description("Lines that were written to the history.")
        .register(registry);
    FunctionCounter.builder("sluice_history_segments_dropped_total", dropped, LongAdder::sum)
        .description("Segments of the history that were dropped for newer ones.")
        .register(registry);
    FunctionCounter.builder("sluice_history_changes_lost_total", lost, LongAdder::sum)
        .description("Changes that the queue before the history had no room for.")
        .register(registry);
    for (String reason : List.of(Gap.RESTART, Gap.QUEUE_FULL, Gap.DISK)) {
      LongAdder counter = gaps.getOrDefault(reason, new LongAdder());
      FunctionCounter.builder("sluice_history_gaps_total", counter, LongAdder::sum)
          .description("Times of which the history may lack transitions.")
          .tag("reason", reason)
          .register(registry);
    }
    Gauge.builder("sluice_history_stopped", this, it -> it.stopped ? 1 : 0)
        .description("1 while the disk takes no lines.")
        .register(registry);
    Gauge.builder("sluice_history_bytes", this, it -> it.bytes)
        .description("The size of all segments of the history.")
        .register(registry);
  }
}
