package dev.sluice.bench;

import dev.sluice.bench.dispatch.FleetClusters;
import dev.sluice.bench.dispatch.FleetRun;
import dev.sluice.bench.dispatch.FleetRun.Result;
import dev.sluice.bench.dispatch.JobLives.Lives;
import dev.sluice.bench.report.Machine;
import dev.sluice.bench.report.RequestRows;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Lets Jobs live on worker clusters, and compares how long they wait with one cluster. */
@Command(
    name = "fleet",
    mixinStandardHelpOptions = true,
    header =
        "How long Jobs wait that a manager sends to workers, beside those of one" + " cluster.",
    description = {
      "Starts a manager and workers: etcd, API server, our CRDs, and sluice schedule for each. Jobs"
          + " are created at a",
      "steady rate, first in a queue of the manager itself, then in one whose Jobs run on the"
          + " workers. Each Job is",
      "ended as soon as it is started. It prints the time from creation to start, and from the end"
          + " to the Workload",
      "that says Finished, and the requests for each. Then as many Jobs wait in each queue until it"
          + " is let go: how many",
      "are finished in a second. Exit code 1 if not all are finished in time."
    },
    footerHeading = "%nExamples:%n",
    footer = {"  src/bench/run fleet", "  src/bench/run fleet --jobs 2000 --rate 20"})
@SuppressWarnings("NullAway.Init") // set by picocli before call
final class FleetCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private FleetOptions options;

  @Override
  public Integer call() throws IOException {
    Path logs = Files.createTempDirectory("sluice-fleet");
    Duration wait = options.schedule().bound();
    try (FleetClusters fleet =
        FleetClusters.start(
            options.schedule().program(), options.workers(), options.jobs(), wait, logs)) {
      report(new FleetRun(fleet, options.jobs(), options.rate(), wait).play());
      return 0;
    } catch (IOException e) {
      spec.commandLine()
          .getErr()
          .println("fleet: %s; the schedulers' logs are in %s".formatted(e.getMessage(), logs));
      return 1;
    }
  }

  private void report(Result result) {
    Lives alone = result.alone();
    Lives sent = result.sent();
    spec.commandLine()
        .getOut()
        .printf(
            """
            %s, %s

            | ms | p50 | p99 |
            |---|--:|--:|
            | one cluster: created to started | %,.0f | %,.0f |
            | workers: created to started there | %,.0f | %,.0f |
            | one cluster: ended to Finished | %,.0f | %,.0f |
            | workers: ended there to Finished | %,.0f | %,.0f |

            %,d Jobs at %.1f a second, %d workers.

            | requests for each Workload | |
            |---|---|
            %s
            | Jobs that waited, a second | |
            |---|--:|
            | one cluster | %,.0f |
            | workers | %,.0f |
            | ratio | %.2f |
            """,
            Instant.now(),
            Machine.current().description(),
            alone.toStart().millis(0.5),
            alone.toStart().millis(0.99),
            sent.toStart().millis(0.5),
            sent.toStart().millis(0.99),
            alone.toFinished().millis(0.5),
            alone.toFinished().millis(0.99),
            sent.toFinished().millis(0.5),
            sent.toFinished().millis(0.99),
            options.jobs(),
            options.rate(),
            options.workers(),
            RequestRows.of("manager", result.here(), options.jobs())
                + RequestRows.of("workers", result.there(), options.jobs()),
            result.aloneAtOnce(),
            result.sentAtOnce(),
            result.sentAtOnce() / result.aloneAtOnce());
    spec.commandLine().getOut().flush();
  }
}
