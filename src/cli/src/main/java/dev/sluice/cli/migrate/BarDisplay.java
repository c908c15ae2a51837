package dev.sluice.cli.migrate;

import java.io.PrintStream;
import java.time.Duration;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarStyle;

/** A bar on a terminal, with rate and time left. */
final class BarDisplay implements Display {
  private static final int WIDTH = 100;

  private final PrintStream err;
  private final ProgressBar bar;

  BarDisplay(PrintStream err, String task, long already) {
    this.err = err;
    this.bar =
        ProgressBar.builder()
            .setTaskName(task)
            .setStyle(ProgressBarStyle.ASCII)
            .setConsumer(new ConsoleProgressBarConsumer(err, WIDTH))
            .setInitialMax(already)
            .startsFrom(already, Duration.ZERO)
            .setUpdateIntervalMillis(250)
            .showSpeed()
            .build();
  }

  @Override
  public void expect(long total) {
    bar.maxHint(total);
  }

  @Override
  public void step() {
    bar.step();
  }

  @Override
  public void say(String sentence) {
    err.println("\r" + sentence);
  }

  @Override
  public void close() {
    bar.close();
  }
}
