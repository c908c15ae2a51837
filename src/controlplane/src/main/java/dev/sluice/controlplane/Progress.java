package dev.sluice.controlplane;

import java.io.Console;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/**
 * Shows the progress of a long build: one line that is rewritten on a terminal, otherwise a new
 * line every half minute.
 */
final class Progress {
  private static final long LINE_SECONDS = 30;

  private final PrintStream out;
  private final boolean terminal;
  private long nextLine;

  Progress(PrintStream out, boolean terminal) {
    this.out = out;
    this.terminal = terminal;
  }

  static Progress onStandardError() {
    boolean terminal = Optional.ofNullable(System.console()).map(Console::isTerminal).orElse(false);
    return new Progress(System.err, terminal);
  }

  /** A new piece of work begins. */
  void begin(String what) {
    nextLine = 0;
    report(what, Duration.ZERO);
  }

  /** Updates the progress; to be called about once a second. */
  void report(String what, Duration elapsed) {
    String line =
        String.format(
            Locale.ROOT, "%s, %d:%02d elapsed", what, elapsed.toMinutes(), elapsed.toSecondsPart());
    if (terminal) {
      out.print("\r\u001b[K" + line);
      out.flush();
    } else if (elapsed.toSeconds() >= nextLine) {
      out.println(line);
      nextLine += LINE_SECONDS;
    }
  }

  /** The work is done or has failed. */
  void end() {
    if (terminal) {
      out.print("\r\u001b[K");
      out.flush();
    }
  }
}
