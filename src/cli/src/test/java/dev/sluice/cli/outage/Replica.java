package dev.sluice.cli.outage;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A command of ours in a process that is started anew whenever it ends, as a kubelet does. */
final class Replica implements AutoCloseable {
  private final List<String> command;
  private final Path log;
  private Process process;
  private int endings;

  /** Starts the command; what it says is added to the log. */
  Replica(Path log, String... args) {
    this.command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.sluice.cli.Main"));
    this.command.addAll(List.of(args));
    this.log = log;
    this.process = start();
  }

  private Process start() {
    try {
      return new ProcessBuilder(command)
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.appendTo(new File(log.toString())))
          .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Ends it without a word and starts it anew. */
  void kill() {
    end();
    process = start();
  }

  /** Starts it anew if it has ended by itself. */
  void revive() {
    if (!process.isAlive()) {
      endings++;
      process = start();
    }
  }

  /** How often it ended by itself. */
  int endings() {
    return endings;
  }

  private void end() {
    process.destroyForcibly().onExit().orTimeout(10, TimeUnit.SECONDS).join();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
