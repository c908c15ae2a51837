package dev.sluice.image;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Runs other programs to their end, within a bound.
 *
 * @param folder where they run; what they say goes to files there
 */
record Tool(Path folder) {
  private static final long BOUND_SECONDS = 300;
  private static final int MOST_LINES = 20;

  /** What a program said, and its exit code. */
  record Ran(int code, String out, String err) {
    boolean succeeded() {
      return code == 0;
    }
  }

  /** Runs a program and returns its standard output; another exit code than 0 is a failure. */
  String run(String... command) throws IOException {
    return run(List.of(command));
  }

  /** Runs a program and returns its standard output; another exit code than 0 is a failure. */
  String run(List<String> command) throws IOException {
    Ran ran = attempt(command);
    if (!ran.succeeded()) {
      throw new ImageException(
          "%s: exit code %d (expected: 0): %s"
              .formatted(command.getFirst(), ran.code(), lastLines(ran.err() + ran.out())));
    }
    return ran.out();
  }

  private static String lastLines(String text) {
    List<String> lines = text.lines().filter(line -> !line.isBlank()).toList();
    return String.join("\n", lines.subList(Math.max(0, lines.size() - MOST_LINES), lines.size()));
  }

  /** Runs a program, whatever its exit code. */
  Ran attempt(List<String> command) throws IOException {
    Path out = Files.createTempFile(folder, "tool", ".out");
    Path err = Files.createTempFile(folder, "tool", ".err");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectInput(Redirect.from(new File("/dev/null")))
            .redirectOutput(out.toFile())
            .redirectError(err.toFile());
    // options that change what a JVM loads would change the image
    builder.environment().keySet().removeAll(List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"));
    Process process = builder.start();
    try {
      if (!process.waitFor(BOUND_SECONDS, TimeUnit.SECONDS)) {
        throw new ImageException(
            "%s: still running after %d s".formatted(command.getFirst(), BOUND_SECONDS));
      }
      return new Ran(
          process.exitValue(), Files.readString(out, UTF_8), Files.readString(err, UTF_8));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ImageException(command.getFirst() + ": interrupted", e);
    } finally {
      process.destroyForcibly();
    }
  }
}
