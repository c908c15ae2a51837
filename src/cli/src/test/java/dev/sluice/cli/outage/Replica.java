package dev.sluice.cli.outage;

import dev.sluice.cli.process.SluiceProcess;
import java.io.IOException;
import java.io.UncheckedIOException;

/** A command of ours that is started anew whenever it ends, as a kubelet does. */
final class Replica implements AutoCloseable {
  private final SluiceProcess process;
  private int endings;

  Replica(SluiceProcess process) {
    this.process = process;
  }

  /** Ends it without a word and starts it anew. */
  void kill() {
    try {
      process.restart();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Starts it anew if it has ended by itself. */
  void revive() {
    if (process.hasEnded()) {
      endings++;
      kill();
    }
  }

  /** What runs now, and what ran before it. */
  SluiceProcess process() {
    return process;
  }

  /** How often it ended by itself. */
  int endings() {
    return endings;
  }

  @Override
  public void close() {
    process.close();
  }
}
