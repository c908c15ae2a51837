package dev.sluice.cli.terminal;

import java.io.PrintStream;
import java.time.Duration;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarStyle;

/**
 * A progress bar as wide as the terminal, with rate and time left, in the last line of what is
 * printed. Other lines must go through {@link #say}, or be printed after {@link #clear}. Safe for
 * many threads.
 */
public final class TerminalBar implements AutoCloseable {
  private static final String CLEARED = "\r\u001b[K";
  private static final int UPDATE_MILLIS = 250;

  private final PrintStream err;
  private final ProgressBar bar;

  /**
   * Begins to show.
   *
   * @param task what is being done
   * @param unit what is counted, with a blank before it
   * @param already how much was done before
   * @param total how much there is in all, as far as known now
   */
  public TerminalBar(PrintStream err, String task, String unit, long already, long total) {
    this.err = err;
    this.bar =
        ProgressBar.builder()
            .setTaskName(task)
            .setUnit(unit, 1)
            .setStyle(ProgressBarStyle.ASCII)
            .setConsumer(new ConsoleProgressBarConsumer(err))
            .setInitialMax(total)
            .startsFrom(already, Duration.ZERO)
            .setUpdateIntervalMillis(UPDATE_MILLIS)
            .showSpeed()
            .build();
  }

  /** How much there is in all, as far as known now. */
  public void expect(long total) {
    bar.maxHint(total);
  }

  /** One more is done. */
  public void step() {
    bar.step();
  }

  /** Prints a line above the bar. */
  public void say(String sentence) {
    err.println(CLEARED + sentence);
  }

  /** Takes the bar away until it moves on, so that something else can be printed there. */
  public void clear() {
    err.print(CLEARED);
    err.flush();
  }

  /** Leaves the bar as it is, as a line of its own. */
  @Override
  public void close() {
    bar.close();
  }
}
