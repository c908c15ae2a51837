package dev.sluice.bench;

import dev.sluice.bench.peer.PeerTable;
import dev.sluice.bench.peer.Runner;
import dev.sluice.bench.peer.Turn;
import dev.sluice.bench.report.Machine;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Plays the benchmark runner of somebody else with several programs, and compares them. */
@Command(
    name = "peer",
    mixinStandardHelpOptions = true,
    header = "Plays a benchmark runner that you have with several programs in turn.",
    description = {
      "The runner starts the program, plays its load and ends. For each turn it gets a folder of"
          + " its own. The table has",
      "wall time, processor time and memory of program, API server, etcd and runner, and every"
          + " number of the YAML and",
      "JSON files that the runner leaves in that folder, each with its ratio to the other programs."
          + " Exit code 1 if a",
      "turn fails."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  src/bench/run peer --runner ./runner --program ./sluice-scheduler --other"
          + " ./other-scheduler \\",
      "    -- --out {output} --scheduler {program}",
      "  src/bench/run peer --runner src/bench/run --program ./sluice --other ../before/sluice \\",
      "    -- load --scale 0.1 --sluice {program} --json {output}/load.json"
    })
@SuppressWarnings("NullAway.Init") // set by picocli before call
final class PeerCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(names = "--runner", required = true, paramLabel = "PATH", description = "The runner.")
  private Path runner;

  @Parameters(
      arity = "1..*",
      paramLabel = "ARG",
      description =
          "Arguments of the runner, after --. {program} stands for the program, {output} for the"
              + " folder of the turn.")
  private List<String> arguments;

  @Option(
      names = "--program",
      defaultValue = "./sluice",
      paramLabel = "PROGRAM",
      description = "The program that is compared with others (default: ${DEFAULT-VALUE}).")
  private String program;

  @Option(
      names = "--other",
      required = true,
      paramLabel = "PROGRAM",
      description = "Another program; repeatable.")
  private List<String> others;

  @Option(
      names = "--times",
      paramLabel = "N",
      defaultValue = "3",
      description = "Turns of each program (default: ${DEFAULT-VALUE}).")
  private int times;

  @Option(
      names = "--bound",
      paramLabel = "SECONDS",
      defaultValue = "3600",
      description = "After which a turn is given up (default: ${DEFAULT-VALUE}).")
  private int bound;

  @Option(
      names = "--output",
      paramLabel = "DIR",
      description =
          "Where the folders of the turns are kept, a new or empty folder (default: a temporary"
              + " one).")
  private @Nullable Path output;

  @Option(names = "--save", paramLabel = "FILE", description = "Keep the table there.")
  private @Nullable Path save;

  @Override
  public Integer call() throws IOException {
    Set<String> programs = new LinkedHashSet<>(List.of(program));
    programs.addAll(others);
    check(programs);
    Path folder =
        output == null
            ? Files.createTempDirectory("sluice-peer")
            : Files.createDirectories(output).toAbsolutePath();
    List<String> command = new ArrayList<>(List.of(runner.toString()));
    command.addAll(arguments);
    Runner started = new Runner(command, Duration.ofSeconds(bound));
    String head = "Peer, %s, %s%n%n".formatted(Instant.now(), Machine.current().description());
    try {
      String table = PeerTable.of(play(started, programs, folder));
      PrintWriter out = spec.commandLine().getOut();
      out.print(head + table);
      out.flush();
      if (save != null) {
        Files.writeString(save, head + table);
      }
      return 0;
    } catch (IOException e) {
      spec.commandLine().getErr().println("peer: " + e.getMessage());
      return 1;
    }
  }

  private static boolean isFilled(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return false;
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files.findAny().isPresent();
    }
  }

  private void check(Set<String> programs) throws IOException {
    if (programs.size() < 2 || times < 1) {
      throw new ParameterException(
          spec.commandLine(), "two programs or more that differ, and one turn or more are needed");
    }
    if (arguments.stream().noneMatch(it -> it.contains(Runner.PROGRAM))) {
      throw new ParameterException(
          spec.commandLine(), "no argument of the runner has {program} (expected: one or more)");
    }
    if (output != null && isFilled(output)) { // what is left of an earlier run would count
      throw new ParameterException(
          spec.commandLine(), "--output %s: not empty (expected: a new folder)".formatted(output));
    }
    for (String it : programs) {
      if (!Files.isExecutable(Path.of(it))) {
        throw new ParameterException(
            spec.commandLine(), "%s: not there, or not executable".formatted(it));
      }
    }
  }

  /** ABBA: what changes with time hits all alike. */
  private Map<String, List<Turn>> play(Runner started, Set<String> programs, Path folder)
      throws IOException {
    var progress = new Progress(System.err, Boolean.getBoolean("bench.terminal"));
    Map<String, List<Turn>> turns = new LinkedHashMap<>();
    int turn = 0;
    for (int time = 0; time < times; time++) {
      List<String> order = new ArrayList<>(programs);
      for (String it : time % 2 == 0 ? order : order.reversed()) {
        turn++;
        progress.doing(turn, times * order.size(), it);
        Path own = Files.createDirectories(folder.resolve(Integer.toString(turn)));
        turns
            .computeIfAbsent(it, _ -> new ArrayList<>())
            .add(started.play(Path.of(it).toAbsolutePath().toString(), own));
      }
    }
    progress.done();
    return turns;
  }
}
