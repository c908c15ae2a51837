package dev.sluice.bench;

import dev.sluice.bench.flow.FlowCluster;
import dev.sluice.bench.load.Window;
import dev.sluice.bench.report.Machine;
import dev.sluice.bench.server.Folders;
import dev.sluice.bench.start.StartRun;
import dev.sluice.bench.start.StartRun.Idle;
import dev.sluice.bench.start.StartRun.Loaded;
import dev.sluice.bench.start.StartRun.Start;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Measures how fast the webhook server starts, and the memory that it holds. */
@Command(
    name = "start",
    mixinStandardHelpOptions = true,
    header = "Measures how fast sluice serve starts, and the memory it holds idle and under load.",
    description = {
      "Starts etcd and an API server with our CRDs. Starts sluice serve beside them, several times,"
          + " and takes the",
      "time until it answers and until it is ready. Then it creates Workloads, starts the server"
          + " once more, and",
      "sends reviews of Jobs at a fixed rate. Memory is resident memory. Exit code 1 if a review"
          + " failed."
    },
    footerHeading = "%nExamples:%n",
    footer = {"  src/bench/run start", "  src/bench/run start --starts 3 --workloads 1000"})
@SuppressWarnings("NullAway.Init") // set by picocli before call
final class StartCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--starts",
      paramLabel = "N",
      defaultValue = "10",
      description = "How often it is started (default: ${DEFAULT-VALUE}).")
  private int starts;

  @Option(
      names = "--workloads",
      paramLabel = "N",
      defaultValue = "10000",
      description = "How many Workloads are in view under load (default: ${DEFAULT-VALUE}).")
  private int workloads;

  @Option(
      names = "--rate",
      paramLabel = "N",
      defaultValue = "2000",
      description = "Reviews a second (default: ${DEFAULT-VALUE}).")
  private int rate;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "30",
      description = "How long reviews are measured (default: ${DEFAULT-VALUE}).")
  private int seconds;

  @Option(
      names = "--warm-up",
      paramLabel = "N",
      defaultValue = "10",
      description =
          "Seconds of reviews before those that are measured (default: ${DEFAULT-VALUE}).")
  private int warmUp;

  @Option(
      names = "--rest",
      paramLabel = "N",
      defaultValue = "20",
      description =
          "Seconds without any request before memory is read (default: ${DEFAULT-VALUE}).")
  private int rest;

  @Option(
      names = "--sluice",
      paramLabel = "PROGRAM",
      defaultValue = "./sluice",
      description = "The program whose serve is measured (default: ${DEFAULT-VALUE}).")
  private String program;

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    out.printf("Start, %s, %s%n%n", Instant.now(), Machine.current().description());
    Path folder = Files.createTempDirectory("sluice-start");
    try (FlowCluster cluster = FlowCluster.bare()) {
      StartRun run = new StartRun(program, cluster, folder, Duration.ofSeconds(rest));
      Idle idle = run.idle(starts);
      say(out, "first answer, ms", idle.starts(), Start::answer);
      say(out, "ready, ms", idle.starts(), Start::ready);
      say(out, "slowest of the first 100 reviews, ms", idle.starts(), it -> it.first().max());
      out.printf("idle: %s%n", megabytes(idle.residentBytes()));
      out.flush();
      run.create(workloads);
      Window window = new Window(Duration.ofSeconds(warmUp), Duration.ofSeconds(seconds));
      Loaded loaded = run.load(rate, window);
      out.printf("idle with %,d Workloads in view: %s%n", workloads, megabytes(loaded.idleBytes()));
      out.printf(
          "after %,.0f reviews a second: %s; p99 %.1f ms, %d of %d failed%n",
          loaded.sample().requestsPerSecond(),
          megabytes(loaded.residentBytes()),
          loaded.sample().latency().p99().toNanos() / 1e6,
          loaded.sample().failed(),
          loaded.sample().sent());
      out.flush();
      return loaded.sample().failed() == 0 ? 0 : 1;
    } finally {
      Folders.delete(folder);
    }
  }

  private static void say(
      PrintWriter out, String what, List<Start> starts, Function<Start, Duration> part) {
    List<Long> millis =
        starts.stream()
            .map(part)
            .map(Duration::toMillis)
            .sorted(Comparator.naturalOrder())
            .toList();
    out.printf(
        "%s: median %d, %d to %d of %d starts%n",
        what, millis.get(millis.size() / 2), millis.getFirst(), millis.getLast(), millis.size());
  }

  private static String megabytes(long bytes) {
    return String.format(Locale.ROOT, "%.0f MiB", bytes / 1048576.0);
  }
}
