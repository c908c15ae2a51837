package dev.sluice.cli.queue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.cli.cluster.ApiServer;
import dev.sluice.cli.cluster.ClusterFlags;
import dev.sluice.cli.cluster.ReportFlags;
import dev.sluice.cli.cluster.ViewServer;
import dev.sluice.cli.terminal.Table;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Shows what all queues use. */
@Command(
    name = "top",
    header = "Shows what each cohort and ClusterQueue uses, borrows and lends.",
    description = "Asks the server of view.sluice.dev.",
    footerHeading = "%nExamples:%n",
    footer = {"  sluice top", "  sluice top -o json"})
@SuppressWarnings("NullAway.Init") // set by picocli before call
public final class TopCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private ClusterFlags cluster;

  @Mixin private ReportFlags output;

  @Override
  public Integer call() {
    try (ApiServer server = cluster.connect()) {
      JsonNode standing = ViewServer.get(server, "standing");
      output.print(spec.commandLine().getOut(), text(standing), standing);
    }
    return 0;
  }

  private static String text(JsonNode standing) {
    if (standing.path("items").isEmpty()) {
      return "no ClusterQueue\n";
    }
    Table table = new Table("");
    table.add(
        "QUEUE",
        "WAITING",
        "FLAVOR",
        "RESOURCE",
        "USED",
        "NOMINAL",
        "BORROWED",
        "LENT",
        "AVAILABLE");
    standing.path("items").forEach(root -> add(root, 0, table));
    return table.toString();
  }

  private static void add(JsonNode node, int depth, Table table) {
    String kind = node.path("kind").asText().equals("Cohort") ? "cohort " : "";
    String name = "  ".repeat(depth) + kind + node.path("name").asText();
    String waiting = node.path("waiting").asText();
    if (node.hasNonNull("inactive")) {
      name += " (inactive: " + node.path("inactive").asText() + ")";
    }
    if (node.path("quotas").isEmpty()) {
      table.add(name, waiting);
    }
    for (JsonNode quota : node.path("quotas")) {
      table.add(
          name,
          waiting,
          quota.path("flavor").asText(),
          quota.path("resource").asText(),
          quota.path("used").asText(),
          quota.path("nominal").asText(),
          quota.path("borrowed").asText(),
          quota.path("lent").asText(),
          quota.path("available").asText());
      name = "";
      waiting = "";
    }
    node.path("children").forEach(child -> add(child, depth + 1, table));
  }
}
