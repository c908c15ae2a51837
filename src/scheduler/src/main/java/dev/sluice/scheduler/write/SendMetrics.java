package dev.sluice.scheduler.write;

import dev.sluice.api.write.Write;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.Locale;

/** Counts what is written, and how long it takes: {@code sluice_writes}. Thread-safe. */
public final class SendMetrics implements Sender.Listener {
  private final MeterRegistry registry;

  public SendMetrics(MeterRegistry registry) {
    this.registry = registry;
  }

  @Override
  public void sent(Write write, WriteResult sent, long nanos) {
    registry
        .timer(
            "sluice.writes.seconds",
            "kind",
            write.target().kind().kind(),
            "verb",
            word(write),
            "result",
            word(sent))
        .record(Duration.ofNanos(nanos));
  }

  private static String word(Object value) {
    return value.getClass().getSimpleName().toLowerCase(Locale.ROOT);
  }
}
