package dev.sluice.cli.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Runs other programs to their end, within a bound. */
public final class Shell {
  private static final Duration BOUND = Duration.ofSeconds(60);

  private Shell() {}

  /** What a program said, and its exit code. */
  public record Ran(int code, String out, String err) {}

  /** Whether a program of this name is on the PATH. */
  public static boolean has(String program) {
    String path = System.getenv().getOrDefault("PATH", "");
    return Stream.of(path.split(File.pathSeparator, -1))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
  }

  /** Runs a program in that folder, with these variables added to ours. */
  public static Ran run(Map<String, String> more, Path folder, String program, String... args)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(program));
    command.addAll(List.of(args));
    ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
    builder.environment().putAll(more);
    return run(builder);
  }

  /** Sends a signal by its name, such as STOP, to a process. */
  public static void signal(long pid, String name) throws IOException, InterruptedException {
    Ran ran = run(new ProcessBuilder("kill", "-" + name, Long.toString(pid)));
    if (ran.code() != 0) {
      throw new IOException(ran.err());
    }
  }

  static Ran run(ProcessBuilder builder) throws IOException, InterruptedException {
    return run(builder, BOUND);
  }

  /**
   * Runs a program to its end.
   *
   * @throws IOException if it takes longer than that; it is killed then
   */
  public static Ran run(ProcessBuilder builder, Duration bound)
      throws IOException, InterruptedException {
    Path out = Files.createTempFile("sluice", ".out");
    Path err = Files.createTempFile("sluice", ".err");
    try {
      Process process =
          builder
              .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
              .redirectOutput(out.toFile())
              .redirectError(err.toFile())
              .start();
      if (!process.waitFor(bound.toSeconds(), TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new IOException(builder.command() + " did not end: " + Files.readString(err));
      }
      return new Ran(
          process.exitValue(), Files.readString(out, UTF_8), Files.readString(err, UTF_8));
    } finally {
      Files.delete(out);
      Files.delete(err);
    }
  }
}
