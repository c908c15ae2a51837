package dev.sluice.cli.rehearse;

import dev.sluice.manifests.Manifests;
import dev.sluice.server.rehearse.RehearsalProcess;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Runs commands once and ends; run by the launcher to record the JVM's ahead-of-time caches. There
 * is one for questions to a cluster, whose own time is mostly that of a start, and one for all
 * else.
 */
@Command(
    name = "rehearse",
    hidden = true,
    description = "Runs commands once, for a start-up cache.")
public final class RehearseCommand implements Callable<Integer> {
  private static final int COPIES = 20;

  @Option(
      names = "--questions",
      description = "Those that ask a cluster, in place of those that read files.")
  private boolean questions;

  private final Function<String[], CommandLine> program;

  /**
   * A rehearsal of the commands of a program.
   *
   * @param program the program for these arguments, with no more of it than they need
   */
  public RehearseCommand(Function<String[], CommandLine> program) {
    this.program = program;
  }

  @Override
  public Integer call() throws IOException {
    Path folder = Files.createTempDirectory("sluice-rehearse");
    try {
      if (questions) {
        ask(folder);
      } else {
        convert(folder);
        play(folder);
        help();
      }
    } finally {
      delete(folder);
    }
    return 0;
  }

  private void ask(Path folder) throws IOException {
    try (RehearsalProcess server = RehearsalProcess.start(folder)) {
      String cluster = "--kubeconfig=" + server.kubeconfig();
      execute("queue", "main", "-n", "team-a", cluster);
      execute("queue", "-A", cluster);
      execute("top", cluster);
      execute("forecast", "--score", cluster);
    }
  }

  private void convert(Path folder) throws IOException {
    Path manifest =
        Files.writeString(
            folder.resolve("topology.yaml"),
            """
            apiVersion: kueue.x-k8s.io/v1alpha1
            kind: Topology
            metadata: {name: rehearsal}
            spec: {levels: [{nodeLabel: kubernetes.io/hostname}]}
            """);
    execute("convert", "-f", manifest.toString(), "--to", "v1beta2");
    execute("validate", "-f", manifest.toString());
    execute("install");
  }

  /** Several times, so that what is hot is known to be. */
  private void play(Path folder) throws IOException {
    Path scenarios = Files.createDirectories(folder.resolve("scenarios"));
    for (String name : List.of("borrow-and-reclaim", "fair-sharing", "flavors-in-order")) {
      String text = new Manifests().scenario(name);
      for (int i = 0; i < COPIES; i++) {
        Files.writeString(scenarios.resolve(name + i + ".yaml"), text);
      }
    }
    execute("test", scenarios.toString());
  }

  private void help() {
    execute("--help");
    execute("--version");
    execute("run", "--help");
  }

  private void execute(String... args) {
    CommandLine command = program.apply(args);
    command.setOut(new PrintWriter(Writer.nullWriter()));
    command.setErr(new PrintWriter(Writer.nullWriter()));
    int code = command.execute(args);
    if (code != 0) {
      throw new IllegalStateException(String.join(" ", args) + ": exit code " + code);
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
