package dev.sluice.bench;

import dev.sluice.bench.engine.EngineMeasurements;
import dev.sluice.bench.engine.EngineReport;
import dev.sluice.bench.placement.PlacementMeasurements;
import dev.sluice.bench.report.Machine;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.runner.RunnerException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Measures the quota engine and prints tables. */
@Command(
    name = "engine",
    mixinStandardHelpOptions = true,
    header =
        "Measures the quota engine: cycles, snapshots, forks, preemption, placement, memory, whole"
            + " clusters.",
    description =
        "Cycles, snapshots, preemption and placement run under JMH, each in a JVM of its own with"
            + " one thread. Memory is what is reachable after a collection. A story is a cluster"
            + " played in simulated time, in this JVM, which was not warmed up for it.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  src/bench/run engine",
      "  src/bench/run engine --short",
      "  src/bench/run engine --parts STORIES,MEMORY",
      "  src/bench/run engine --save src/bench/results/engine.md"
    })
@SuppressWarnings("NullAway.Init") // set by picocli before call
final class EngineCommand implements Callable<Integer> {
  /** What can be measured by itself. */
  enum Part {
    CYCLES,
    CROWDS,
    SNAPSHOTS,
    FORKS,
    PREEMPTION,
    PLACEMENT,
    MEMORY,
    STORIES,
    RECORDER
  }

  @Spec private CommandSpec spec;

  @Option(
      names = "--short",
      description = "One size of each kind and less time: about two minutes instead of seven.")
  private boolean brief;

  @Option(
      names = "--parts",
      split = ",",
      defaultValue = "STORIES,RECORDER,CYCLES,CROWDS,SNAPSHOTS,FORKS,PREEMPTION,PLACEMENT,MEMORY",
      description = "What is measured (default: ${DEFAULT-VALUE}).")
  private Set<Part> parts;

  @Option(names = "--save", paramLabel = "FILE", description = "Keep the result there.")
  private @Nullable Path save;

  private final EngineReport report = new EngineReport();

  @Override
  public Integer call() throws IOException, RunnerException {
    String head =
        "Engine, %s UTC%n%nMachine: %s.%n"
            .formatted(
                Instant.now().toString().substring(0, 16).replace('T', ' '),
                Machine.current().description());
    print(head + "\n");
    var measurements = new EngineMeasurements(brief);
    var progress = new Progress(System.err, Boolean.getBoolean("bench.terminal"));
    if (parts.contains(Part.STORIES)) { // first: nothing of this JVM is warm
      print(report.stories(measurements.stories()));
    }
    if (parts.contains(Part.RECORDER)) {
      print(report.recordings(measurements.recordings()));
    }
    if (parts.contains(Part.CYCLES)) {
      print(report.cycles(cycles(measurements, progress)));
    }
    if (parts.contains(Part.CROWDS)) {
      List<EngineReport.Crowd> rows = new ArrayList<>();
      for (String crowd : measurements.crowds()) {
        rows.add(measurements.crowd(crowd));
      }
      print(report.crowds(rows));
    }
    if (parts.contains(Part.SNAPSHOTS)) {
      print(report.snapshots(measurements.snapshots()));
    }
    if (parts.contains(Part.FORKS)) {
      print(report.forks(measurements.forks()));
    }
    if (parts.contains(Part.PREEMPTION)) {
      print(report.searches(measurements.searches()));
    }
    if (parts.contains(Part.PLACEMENT)) {
      var placements = new PlacementMeasurements(brief);
      print(report.placements(placements.costs(), placements.weights()));
    }
    if (parts.contains(Part.MEMORY)) {
      print(report.memory(measurements.memory()));
    }
    if (save != null) {
      Files.writeString(save, "# " + head + "\n" + report.text());
    }
    return 0;
  }

  private static List<EngineReport.Cycles> cycles(
      EngineMeasurements measurements, Progress progress) throws RunnerException {
    List<EngineReport.Cycles> rows = new ArrayList<>();
    List<String> clusters = measurements.clusters();
    for (String cluster : clusters) {
      progress.doing(rows.size() + 1, clusters.size(), cluster);
      rows.add(measurements.cycles(cluster));
    }
    progress.done();
    return rows;
  }

  private void print(String text) {
    PrintWriter out = spec.commandLine().getOut();
    out.print(text);
    out.flush();
  }
}
