package dev.sluice.cli.hostile;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Locale;
import java.util.concurrent.atomic.LongAdder;

/** Where the processor time of one generator's inputs goes. For many threads. */
final class Cost {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final LongAdder inputs = new LongAdder();
  private final LongAdder drawn = new LongAdder();
  private final LongAdder answered = new LongAdder();
  private final LongAdder checked = new LongAdder();

  /** The processor time of this thread so far, in nanoseconds. */
  static long now() {
    return THREADS.getCurrentThreadCpuTime();
  }

  /** Counts an input by the moments between its steps, as {@link #now} has them. */
  void add(long begun, long drawnAt, long answeredAt, long checkedAt) {
    inputs.increment();
    drawn.add(drawnAt - begun);
    answered.add(answeredAt - drawnAt);
    checked.add(checkedAt - answeredAt);
  }

  /** All processor time, in seconds. */
  double seconds() {
    return (drawn.sum() + answered.sum() + checked.sum()) / 1e9;
  }

  @Override
  public String toString() {
    double each = 1e3 * Math.max(1, inputs.sum());
    return String.format(
        Locale.ROOT,
        "%d inputs, %.1f s; each %.0f us to draw, %.0f to answer, %.0f to check",
        inputs.sum(),
        seconds(),
        drawn.sum() / each,
        answered.sum() / each,
        checked.sum() / each);
  }
}
