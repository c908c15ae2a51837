package dev.sluice.controlplane;

import static dev.sluice.controlplane.ControlPlaneException.Reason.FILES;
import static dev.sluice.controlplane.ControlPlaneException.Reason.INTERRUPTED;
import static dev.sluice.controlplane.ControlPlaneException.Reason.PROCESS_ENDED;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A process that cannot outlive this JVM, however the JVM ends.
 *
 * <p>The process starts as a shell, forks a watcher that reads the pipe from the JVM, and then
 * becomes the program itself, so that its id, signals and exit code are the program's. The kernel
 * closes the pipe when the JVM is gone, a SIGKILL included; the watcher reads the end of it and
 * kills the program. When the program ends first, the JVM closes the pipe and the watcher goes too.
 */
final class Child {
  private static final String LEASH =
      """
      exec 3<&0 </dev/null
      ( trap '' HUP INT TERM; read -r _ <&3; kill -KILL $$ ) >/dev/null 2>&1 &
      exec "$@" 3<&-
      """;

  private final String name;
  private final Path log;
  private final Process process;

  private Child(String name, Path log, Process process) {
    this.name = name;
    this.log = log;
    this.process = process;
  }

  /**
   * Starts a program.
   *
   * @param environment what is added to our own environment
   * @param log both of its streams are appended to this file
   */
  static Child start(
      String name, List<String> command, Map<String, String> environment, Path folder, Path log) {
    var line = new ArrayList<>(List.of("/bin/sh", "-c", LEASH, name));
    line.addAll(command);
    File output = log.toFile();
    var builder =
        new ProcessBuilder(line)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(output));
    builder.environment().putAll(environment);
    try {
      return new Child(name, log, builder.start());
    } catch (IOException e) {
      throw new ControlPlaneException(FILES, "cannot start " + name, e);
    }
  }

  boolean isAlive() {
    return process.isAlive();
  }

  long pid() {
    return process.pid();
  }

  Path log() {
    return log;
  }

  /** Waits for the end; false if it did not come within the bound. */
  boolean ends(Duration bound) {
    try {
      return process.waitFor(bound.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ControlPlaneException(INTERRUPTED, "interrupted while waiting for " + name, e);
    }
  }

  /** The exit code of a process that has ended. */
  int exitCode() {
    return process.exitValue();
  }

  /** Asks the process to end, and makes it end when the bound has passed. */
  void stop(Duration bound) {
    process.destroy();
    try {
      if (!process.waitFor(bound.toMillis(), TimeUnit.MILLISECONDS)) {
        kill();
      }
    } catch (InterruptedException e) {
      kill();
      Thread.currentThread().interrupt();
    }
  }

  /** Ends the process without asking. */
  void kill() {
    process.destroyForcibly();
  }

  String tail() {
    return PrivateFiles.tail(log);
  }

  ControlPlaneException ended() {
    return new ControlPlaneException(
        PROCESS_ENDED, name + " ended with code " + exitCode() + "; its last output:\n" + tail());
  }
}
