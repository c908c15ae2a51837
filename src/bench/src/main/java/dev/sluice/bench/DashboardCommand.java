package dev.sluice.bench;

import dev.sluice.bench.dashboard.DashboardRun;
import dev.sluice.bench.dashboard.DashboardRun.Cost;
import dev.sluice.bench.dashboard.DashboardRun.Heaps;
import dev.sluice.bench.dashboard.DashboardRun.Result;
import dev.sluice.bench.dashboard.DashboardRun.Task;
import dev.sluice.bench.report.Machine;
import dev.sluice.bench.report.Table;
import dev.sluice.testkit.browser.Chromium;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Opens the dashboard of a large cluster that changes, in a real browser. */
@Command(
    name = "dashboard",
    mixinStandardHelpOptions = true,
    header = "What the dashboard of a large cluster costs, in a browser and in its process.",
    description = {
      "Starts an API server with queues, nodes, and Workloads that wait, and sluice dashboard"
          + " beside it. A Chromium",
      "loads the first page five times, and then turns pages while Workloads change. After each"
          + " minute the heaps of page",
      "and process are read. At the end many dashboards are open. Needs chromium on the PATH. Exit"
          + " code 1 if a page does",
      "not come."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  src/bench/run dashboard",
      "  src/bench/run dashboard --minutes 2 --waiting 1000 --queues 100 --nodes 100"
    })
@SuppressWarnings("NullAway.Init") // set by picocli before call
final class DashboardCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--minutes",
      paramLabel = "N",
      defaultValue = "30",
      description = "How long pages are turned (default: ${DEFAULT-VALUE}).")
  private int minutes;

  @Option(
      names = "--stay",
      paramLabel = "SECONDS",
      defaultValue = "10",
      description = "How long on each of the six pages of a minute (default: ${DEFAULT-VALUE}).")
  private int stay;

  @Option(
      names = "--waiting",
      paramLabel = "N",
      defaultValue = "10000",
      description = "How many Workloads wait (default: ${DEFAULT-VALUE}).")
  private int waiting;

  @Option(
      names = "--queues",
      paramLabel = "N",
      defaultValue = "1000",
      description = "How many ClusterQueues (default: ${DEFAULT-VALUE}).")
  private int queues;

  @Option(
      names = "--nodes",
      paramLabel = "N",
      defaultValue = "5000",
      description = "How many nodes (default: ${DEFAULT-VALUE}).")
  private int nodes;

  @Option(
      names = "--changes",
      paramLabel = "N",
      defaultValue = "100",
      description = "How many Workloads change in a second (default: ${DEFAULT-VALUE}).")
  private double changes;

  @Option(
      names = "--open",
      paramLabel = "N",
      defaultValue = "100",
      description = "How many dashboards are open at the end (default: ${DEFAULT-VALUE}).")
  private int open;

  @Option(
      names = "--sluice",
      paramLabel = "PROGRAM",
      defaultValue = "./sluice",
      description = "The program whose dashboard is measured (default: ${DEFAULT-VALUE}).")
  private String program;

  @Override
  public Integer call() throws IOException {
    PrintWriter err = spec.commandLine().getErr();
    if (Chromium.program().isEmpty()) {
      err.println("dashboard: chromium is not on the PATH");
      return 1;
    }
    Path folder = Files.createTempDirectory("sluice-dashboard");
    try {
      report(
          DashboardRun.play(
              new DashboardRun.Size(
                  queues, nodes, waiting, changes, minutes, Duration.ofSeconds(stay), open),
              program,
              folder,
              line -> {
                err.println(line);
                err.flush();
              }));
      return 0;
    } catch (IOException | AssertionError e) { // of the browser
      err.println("dashboard: %s; what was said is in %s".formatted(e.getMessage(), folder));
      return 1;
    }
  }

  private void report(Result result) {
    Table table = new Table(List.of("", "", ""));
    List<Double> loads = result.firstRows().stream().sorted().toList();
    table.add(
        List.of(
            "first rows, ms: median, most",
            number(loads.get(loads.size() / 2)),
            number(loads.getLast())));
    table.add(
        List.of(
            "tasks of the page over 50 ms: count, longest ms",
            Integer.toString(result.tasks().size()),
            number(result.tasks().stream().mapToDouble(Task::millis).max().orElse(0))));
    result.tasks().stream()
        .collect(Collectors.groupingBy(Task::page, TreeMap::new, Collectors.toList()))
        .forEach(
            (page, tasks) ->
                table.add(
                    List.of(
                        "... on the page " + (page.isEmpty() ? "of all queues" : page),
                        Integer.toString(tasks.size()),
                        number(tasks.stream().mapToDouble(Task::millis).max().orElse(0)))));
    table.add(List.of("elements of a page, at most", Integer.toString(result.elements()), ""));
    heap(table, "page", result.heaps(), Heaps::page);
    heap(table, "process", result.heaps(), Heaps::process);
    cost(table, "one page open", result.atRest());
    cost(table, "one page open, changes", result.changing());
    cost(table, open + " more, changes", result.changingMany());
    cost(table, open + " more", result.restMany());
    spec.commandLine()
        .getOut()
        .printf(
            """
            %s, %s

            %s
            %,d Workloads wait in %,d queues, %,d nodes; %.0f changes a second in %d minutes.
            """,
            Instant.now(),
            Machine.current().description(),
            table.text(),
            waiting,
            queues,
            nodes,
            result.changes(),
            minutes);
    spec.commandLine().getOut().flush();
  }

  /** The mean of the first third of the minutes, and of the last. */
  private static void heap(
      Table table, String whose, List<Heaps> heaps, ToLongFunction<Heaps> bytes) {
    int third = Math.max(1, heaps.size() / 3);
    table.add(
        List.of(
            "heap of the " + whose + ", MiB: first, last third",
            mean(heaps.subList(0, third), bytes),
            mean(heaps.subList(heaps.size() - third, heaps.size()), bytes)));
  }

  private static String mean(List<Heaps> heaps, ToLongFunction<Heaps> bytes) {
    return number(heaps.stream().mapToLong(bytes).average().orElse(0) / 1024 / 1024);
  }

  private static void cost(Table table, String when, Cost cost) {
    table.add(
        List.of(
            "process, part of a core; answers, failures: " + when,
            String.format(Locale.ROOT, "%.3f", cost.ofACore()),
            "%d (%d unchanged), %d"
                .formatted(
                    cost.seen().answers(), cost.seen().unchanged(), cost.seen().failures())));
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }
}
