package dev.sluice.cli.outage;

import dev.sluice.cli.process.SluiceProcess;
import java.io.IOException;
import java.io.UncheckedIOException;

/** A command of ours that is restarted whenever it ends, as a kubelet does. */
final class Replica implements AutoCloseable {
  private final SluiceProcess process;
  private int endings;

  Replica(SluiceProcess process) {
    this.process = process;
  }

  /** Kills and restarts it. */
  void kill() {
    try {
      process.restart();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Restarts it if it has ended by itself. */
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
