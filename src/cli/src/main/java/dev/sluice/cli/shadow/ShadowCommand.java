package dev.sluice.cli.shadow;

import dev.sluice.cli.report.AgeConverter;
import dev.sluice.cluster.access.ClusterAccess;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.see.shadow.Judgement;
import dev.sluice.see.shadow.Verdict;
import dev.sluice.server.logging.LogFlags;
import dev.sluice.server.program.CommandException;
import dev.sluice.server.shadow.KnownObjects;
import dev.sluice.server.shadow.ShadowRun;
import dev.sluice.server.wiring.ConfigurationFlags;
import dev.sluice.server.wiring.TimeConverter;
import dev.sluice.supervision.Supervisor;
import dev.sluice.webhook.server.ListenAddress;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Compares the decisions of the scheduler of a cluster with ours. */
@Command(
    name = "shadow",
    header = "Watches another scheduler, and tells what Sluice would have decided otherwise.",
    description = {
      "Runs beside Kueue, or another scheduler of this API, and only lists and watches. Each"
          + " reservation and each preemption that it sees is compared with what Sluice would"
          + " decide. A Workload that Sluice would admit and that the other scheduler leaves is a"
          + " difference, too.",
      "",
      "Ends after --for, or at Ctrl-C, with a summary. Exit code 1 if there was a difference that"
          + " is no known deviation."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  sluice shadow --kubeconfig ~/.kube/config --for 1h",
      "  sluice shadow --config controller_manager_config.yaml --for 7d --scenarios differences/",
      "  sluice shadow --for 30m -o md > report.md"
    })
@SuppressWarnings("NullAway.Init") // set by picocli before call
public final class ShadowCommand implements Callable<Integer> {
  private static final Duration PROGRESS = Duration.ofMinutes(1);

  /** How long a stop signal waits for the summary. */
  private static final long PATIENCE_SECONDS = 90;

  /** Without any change of the cluster's lists after that long, it cannot be reached. */
  private static final Duration FIRST_LISTS = Duration.ofMinutes(2);

  @Spec private CommandSpec spec;
  @Mixin private ConfigurationFlags chosen;
  @Mixin private LogFlags logs;

  @Option(
      names = "--kubeconfig",
      paramLabel = "FILE",
      description =
          "The cluster that is watched (default: $KUBECONFIG, then"
              + " ~/.kube/config, then the cluster around this Pod).")
  private @Nullable Path kubeconfig;

  @Option(
      names = "--for",
      paramLabel = "TIME",
      defaultValue = "7d",
      converter = AgeConverter.class,
      description = "How long it compares, such as 7d or 12h (default: ${DEFAULT-VALUE}).")
  private Duration time;

  @Option(
      names = "--grace",
      paramLabel = "TIME",
      defaultValue = "5s",
      converter = TimeConverter.class,
      description =
          "How late a decision of the other scheduler may be seen, and how long it must leave a"
              + " Workload for a difference (default: ${DEFAULT-VALUE}).")
  private Duration grace;

  @Option(
      names = "--scenarios",
      paramLabel = "DIR",
      description =
          "Write a scenario of each of the first differences into this folder; sluice test passes"
              + " on it and shows the decision of Sluice.")
  private @Nullable Path scenarios;

  @Option(
      names = "--most-scenarios",
      paramLabel = "N",
      defaultValue = "20",
      description = "How many scenarios are written at most (default: ${DEFAULT-VALUE}).")
  private int mostScenarios;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      defaultValue = "TEXT",
      description = "text, json or md (default: ${DEFAULT-VALUE}).")
  private Format format;

  @Option(
      names = "--http-host",
      paramLabel = "ADDRESS",
      defaultValue = "127.0.0.1",
      description = "Address of the plain port (default: ${DEFAULT-VALUE}, this machine only).")
  private String httpHost;

  @Option(
      names = "--http-port",
      paramLabel = "PORT",
      description = "Plain port for health and metrics; 0 for any free one (default: no port).")
  private @Nullable Integer httpPort;

  private final CountDownLatch stopped = new CountDownLatch(1);
  private final CountDownLatch done = new CountDownLatch(1);

  /** How the summary is written. */
  enum Format {
    TEXT,
    JSON,
    MD
  }

  @Override
  public Integer call() {
    if (grace.compareTo(Duration.ofMillis(100)) < 0 || grace.compareTo(Duration.ofHours(1)) > 0) {
      throw new ParameterException(
          spec.commandLine(), "--grace: " + grace + " (expected: 100ms to 1h)");
    }
    if (mostScenarios < 0) {
      throw new ParameterException(
          spec.commandLine(), "--most-scenarios: " + mostScenarios + " (expected: 0 or more)");
    }
    logs.apply();
    EngineConfiguration configuration =
        EngineConfiguration.of(chosen.read("kueue-system").configuration());
    ListenAddress plain = plainAddress();
    ClusterAccess access = ClusterAccess.of(kubeconfig);
    Thread hook = new Thread(this::stopAndWait, "sluice-stop");
    Runtime.getRuntime().addShutdownHook(hook);
    try {
      return compare(access, configuration, plain);
    } finally {
      done.countDown();
      if (stopped.getCount() > 0) {
        Runtime.getRuntime().removeShutdownHook(hook);
      }
    }
  }

  private @Nullable ListenAddress plainAddress() {
    try {
      return httpPort == null ? null : new ListenAddress(httpHost, httpPort);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), "--http-port: " + e.getMessage(), e);
    }
  }

  /** At a stop signal, the summary is still printed. */
  private void stopAndWait() {
    stopped.countDown();
    try {
      var _ = done.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private int compare(
      ClusterAccess access, EngineConfiguration configuration, @Nullable ListenAddress plain) {
    InstantSource clock = InstantSource.system();
    var report = new ShadowReport(clock.instant(), grace);
    var supervisor = new Supervisor();
    @Nullable ShadowScenarios files =
        scenarios == null
            ? null
            : new ShadowScenarios(scenarios, mostScenarios, configuration, supervisor);
    try (ShadowRun run =
        ShadowRun.start(
            access,
            configuration,
            grace,
            plain,
            (judgement, objects) -> note(judgement, objects, report, files),
            supervisor)) {
      if (plain != null) {
        say("health and metrics on http://" + httpHost + ":" + run.httpPort());
      }
      watch(run, report, clock);
      run.end();
      if (files != null) {
        files.close();
      }
      report.end(clock.instant(), run.otherEvictions(), files == null ? _ -> "" : files::of);
    }
    print(report);
    return report.differences() == 0 ? 0 : 1;
  }

  private static void note(
      Judgement judgement,
      KnownObjects objects,
      ShadowReport report,
      @Nullable ShadowScenarios files) {
    report.add(judgement);
    if (files != null && judgement.verdict() != Verdict.SAME) {
      files.take(judgement, objects);
    }
  }

  private void watch(ShadowRun run, ShadowReport report, InstantSource clock) {
    Instant begin = clock.instant();
    Instant end = begin.plus(time);
    Instant told = begin;
    boolean comparing = false;
    try {
      while (stopped.getCount() > 0 && clock.instant().isBefore(end)) {
        run.turn();
        Instant now = clock.instant();
        if (!comparing && run.compares()) {
          comparing = true;
          say("comparing until " + end);
        } else if (!comparing && now.isAfter(begin.plus(FIRST_LISTS))) {
          throw nothingCompared(run);
        }
        if (comparing && now.isAfter(told.plus(PROGRESS))) {
          told = now;
          say(report.progress());
        }
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt(); // the summary is still printed
    }
    if (!comparing && stopped.getCount() > 0) {
      throw nothingCompared(run);
    }
  }

  private static CommandException nothingCompared(ShadowRun run) {
    return new CommandException(
        "the cluster could not be listed: " + String.join("; ", run.missing()));
  }

  private void say(String line) {
    PrintWriter err = spec.commandLine().getErr();
    err.println(line);
    err.flush();
  }

  private void print(ShadowReport report) {
    PrintWriter out = spec.commandLine().getOut();
    switch (format) {
      case TEXT -> out.print(report.text());
      case JSON -> out.println(report.json().toPrettyString());
      case MD -> out.print(report.markdown());
    }
    out.flush();
  }
}
