package dev.sluice.cli.migrate;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/** What was measured on the way, a line each. */
final class Figures {
  private final List<String> lines = new ArrayList<>();

  /** Does something, and notes how long it took, and a number that came of it. */
  <T> T time(String what, Callable<T> work) throws Exception {
    long began = System.nanoTime();
    T result = work.call();
    String number = result instanceof Number ? ", " + result : "";
    say("%s: %.2f s%s".formatted(what, (System.nanoTime() - began) / 1e9, number));
    return result;
  }

  void say(String line) {
    lines.add(line);
  }

  void write(Path file) throws IOException {
    Files.write(file, lines);
  }
}
