package dev.sluice.cli.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The packaged program in a process of its own; what it says goes to files. */
public final class SluiceProcess implements AutoCloseable {
  private static final Path JAR = Path.of("target", "sluice", "sluice.jar").toAbsolutePath();
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Process process;
  private final Path out;
  private final Path err;

  private SluiceProcess(Process process, Path out, Path err) {
    this.process = process;
    this.out = out;
    this.err = err;
  }

  /** Starts a command; its output goes to files in that folder. */
  public static SluiceProcess start(Path folder, String... args) throws IOException {
    assertThat(JAR).as("packaged before this test").exists();
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx256m",
                "-jar",
                JAR.toString()));
    command.addAll(List.of(args));
    Path out = Files.createTempFile(folder, "sluice", ".out");
    Path err = Files.createTempFile(folder, "sluice", ".err");
    Process process =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start();
    return new SluiceProcess(process, out, err);
  }

  /** Waits until standard output contains the text. */
  SluiceProcess awaitOut(String text) {
    await(text)
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(50))
        .until(() -> !process.isAlive() || out().contains(text));
    assertThat(out()).as(err()).contains(text);
    return this;
  }

  /** Waits until it ended by itself. */
  int awaitEnd() throws InterruptedException {
    return awaitEnd(PATIENCE);
  }

  /** Waits, at most that long, until it ended, and returns its exit code. */
  public int awaitEnd(Duration bound) throws InterruptedException {
    assertThat(process.waitFor(bound.toSeconds(), TimeUnit.SECONDS)).as(err()).isTrue();
    return process.exitValue();
  }

  /** Whether it ended. */
  public boolean hasEnded() {
    return !process.isAlive();
  }

  /** The processes it started that are alive. */
  List<ProcessHandle> descendants() {
    return process.descendants().toList();
  }

  /** Asks it to end as a service manager does, and waits. */
  int terminate() throws InterruptedException {
    process.destroy();
    return awaitEnd();
  }

  /** Ends it without a last word. */
  public void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  /** What it wrote to standard output so far. */
  public String out() {
    return read(out);
  }

  /** What it wrote to standard error so far. */
  public String err() {
    return read(err);
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}
