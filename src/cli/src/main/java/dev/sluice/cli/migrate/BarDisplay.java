package dev.sluice.cli.migrate;

import dev.sluice.cli.terminal.TerminalBar;
import java.io.PrintStream;

/** A bar on a terminal. */
final class BarDisplay implements Display {
  private final TerminalBar bar;

  BarDisplay(PrintStream err, String task, long already) {
    this.bar = new TerminalBar(err, task, "", already, already);
  }

  @Override
  public void expect(long total) {
    bar.expect(total);
  }

  @Override
  public void step() {
    bar.step();
  }

  @Override
  public void say(String sentence) {
    bar.say(sentence);
  }

  @Override
  public void close() {
    bar.close();
  }
}
