package dev.sluice.cli.simulate;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.cli.cluster.ApiServer;
import dev.sluice.cli.cluster.ClusterFlags;
import dev.sluice.cli.cluster.ReportFormat;
import dev.sluice.cli.picture.UsageSvg;
import dev.sluice.cli.report.AgeConverter;
import dev.sluice.json.yaml.YamlWriter;
import dev.sluice.server.program.CommandException;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** Shows what the queues would do with manifests. */
@Command(
    name = "simulate",
    header =
        "Shows what the queues would do with manifests: which workloads are admitted, preempted or"
            + " pending, and why.",
    description = {
      "Needs no cluster, except with --live. The input is queues, flavors and workloads, or jobs of"
          + " any kind that name a queue; a Configuration among them is used. Missing namespaces"
          + " are created.",
      "",
      "A job or workload with the annotation sluice.dev/runs-for, such as 90s, ends that long after"
          + " it was",
      "admitted; one that was created later than --now arrives then.",
      "",
      "With --live, the server of view.sluice.dev in a cluster says what would become of the jobs"
          + " there now. Queues among the manifests are changes of those that are there. Exit code"
          + " 0: all get quota at once. 1: one does not. With --for, it also says when those that"
          + " wait would get quota, if each job that runs takes as long as such jobs usually do."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  sluice simulate -f queues.yaml -f jobs.yaml",
      "  kubectl get clusterqueues,localqueues,resourceflavors,cohorts,workloads -A -o yaml |"
          + " sluice simulate -f -",
      "  sluice simulate -f queues/ --svg usage.svg",
      "  sluice simulate --live -f job.yaml -n team-a",
      "  sluice simulate --live -f job.yaml --for 1h",
      "  sluice simulate --live -f job.yaml -f clusterqueue.yaml -o json"
    })
@SuppressWarnings("NullAway.Init") // set by picocli before call
public final class SimulateCommand implements Callable<Integer> {
  private final InputStream stdin;
  private final InstantSource clock;

  @Spec private CommandSpec spec;

  @Option(
      names = {"-f", "--filename"},
      paramLabel = "FILE",
      required = true,
      arity = "1..*",
      description =
          "YAML or JSON with any number of documents, or a folder; - for standard input;"
              + " repeatable.")
  private List<String> files;

  @Mixin private ClusterFlags cluster;

  @Option(
      names = "--live",
      description = "Ask the cluster; jobs are new, queues are changes of those that are there.")
  private boolean live;

  @Option(
      names = "--for",
      paramLabel = "TIME",
      converter = AgeConverter.class,
      description =
          "With --live, play the queues forward for that time, such as 1h or 7d, and say when jobs"
              + " get quota.")
  private @Nullable Duration forward;

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NS",
      defaultValue = "default",
      description =
          "With --live, the namespace of objects that name none (default: ${DEFAULT-VALUE}).")
  private String namespace;

  @ArgGroup private @Nullable Length length;

  /** When to stop. */
  private static final class Length {
    @Option(
        names = "--cycles",
        paramLabel = "N",
        description = "Run that many cycles at one moment, and nothing else.")
    private @Nullable Integer cycles;

    @Option(
        names = "--until-quiet",
        description = "Run until nothing changes (the default); time passes.")
    private boolean untilQuiet;

    @Nullable Integer cycles() {
      return untilQuiet ? null : cycles;
    }
  }

  @Option(
      names = "--now",
      paramLabel = "TIME",
      converter = InstantConverter.class,
      description = "The time at the beginning, such as 2026-01-31T12:00:00Z (default: now).")
  private @Nullable Instant now;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      defaultValue = "TEXT",
      description = "text, yaml or json (default: ${DEFAULT-VALUE}).")
  private Format format;

  @Option(
      names = "--svg",
      paramLabel = "FILE",
      description = "Also draws the use of each queue over time into this file.")
  private @Nullable Path svg;

  /** How the result is written. */
  enum Format {
    TEXT,
    YAML,
    JSON
  }

  /** The command, with what it is to read where a file is called {@code -}, and the time. */
  public SimulateCommand(InputStream stdin, InstantSource clock) {
    this.stdin = stdin;
    this.clock = clock;
  }

  @Override
  public Integer call() {
    Integer cycles = length == null ? null : length.cycles();
    if (cycles != null && cycles < 1) {
      throw new ParameterException(
          spec.commandLine(), "--cycles " + cycles + " (expected: 1 or more)");
    }
    if (live) {
      return askCluster();
    }
    if (forward != null) {
      throw new ParameterException(spec.commandLine(), "--for (expected: with --live only)");
    }
    Timeline timeline = simulate(cycles);
    print(timeline);
    if (svg != null) {
      write(svg, UsageSvg.of(timeline.usage()));
    }
    return 0;
  }

  private int askCluster() {
    if (length != null || now != null || svg != null) {
      throw new ParameterException(
          spec.commandLine(), "--live (expected: no --cycles, --until-quiet, --now, or --svg)");
    }
    List<JsonNode> documents = SimulationInput.read(files, stdin);
    try (ApiServer server = cluster.connect()) {
      JsonNode status = LiveSimulation.ask(server, documents, namespace, forward, this::note);
      ReportFormat.valueOf(format.name())
          .print(spec.commandLine().getOut(), LiveReport.of(status), status);
      return LiveSimulation.allAdmitted(status) ? 0 : 1;
    }
  }

  private void note(String sentence) {
    spec.commandLine().getErr().println("sluice: " + sentence);
    spec.commandLine().getErr().flush();
  }

  private Timeline simulate(@Nullable Integer cycles) {
    try {
      Instant start = now == null ? clock.instant().truncatedTo(ChronoUnit.SECONDS) : now;
      var simulation =
          new Simulation(SimulationInput.of(SimulationInput.read(files, stdin)), start);
      return cycles == null ? simulation.runUntilQuiet() : simulation.runCycles(cycles);
    } catch (IllegalArgumentException e) {
      throw new CommandException(String.valueOf(e.getMessage()), e);
    }
  }

  private void print(Timeline timeline) {
    PrintWriter out = spec.commandLine().getOut();
    switch (format) {
      case TEXT -> out.print(TextReport.of(timeline));
      case YAML -> out.print(YamlWriter.write(TreeReport.of(timeline)));
      case JSON -> out.println(json(timeline));
    }
    out.flush();
  }

  private static String json(Timeline timeline) {
    try {
      return new ObjectMapper()
          .writerWithDefaultPrettyPrinter()
          .writeValueAsString(TreeReport.of(timeline));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a tree in memory cannot be written", e);
    }
  }

  private static void write(Path file, String text) {
    try {
      Files.writeString(file, text, UTF_8);
    } catch (IOException e) {
      throw new CommandException(file + ": cannot be written: " + e.getMessage(), e);
    }
  }

  /** Reads a time. */
  static final class InstantConverter implements ITypeConverter<Instant> {
    @Override
    public Instant convert(String text) {
      try {
        return Instant.parse(text);
      } catch (DateTimeException _) {
        throw new TypeConversionException(
            text + " is no time (expected: one like 2026-01-31T12:00:00Z)");
      }
    }
  }
}
