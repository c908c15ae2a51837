package dev.sluice.server.rehearse;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The cluster of a rehearsal in a process of its own, so that the recording has only what its
 * clients load. It ends with this process.
 */
public final class RehearsalProcess implements AutoCloseable {
  private static final Duration LONGEST_START = Duration.ofSeconds(60);
  private static final long LOOK_MILLIS = 50;

  private final Process process;
  private final Path kubeconfig;

  private RehearsalProcess(Process process, Path kubeconfig) {
    this.process = process;
    this.kubeconfig = kubeconfig;
  }

  /**
   * Starts it, and waits until it answers.
   *
   * @param folder where its files may lie
   * @throws IOException if it does not start in time
   */
  public static RehearsalProcess start(Path folder) throws IOException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.sluice.server.Main",
                "rehearse",
                "--cluster",
                folder.toString())
            .redirectOutput(Redirect.DISCARD)
            .redirectError(Redirect.INHERIT)
            .start();
    RehearsalProcess cluster =
        new RehearsalProcess(process, folder.resolve(RehearsalCluster.KUBECONFIG));
    try {
      cluster.awaitAnswers();
      return cluster;
    } catch (IOException e) {
      cluster.close();
      throw e;
    }
  }

  private void awaitAnswers() throws IOException {
    long end = System.nanoTime() + LONGEST_START.toNanos();
    while (!Files.exists(kubeconfig)) {
      if (hasEnded() || System.nanoTime() - end > 0) {
        throw new IOException("the cluster of the rehearsal does not start");
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
  public Path kubeconfig() {
    return kubeconfig;
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
