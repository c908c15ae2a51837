package dev.sluice.cli.report;

import dev.sluice.cli.cluster.ApiServer;
import dev.sluice.cli.cluster.ClusterFlags;
import dev.sluice.see.report.Grouping;
import dev.sluice.see.report.ReportBuilder;
import dev.sluice.see.report.UsageReport;
import dev.sluice.server.program.CommandException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Shows what was used. */
@Command(
    name = "report",
    header = "Shows what queues, namespaces or owners used: resource hours, waits, evictions.",
    description = {
      "Reads the history that the server of view.sluice.dev keeps, or a folder of it. HELD is"
          + " reserved quota times hours, BORROWED the part of it beyond the nominal quota, LENT"
          + " what others borrowed of the queue, LOST the part of HELD that ended with an eviction."
          + " Waits are from the queueing of a Workload to its quota."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  sluice report",
      "  sluice report --since 30d --by namespace --resource nvidia.com/gpu",
      "  sluice report --by owner --price prices.yaml -o csv",
      "  sluice report -f /var/lib/sluice/history"
    })
@SuppressWarnings("NullAway.Init") // set by picocli before call
public final class ReportCommand implements Callable<Integer> {
  /** How the report is written. */
  enum Format {
    TEXT,
    CSV,
    JSON
  }

  private final InstantSource clock;

  @Spec private CommandSpec spec;
  @Mixin private ClusterFlags cluster;

  @Option(
      names = "--since",
      paramLabel = "TIME",
      defaultValue = "7d",
      converter = AgeConverter.class,
      description = "How far back: days or a time, such as 30d or 12h (default: ${DEFAULT-VALUE}).")
  private Duration since;

  @Option(
      names = "--by",
      paramLabel = "GROUP",
      defaultValue = "QUEUE",
      description = "queue, namespace or owner (default: ${DEFAULT-VALUE}).")
  private Grouping by;

  @Option(
      names = "--resource",
      paramLabel = "NAME",
      description = "Only this resource, such as nvidia.com/gpu.")
  private @Nullable String resource;

  @Option(
      names = "--price",
      paramLabel = "FILE",
      description =
          "Prices of an hour of one unit, of memory of one Gi: a line for each resource, such as"
              + " nvidia.com/gpu: 2.5, or for one of a flavor, such as spot/nvidia.com/gpu: 1.1.")
  private @Nullable Path price;

  @Option(
      names = {"-f", "--folder"},
      paramLabel = "DIR",
      description = "Read the history from this folder instead of the server.")
  private @Nullable Path folder;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      defaultValue = "TEXT",
      description = "text, csv or json (default: ${DEFAULT-VALUE}).")
  private Format format;

  /** The command, with the clock at whose time the report ends. */
  public ReportCommand(InstantSource clock) {
    this.clock = clock;
  }

  @Override
  public Integer call() {
    Instant until = clock.instant().truncatedTo(ChronoUnit.SECONDS);
    Prices prices = price == null ? Prices.NONE : Prices.read(price);
    ReportBuilder builder = new ReportBuilder(until.minus(since), until, by);
    if (folder == null) {
      try (ApiServer server = cluster.connect()) {
        ServedHistory.read(server, until.minus(since)).forEach(builder::add);
      }
    } else {
      read(folder, builder);
    }
    UsageReport report = builder.build();
    ReportText text = new ReportText(report, resource, prices);
    PrintWriter out = spec.commandLine().getOut();
    out.print(
        switch (format) {
          case TEXT -> text.table();
          case CSV -> text.csv();
          case JSON -> text.json().toPrettyString() + "\n";
        });
    out.flush();
    return 0;
  }

  /** What still runs at the end of the files is held until the end of the report. */
  private void read(Path from, ReportBuilder builder) {
    try {
      new FolderHistory(from).read(builder::add, clock.instant());
    } catch (IOException e) {
      throw new CommandException(
          from + ": " + e.getMessage() + " (expected: a folder of sluice see --history)", e);
    }
  }
}
