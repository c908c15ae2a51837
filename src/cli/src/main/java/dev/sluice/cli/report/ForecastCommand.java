package dev.sluice.cli.report;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.cli.cluster.ApiServer;
import dev.sluice.cli.cluster.ClusterFlags;
import dev.sluice.cli.cluster.ForecastWords;
import dev.sluice.cli.cluster.NamespaceFlag;
import dev.sluice.cli.cluster.ReportFlags;
import dev.sluice.cli.cluster.ViewServer;
import dev.sluice.cli.terminal.Table;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows when a Workload will get quota, or how good such forecasts were. */
@Command(
    name = "forecast",
    header = "Shows when a waiting workload will get quota, and how good forecasts were.",
    description = {
      "Asks the server of view.sluice.dev, which has to keep a history. Of ten workloads, one"
          + " starts before the first time, and one after the last."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  sluice forecast team-a/job-train-5c8f1",
      "  sluice forecast team-a/train           (the name of the job works, too)",
      "  sluice forecast --score"
    })
@SuppressWarnings("NullAway.Init") // set by picocli before call
public final class ForecastCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private ClusterFlags cluster;
  @Mixin private NamespaceFlag namespace;

  @Parameters(
      arity = "0..1",
      paramLabel = "NAME",
      description = "The Workload, or the job it is for: NAMESPACE/NAME or NAME.")
  private @Nullable String name;

  @Option(names = "--score", description = "How good the forecasts of each ClusterQueue were.")
  private boolean score;

  @Mixin private ReportFlags output;

  @Override
  public Integer call() {
    if (score == (name != null)) {
      throw new ParameterException(
          spec.commandLine(), "nothing or both asked for (expected: NAME or --score)");
    }
    try (ApiServer server = cluster.connect()) {
      if (name == null) {
        JsonNode scores = ViewServer.get(server, "forecastscores");
        output.print(spec.commandLine().getOut(), scores(scores), scores);
      } else {
        ObjectKey key = namespace.key(name, spec, cluster::namespace);
        JsonNode forecast =
            ViewServer.get(
                server,
                "namespaces/%s/workloads/%s/forecast"
                    .formatted(
                        ViewServer.encoded(key.namespace()), ViewServer.encoded(key.name())));
        output.print(spec.commandLine().getOut(), ForecastWords.of(forecast) + "\n", forecast);
      }
    }
    return 0;
  }

  private static String scores(JsonNode scores) {
    if (scores.path("items").isEmpty()) {
      return "no forecast has come true or not yet\n";
    }
    Table table = new Table("");
    table.add("CLUSTERQUEUE", "STARTS", "WITHIN THE BAND", "MEDIAN ERROR", "PINBALL");
    for (JsonNode item : scores.path("items")) {
      int starts = item.path("starts").asInt();
      int within = item.path("within").asInt();
      table.add(
          item.path("clusterQueue").asText(),
          String.valueOf(starts),
          "%d (%d %%)".formatted(within, Math.round(100.0 * within / Math.max(1, starts))),
          String.format(Locale.ROOT, "%.0fs", item.path("medianErrorSeconds").asDouble()),
          String.format(Locale.ROOT, "%.0fs", item.path("pinballSeconds").asDouble()));
    }
    return table.toString();
  }
}
