package dev.sluice.bench;

import java.io.PrintStream;

/**
 * Says what is being done: one line that is written over, or a line each where no terminal is.
 * Thread-safe.
 */
final class Progress {
  private final PrintStream out;
  private final boolean terminal;

  Progress(PrintStream out, boolean terminal) {
    this.out = out;
    this.terminal = terminal;
  }

  synchronized void doing(int cell, int cells, String what) {
    String line = "[%d/%d] %s".formatted(cell, cells, what);
    if (terminal) {
      out.print("\r\u001b[K" + line);
      out.flush();
    } else {
      out.println(line);
    }
  }

  synchronized void done() {
    if (terminal) {
      out.print("\r\u001b[K");
      out.flush();
    }
  }
}
