package dev.sluice.cli.terminal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.PrintStream;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.time.Duration;
import java.util.Locale;
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
  private static final String RATE = "0.0";

  private final LastLine line;
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
    this.line = new LastLine(err);
    this.bar =
        ProgressBar.builder()
            .setTaskName(task)
            .setUnit(unit, 1)
            .setStyle(ProgressBarStyle.ASCII)
            .setConsumer(line)
            .setInitialMax(total)
            .startsFrom(already, Duration.ZERO)
            .setUpdateIntervalMillis(UPDATE_MILLIS)
            .showSpeed(new DecimalFormat(RATE, DecimalFormatSymbols.getInstance(Locale.ROOT)))
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
    line.print(sentence + System.lineSeparator());
  }

  /** Takes the bar away until it moves on, so that something else can be printed there. */
  public void clear() {
    line.print("");
  }

  /** Leaves the bar as it is, as a line of its own. */
  @Override
  public void close() {
    bar.close();
    line.close(); // the bar does not get to it if its last drawing fails, and keeps quiet about
    // that
  }

  /**
   * Where the bar is drawn, by a thread of its own that may be at it still when the bar is closed:
   * nothing is drawn afterwards.
   */
  private static final class LastLine extends ConsoleProgressBarConsumer {
    private final PrintStream err;

    @GuardedBy("this")
    private boolean closed;

    private LastLine(PrintStream err) {
      super(err);
      this.err = err;
    }

    private synchronized void print(String text) {
      err.print(CLEARED + text);
      err.flush();
    }

    @Override
    public synchronized void accept(String bar) {
      if (!closed) {
        super.accept(bar);
      }
    }

    @Override
    public synchronized void close() {
      if (!closed) {
        closed = true;
        super.close();
      }
    }
  }
}
