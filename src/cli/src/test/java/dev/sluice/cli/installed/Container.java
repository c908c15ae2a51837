package dev.sluice.cli.installed;

import dev.sluice.cli.process.SluiceProcess;
import dev.sluice.cli.testcluster.Pages;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.OptionalDouble;

/** A container of a Pod as a process, with its plain port. */
record Container(SluiceProcess process, int httpPort) implements AutoCloseable {

  /** Ends it without a word, and waits until it is gone. */
  void kill() {
    process.kill();
  }

  /** Restarts it after a kill. */
  void restart() {
    try {
      process.restart();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The text of the page; empty while the server does not answer. */
  String page(String path) {
    try {
      return Pages.read(httpPort, path);
    } catch (IOException _) {
      return "";
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return "";
    }
  }

  /** A meter, as its line in the metrics begins; empty if there is no such line. */
  OptionalDouble meter(String line) {
    return page("/metrics")
        .lines()
        .filter(it -> it.startsWith(line + " "))
        .mapToDouble(it -> Double.parseDouble(it.substring(it.lastIndexOf(' '))))
        .findFirst();
  }

  /** The last lines of what it said. */
  String tail() {
    return process.tail();
  }

  @Override
  public void close() {
    process.close();
  }
}
