package dev.sluice.bench;

import dev.sluice.api.configuration.Extensions.DropManagedFields;
import dev.sluice.bench.engine.Story.Plot;
import dev.sluice.bench.flow.FlowCluster;
import dev.sluice.bench.flow.FlowReport;
import dev.sluice.bench.flow.FlowResult;
import dev.sluice.bench.flow.FlowRun;
import dev.sluice.bench.flow.Plots;
import dev.sluice.bench.flow.SchedulerProcess;
import dev.sluice.bench.flow.Verb;
import dev.sluice.bench.report.Machine;
import dev.sluice.manifests.ServedVersions;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Lets thousands of workloads flow through a real API server, and prints what it costs. */
@Command(
    name = "load",
    mixinStandardHelpOptions = true,
    header = "Lets workloads flow through an API server and sluice schedule, and measures both.",
    description = {
      "Starts etcd and an API server, measures what they can write by themselves, starts the"
          + " scheduler as a",
      "process of its own, creates workloads at their times and finishes each after its run time."
          + " Evicted",
      "ones give their quota back and start over. Ends when all are finished; exit code 1 if they"
          + " are not."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  src/bench/run load",
      "  src/bench/run load --scale 0.1",
      "  src/bench/run load --config large-scale --json load.json",
      "  src/bench/run load --sluice-jvm=-XX:StartFlightRecording:filename=sluice.jfr"
    })
@SuppressWarnings("NullAway.Init") // set by picocli before call
final class LoadCommand implements Callable<Integer> {
  private static final long BETWEEN_LINES = 5_000_000_000L;

  @Spec private CommandSpec spec;

  @Option(
      names = "--config",
      paramLabel = "NAME|FILE",
      defaultValue = "baseline",
      description =
          "baseline, large-scale, tas or tas-balanced (the baseline on 640 nodes, two pods and more"
              + " a workload; the other with --sluice-flag"
              + " --feature-gates=TASBalancedPlacement=true), or a YAML file: cohorts, queues,"
              + " kinds (name, count, cpu, runMillis, priority, everyMillis) (default:"
              + " ${DEFAULT-VALUE}).")
  private String config;

  @Option(
      names = "--scale",
      paramLabel = "F",
      defaultValue = "1",
      description = "Times as many workloads of each kind (default: ${DEFAULT-VALUE}).")
  private double scale;

  @Option(
      names = "--webhooks",
      description =
          "With our webhooks and conversion, served by this process; without, the cluster has"
              + " nothing but CRDs.")
  private boolean webhooks;

  @Option(
      names = "--drop-managed-fields",
      paramLabel = "WHOSE",
      defaultValue = "ALL",
      description =
          "With --webhooks, of which Workloads managedFields are dropped: ALL, since those of the"
              + " generator stand for those that the scheduler would create, or NONE (default:"
              + " ${DEFAULT-VALUE}).")
  private DropManagedFields drops;

  @Option(
      names = "--served",
      paramLabel = "VERSION",
      split = ",",
      description = "The versions at which our kinds are served (default: all).")
  private List<String> served = new ArrayList<>();

  @Option(
      names = "--verb",
      paramLabel = "VERB",
      defaultValue = "APPLY",
      description =
          "How workloads are finished: APPLY as Kueue's runner, or MERGE (default:"
              + " ${DEFAULT-VALUE}).")
  private Verb verb;

  @Option(
      names = "--sluice",
      paramLabel = "PROGRAM",
      defaultValue = "./sluice",
      description = "The program whose schedule is measured (default: ${DEFAULT-VALUE}).")
  private String program;

  @Option(
      names = "--sluice-flag",
      paramLabel = "FLAG",
      description = "A further flag of schedule; repeatable.")
  private List<String> flags = new ArrayList<>();

  @Option(
      names = "--sluice-jvm",
      paramLabel = "OPTION",
      description = "A further option of its JVM; repeatable.")
  private List<String> jvm = new ArrayList<>();

  @Option(
      names = "--probe",
      paramLabel = "SECONDS",
      defaultValue = "4",
      description =
          "For how long creates, and then patches, are measured alone (default:"
              + " ${DEFAULT-VALUE}).")
  private int probe;

  @Option(
      names = "--bound",
      paramLabel = "SECONDS",
      defaultValue = "1200",
      description = "After which it is given up (default: ${DEFAULT-VALUE}).")
  private int bound;

  @Option(names = "--save", paramLabel = "FILE", description = "Keep the tables there.")
  private @Nullable Path save;

  @Option(names = "--json", paramLabel = "FILE", description = "Keep the numbers there.")
  private @Nullable Path json;

  private long saidAt;

  @Override
  public Integer call() throws IOException {
    Plot plot = plot();
    boolean terminal = Boolean.getBoolean("bench.terminal");
    Progress progress = new Progress(System.err, terminal);
    Path log = Files.createTempFile("sluice-schedule", ".log");
    String head =
        "%s, %s, %s%n%n".formatted(Instant.now(), Machine.current().description(), webhooks());
    progress.doing(0, plot.workloads(), "starting the control plane, then the probe");
    try (FlowCluster cluster = webhooks ? FlowCluster.withWebhooks(drops) : FlowCluster.bare()) {
      if (!served.isEmpty()) {
        cluster.serve(ServedVersions.of(served));
      }
      FlowResult result =
          new FlowRun(cluster, plot, verb, Duration.ofSeconds(bound))
              .play(
                  Duration.ofSeconds(probe),
                  kubeconfig ->
                      SchedulerProcess.start(
                          program, flags, String.join(" ", jvm), kubeconfig, log),
                  (created, admitted, finished, all, time) ->
                      say(progress, terminal, created, admitted, finished, all, time));
      progress.done();
      report(head, new FlowReport(result));
      Files.deleteIfExists(log);
      return 0;
    } catch (IOException e) {
      progress.done();
      spec.commandLine().getErr().println("load: " + e.getMessage());
      return 1;
    }
  }

  private Plot plot() throws IOException {
    if (!(scale > 0)) {
      throw new ParameterException(
          spec.commandLine(), "--scale: " + scale + " (expected: above 0)");
    }
    try {
      return Plots.find(config, scale);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), "--config: " + e.getMessage(), e);
    }
  }

  private String webhooks() {
    return webhooks ? "with webhooks and conversion" : "only CRDs";
  }

  private void say(
      Progress progress,
      boolean terminal,
      int created,
      int admitted,
      int finished,
      int all,
      Duration time) {
    long now = System.nanoTime();
    if (terminal || now - saidAt > BETWEEN_LINES) {
      saidAt = now;
      progress.doing(
          finished,
          all,
          "finished, %,d created, %,d admitted, %d s"
              .formatted(created, admitted, time.toSeconds()));
    }
  }

  private void report(String head, FlowReport report) throws IOException {
    String text = head + report.text();
    PrintWriter out = spec.commandLine().getOut();
    out.print(text);
    out.flush();
    if (save != null) {
      Files.writeString(save, text);
    }
    if (json != null) {
      Files.writeString(json, report.jsonText());
    }
  }
}
