package dev.sluice.bench;

import dev.sluice.bench.dispatch.DispatchRun;
import dev.sluice.bench.flow.FlowCluster;
import dev.sluice.bench.flow.SchedulerProcess;
import dev.sluice.bench.report.Machine;
import dev.sluice.bench.report.RequestRows;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Sends Workloads to a worker cluster, and compares that with plain creates there. */
@Command(
    name = "dispatch",
    mixinStandardHelpOptions = true,
    header = "Sends Workloads of a manager to a worker, and compares that with one cluster.",
    description = {
      "Starts two control planes of etcd and API server with our CRDs, and sluice schedule for the"
          + " manager.",
      "First the manager admits Jobs by itself, from a queue that was on hold. Then the command"
          + " creates copies of",
      "other Jobs on the worker, deletes them, and lets the queue of these Jobs go. It prints the"
          + " three rates, and",
      "the requests for each Workload. Exit code 1 if not all are dispatched in time."
    },
    footerHeading = "%nExamples:%n",
    footer = {"  src/bench/run dispatch", "  src/bench/run dispatch --jobs 200"})
@SuppressWarnings("NullAway.Init") // set by picocli before call
final class DispatchCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private ScheduleOptions options;

  @Option(
      names = "--jobs",
      paramLabel = "N",
      defaultValue = "2000",
      description = "How many Jobs (default: ${DEFAULT-VALUE}).")
  private int jobs;

  @Override
  public Integer call() throws IOException {
    Path log = Files.createTempFile("sluice-schedule", ".log");
    Path configuration = Files.createTempFile("sluice-dispatch", ".yaml");
    Files.writeString(
        configuration,
        """
        apiVersion: config.kueue.x-k8s.io/v1beta2
        kind: Configuration
        namespace: kueue-system
        """);
    try (FlowCluster manager = FlowCluster.bare();
        FlowCluster worker = FlowCluster.bare()) {
      DispatchRun run = new DispatchRun(manager, worker, jobs, options.bound());
      run.prepare();
      try (SchedulerProcess scheduler =
          SchedulerProcess.start(
              options.program(),
              List.of("--config=" + configuration),
              "",
              manager.kubeconfig(),
              log)) {
        report(run.play(scheduler));
      }
      Files.deleteIfExists(log);
      return 0;
    } catch (IOException e) {
      spec.commandLine()
          .getErr()
          .println("dispatch: %s; the scheduler's log is %s".formatted(e.getMessage(), log));
      return 1;
    } finally {
      Files.deleteIfExists(configuration);
    }
  }

  private void report(DispatchRun.Result result) {
    spec.commandLine()
        .getOut()
        .printf(
            """
            %s, %s

            | | a second |
            |---|---|
            | admissions of one cluster alone | %,.0f |
            | creates of copies by a plain client | %,.0f |
            | dispatches | %,.0f |
            | ratio to one cluster alone | %.2f |
            | ratio to plain creates | %.2f |

            | requests for each Workload | |
            |---|---|
            %s
            %,d Jobs, one worker. The heap of its scheduler grew by %,.1f MiB for 10,000 of them.
            """,
            Instant.now(),
            Machine.current().description(),
            result.alone(),
            result.creates(),
            result.dispatches(),
            result.ofAlone(),
            result.ratio(),
            RequestRows.of("manager", result.here(), result.jobs())
                + RequestRows.of("worker", result.there(), result.jobs()),
            result.jobs(),
            result.heapBytes() / 1024.0 / 1024 / result.jobs() * 10_000);
    spec.commandLine().getOut().flush();
  }
}
