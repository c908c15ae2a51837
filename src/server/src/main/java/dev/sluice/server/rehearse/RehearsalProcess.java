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
  private final Path folder;

  private RehearsalProcess(Process process, Path folder) {
    this.process = process;
    this.folder = folder;
  }

  /**
   * Starts an empty one, and waits until it answers.
   *
   * @param folder where its files may lie
   * @throws IOException if it does not start in time
   */
  public static RehearsalProcess start(Path folder) throws IOException {
    return start(folder, 0);
  }

  /** The same, through which that many Jobs flow. */
  static RehearsalProcess start(Path folder, int jobs) throws IOException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.sluice.server.Main",
                "rehearse",
                "--cluster",
                folder.toString(),
                "--jobs=" + jobs)
            .redirectOutput(Redirect.DISCARD)
            .redirectError(Redirect.INHERIT)
            .start();
    RehearsalProcess cluster = new RehearsalProcess(process, folder);
    try {
      if (!cluster.await(RehearsalCluster.KUBECONFIG, LONGEST_START)) {
        throw new IOException("the cluster of the rehearsal does not start");
      }
      return cluster;
    } catch (IOException e) {
      cluster.close();
      throw e;
    }
  }

  /**
   * Waits until all Jobs have ended.
   *
   * @return whether they have
   */
  boolean awaitJobs(Duration patience) throws IOException {
    return await(RehearsalCluster.ENDED, patience);
  }

  private boolean await(String file, Duration patience) throws IOException {
    long end = System.nanoTime() + patience.toNanos();
    while (!Files.exists(folder.resolve(file))) {
      if (hasEnded() || System.nanoTime() - end > 0) {
        return false;
      }
    }
    return true;
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
    return folder.resolve(RehearsalCluster.KUBECONFIG);
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
