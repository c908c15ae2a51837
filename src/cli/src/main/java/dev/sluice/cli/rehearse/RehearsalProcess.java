package dev.sluice.cli.rehearse;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The server of a rehearsal in a process of its own, so that the recording has only what those load
 * who ask. It ends with this process.
 */
final class RehearsalProcess implements AutoCloseable {
  private static final Duration LONGEST_START = Duration.ofSeconds(60);
  private static final long LOOK_MILLIS = 50;

  private final Process process;
  private final Path kubeconfig;

  private RehearsalProcess(Process process, Path kubeconfig) {
    this.process = process;
    this.kubeconfig = kubeconfig;
  }

  /** Starts it, and waits until it answers. */
  static RehearsalProcess start(Path folder) throws IOException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.sluice.cli.Main",
                "rehearse",
                "--serve",
                folder.toString())
            .redirectOutput(Redirect.DISCARD)
            .redirectError(Redirect.INHERIT)
            .start();
    RehearsalProcess server =
        new RehearsalProcess(process, folder.resolve(RehearsalServer.KUBECONFIG));
    try {
      server.awaitAnswers();
      return server;
    } catch (IOException e) {
      server.close();
      throw e;
    }
  }

  private void awaitAnswers() throws IOException {
    long end = System.nanoTime() + LONGEST_START.toNanos();
    while (!Files.exists(kubeconfig)) {
      if (hasEnded() || System.nanoTime() - end > 0) {
        throw new IOException("the server of the rehearsal does not start");
      }
    }
  }

  /** Waits a moment for it. */
  private boolean hasEnded() throws IOException {
    try {
      return process.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  /** How a client finds it. */
  Path kubeconfig() {
    return kubeconfig;
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
