package dev.sluice.cli.queue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.cli.cluster.ApiServer;
import dev.sluice.cli.cluster.ClusterFlags;
import dev.sluice.cli.cluster.NamespaceFlag;
import dev.sluice.cli.cluster.ReportFlags;
import dev.sluice.cli.cluster.ViewServer;
import dev.sluice.cli.terminal.Table;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows what has happened to a Workload. */
@Command(
    name = "history",
    header =
        "Shows what has happened to a workload: when it was created, queued, admitted, evicted.",
    description = {
      "Asks the server of view.sluice.dev. An object keeps the last change of each condition and"
          + " admission check only.",
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  sluice history team-a/job-train-5c8f1",
      "  sluice history team-a/train           (the name of the job works, too)"
    })
@SuppressWarnings("NullAway.Init") // set by picocli before call
public final class HistoryCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private ClusterFlags cluster;
  @Mixin private NamespaceFlag namespace;

  @Parameters(
      paramLabel = "NAME",
      description = "The Workload, or the job it is for: NAMESPACE/NAME or NAME.")
  private String name;

  @Mixin private ReportFlags output;

  @Override
  public Integer call() {
    ObjectKey key = namespace.key(name, spec, cluster::namespace);
    try (ApiServer server = cluster.connect()) {
      JsonNode timeline =
          ViewServer.get(
              server,
              "namespaces/%s/workloads/%s/timeline"
                  .formatted(ViewServer.encoded(key.namespace()), ViewServer.encoded(key.name())));
      output.print(spec.commandLine().getOut(), text(timeline), timeline);
    }
    return 0;
  }

  private static String text(JsonNode timeline) {
    Table table = new Table("");
    table.add("TIME", "WHAT", "VALUE", "REASON", "MESSAGE");
    for (JsonNode item : timeline.path("items")) {
      table.add(
          item.path("at").asText(),
          item.path("type").asText(),
          item.path("value").asText(),
          item.path("reason").asText(),
          item.path("message").asText());
    }
    return table.toString();
  }
}
