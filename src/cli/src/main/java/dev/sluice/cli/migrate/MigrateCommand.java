package dev.sluice.cli.migrate;

import dev.sluice.api.ApiKind;
import dev.sluice.cli.cluster.ApiServer;
import dev.sluice.cli.cluster.ClusterException;
import dev.sluice.cli.cluster.ClusterFlags;
import dev.sluice.cli.cluster.ReportFlags;
import dev.sluice.cli.migrate.KindReport.Outcome;
import dev.sluice.cli.migrate.Migration.Settings;
import dev.sluice.cli.terminal.Terminal;
import dev.sluice.server.wiring.DataFlags;
import dev.sluice.server.wiring.TimeConverter;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Rewrites stored objects at the storage version. */
@Command(
    name = "migrate",
    header = "Rewrites stored objects at the storage version.",
    description =
        "Objects stay stored at the version of their last write. This command writes each object"
            + " again, without changing it, and then removes the old versions from"
            + " status.storedVersions of the CRDs. Other clients may write meanwhile, and the"
            + " command can be interrupted or killed at any time: the next run continues where it"
            + " stopped.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  sluice migrate --dry-run",
      "  sluice migrate --kind Workload --rate 200",
      "  sluice migrate --kubeconfig admin.conf -o json > report.json",
      "  sluice migrate --hand-back"
    })
@SuppressWarnings("NullAway.Init") // set by picocli before call
public final class MigrateCommand implements Callable<Integer> {
  private static final int MAX_PARALLEL = 64;
  private static final int MAX_PAGE = 5_000;
  private static final int MAX_RATE = 1_000_000;

  @Spec private CommandSpec spec;
  @Mixin private ClusterFlags cluster;

  @Option(
      names = "--kind",
      paramLabel = "KIND",
      split = ",",
      converter = ApiKindConverter.class,
      description = "Only this kind, such as Workload or workloads; repeatable (default: all).")
  private List<ApiKind> kinds = new ArrayList<>();

  @Option(
      names = "--dry-run",
      description = "Only show the number of objects and the planned changes of the CRDs.")
  private boolean dryRun;

  @Option(
      names = "--force",
      description = "Also rewrite kinds whose CRD lists only the storage version.")
  private boolean force;

  @Option(
      names = "--hand-back",
      description =
          "Move nothing; make Kueue the owner of the status of all Workloads, so that it can take"
              + " back what Sluice has reserved, and let MultiKueueClusters be deleted. For the way"
              + " back to Kueue, after Sluice was stopped.")
  private boolean handBack;

  @Option(
      names = "--rate",
      paramLabel = "N",
      defaultValue = "0",
      description = "Maximum calls per second; 0 for no limit (default: ${DEFAULT-VALUE}).")
  private int rate;

  @Option(
      names = "--parallel",
      paramLabel = "N",
      defaultValue = "4",
      description = "Number of parallel writes (default: ${DEFAULT-VALUE}).")
  private int parallel;

  @Option(
      names = "--page-size",
      paramLabel = "N",
      defaultValue = "250",
      description =
          "Objects in a list request; after a kill at most these are processed twice"
              + " (default: ${DEFAULT-VALUE}).")
  private int pageSize;

  @Option(
      names = "--patience",
      paramLabel = "TIME",
      defaultValue = "3m",
      converter = TimeConverter.class,
      description =
          "How long to retry while the API server does not answer or is overloaded"
              + " (default: ${DEFAULT-VALUE}).")
  private Duration patience;

  @Option(
      names = "--settle",
      paramLabel = "TIME",
      defaultValue = "10s",
      converter = TimeConverter.class,
      description =
          "How long after a change of a CRD to begin, so that every API server knows of it"
              + " (default: ${DEFAULT-VALUE}).")
  private Duration settle;

  @Mixin private DataFlags data;

  @Mixin private ReportFlags output;

  @Override
  public Integer call() {
    between("--rate", rate, 0, MAX_RATE);
    between("--parallel", parallel, 1, MAX_PARALLEL);
    between("--page-size", pageSize, 1, MAX_PAGE);
    if (handBack) {
      if (dryRun || force || !kinds.isEmpty()) {
        throw new ParameterException(
            spec.commandLine(),
            "--hand-back: beside --dry-run, --force or --kind (expected: without them)");
      }
      return handBack();
    }
    Report report = run();
    output.print(spec.commandLine().getOut(), report.text(), report.tree());
    if (report.aborted() != null) {
      say(report.aborted() + "\nNothing is lost: run this again to go on.");
    }
    return report.isSuccess() ? 0 : 1;
  }

  private int handBack() {
    try (ApiServer server = cluster.connect()) {
      RetryingCaller caller = caller(server);
      HandBack.Result result = new HandBack(caller, pageSize).all();
      PrintWriter out = spec.commandLine().getOut();
      out.printf("handed %d Workloads back%n", result.handed());
      if (result.released() > 0) {
        out.printf("released %d MultiKueueClusters%n", result.released());
      }
      result.failures().forEach(it -> say(it.object() + ": " + it.message()));
      return result.failures().isEmpty() ? 0 : 1;
    }
  }

  private RetryingCaller caller(ApiServer server) {
    return new RetryingCaller(
        server, new RateLimiter(rate, System.nanoTime()), patience, this::say);
  }

  private void between(String flag, int value, int least, int most) {
    if (value < least || value > most) {
      throw new ParameterException(
          spec.commandLine(), "%s: %d (expected: %d to %d)".formatted(flag, value, least, most));
    }
  }

  private Report run() {
    try (ApiServer server = cluster.connect()) {
      RetryingCaller caller = caller(server);
      Migration migration =
          new Migration(
              caller, new Settings(parallel, pageSize, settle, dryRun, force), this::display);
      String name = migration.clusterName(server.base().getAuthority());
      try (Checkpoints checkpoints = Checkpoints.open(data.folder(), name)) {
        return migrateAll(migration, checkpoints);
      }
    }
  }

  private Report migrateAll(Migration migration, Checkpoints checkpoints) {
    Set<ApiKind> chosen = kinds.isEmpty() ? EnumSet.allOf(ApiKind.class) : EnumSet.copyOf(kinds);
    List<KindReport> reports = new ArrayList<>();
    try {
      for (ApiKind kind : chosen) {
        reports.add(asked(migration.migrate(kind, checkpoints)));
      }
      return new Report(reports, null);
    } catch (ClusterException e) {
      return new Report(reports, String.valueOf(e.getMessage()));
    }
  }

  /** A kind that was asked for by name has to be there. */
  private KindReport asked(KindReport report) {
    if (kinds.isEmpty() || report.outcome() != Outcome.NOT_INSTALLED) {
      return report;
    }
    return new KindReport(
        report.kind(),
        Outcome.FAILED,
        "the cluster does not have this kind",
        report.versions(),
        report.counts(),
        report.failures());
  }

  private Display display(String task, long already) {
    return Terminal.STANDARD_ERROR.isThere()
        ? new BarDisplay(System.err, task, already)
        : new LineDisplay(spec.commandLine().getErr(), task, already, System::nanoTime);
  }

  private void say(@Nullable String text) {
    PrintWriter err = spec.commandLine().getErr();
    err.println("sluice: " + text);
    err.flush();
  }
}
