package dev.sluice.cli.schedule;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** {@code sluice schedule} in a process of its own, which can be killed. */
final class ScheduleProcess implements AutoCloseable {
  private final Process process;

  ScheduleProcess(Path kubeconfig, Path configuration, Path log) throws IOException {
    this.process =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-XX:TieredStopAtLevel=1",
                    "-XX:+UseSerialGC",
                    "-Xmx256m",
                    "-cp",
                    System.getProperty("java.class.path"),
                    "dev.sluice.cli.Main",
                    "schedule",
                    "--kubeconfig",
                    kubeconfig.toString(),
                    "--config",
                    configuration.toString()))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(new File(log.toString())))
            .start();
  }

  /** Asks it to end; whether it did in time. */
  boolean stop() throws InterruptedException {
    process.destroy();
    return process.waitFor(10, TimeUnit.SECONDS);
  }

  /** Ends it without a word, and waits until it is gone. */
  void kill() {
    process.destroyForcibly().onExit().orTimeout(10, TimeUnit.SECONDS).join();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
