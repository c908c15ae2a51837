package dev.sluice.bench.peer;

import dev.sluice.bench.flow.Processes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A benchmark runner: a command that starts the program to be measured, plays a load, and ends.
 *
 * @param command in which {@value #PROGRAM} stands for the program and {@value #OUTPUT} for a
 *     folder of this turn
 * @param bound after which a turn is given up
 */
public record Runner(List<String> command, Duration bound) {
  /** Stands for the program in the command. */
  public static final String PROGRAM = "{program}";

  /** Stands for the folder in the command. */
  public static final String OUTPUT = "{output}";

  private static final int PAUSE_MILLIS = 100;
  private static final String PID = "program.pid";
  private static final String LOG = "runner.log";

  /** Keeps the command. */
  public Runner {
    command = List.copyOf(command);
  }

  /**
   * Plays one turn.
   *
   * @param folder takes what the runner leaves, and its log
   * @throws IOException if the runner fails, never starts the program, or is not over in time
   */
  public Turn play(String program, Path folder) throws IOException {
    Path output = Files.createDirectories(folder.resolve("output"));
    Path started = started(program, folder);
    List<String> words = new ArrayList<>();
    for (String word : command) {
      words.add(word.replace(PROGRAM, started.toString()).replace(OUTPUT, output.toString()));
    }
    Path log = folder.resolve(LOG);
    long begun = System.nanoTime();
    Process process =
        new ProcessBuilder(words).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroy));
    ProcessTree tree = new ProcessTree(process.toHandle(), () -> pid(folder.resolve(PID)));
    try {
      while (!process.waitFor(PAUSE_MILLIS, TimeUnit.MILLISECONDS)) {
        tree.look();
        if (System.nanoTime() - begun > bound.toNanos()) {
          throw new IOException(
              "the runner is not over after %d s, see %s".formatted(bound.toSeconds(), log));
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } finally {
      Processes.end(process);
      tree.end();
    }
    Duration wall = Duration.ofNanos(System.nanoTime() - begun);
    if (process.exitValue() != 0) {
      throw new IOException("the runner ended with %d, see %s".formatted(process.exitValue(), log));
    }
    if (pid(folder.resolve(PID)) == 0) {
      throw new IOException("the runner never started the program, see " + log);
    }
    return new Turn(wall, tree, Figures.in(output));
  }

  /** A script that becomes the program and leaves its process id, by which it is known. */
  private static Path started(String program, Path folder) throws IOException {
    Path script = folder.resolve("program");
    String text =
        "#!/bin/sh\necho $$ > '%s'\nexec '%s' \"$@\"\n"
            .formatted(quoted(folder.resolve(PID).toString()), quoted(program));
    Files.writeString(script, text);
    if (!script.toFile().setExecutable(true)) {
      throw new IOException(script + " cannot be made executable");
    }
    return script.toAbsolutePath();
  }

  private static String quoted(String word) {
    return word.replace("'", "'\\''");
  }

  private static long pid(Path file) {
    try {
      String text = Files.exists(file) ? Files.readString(file).strip() : "";
      return text.isEmpty() ? 0 : Long.parseLong(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
