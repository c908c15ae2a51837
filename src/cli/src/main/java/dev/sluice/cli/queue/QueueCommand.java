package dev.sluice.cli.queue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.meta.Conditions;
import dev.sluice.api.vocabulary.ConditionTypes;
import dev.sluice.cli.cluster.ApiServer;
import dev.sluice.cli.cluster.ClusterFlags;
import dev.sluice.cli.cluster.ReportFlags;
import dev.sluice.cli.cluster.ViewServer;
import dev.sluice.cli.terminal.Table;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows the workloads that wait in a queue, or the LocalQueues. */
@Command(
    name = "queue",
    header = "Shows the workloads that wait in a queue, in order, each with the reason.",
    description = {
      "With a name, asks the server of view.sluice.dev. Workloads of namespaces that you may not"
          + " list are counted, not named. Without a name, lists LocalQueues.",
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  sluice queue                          (the LocalQueues of namespace default)",
      "  sluice queue -A",
      "  sluice queue main -n team-a",
      "  sluice queue main -n team-a --limit 20 -o json",
      "  sluice queue --cluster-queue team-a"
    })
@SuppressWarnings("NullAway.Init") // set by picocli before call
public final class QueueCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private ClusterFlags cluster;

  @Parameters(paramLabel = "NAME", arity = "0..1", description = "The LocalQueue.")
  private @Nullable String name;

  @ArgGroup private @Nullable Where where;

  /** Of what it is asked, unless it is the namespace of the context. */
  private static final class Where {
    @Option(
        names = {"-n", "--namespace"},
        paramLabel = "NS",
        description = "The namespace of the LocalQueue (default: that of the context, or default).")
    private @Nullable String namespace;

    @Option(
        names = {"-A", "--all-namespaces"},
        description = "List the LocalQueues of all namespaces.")
    private boolean all;

    @Option(
        names = {"-c", "--cluster-queue"},
        paramLabel = "NAME",
        description = "A ClusterQueue, with all LocalQueues that point to it.")
    private @Nullable String clusterQueue;
  }

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "100",
      description = "Show at most so many workloads (default: ${DEFAULT-VALUE}).")
  private int limit;

  @Option(
      names = "--offset",
      paramLabel = "N",
      defaultValue = "0",
      description = "Leave out so many at the front (default: ${DEFAULT-VALUE}).")
  private int offset;

  @Mixin private ReportFlags output;

  @Override
  public Integer call() {
    if (limit < 1 || offset < 0) {
      throw new ParameterException(
          spec.commandLine(), "--limit (expected: at least 1), --offset (expected: at least 0)");
    }
    Where asked = where == null ? new Where() : where;
    if (name != null && (asked.all || asked.clusterQueue != null)) {
      throw new ParameterException(
          spec.commandLine(), name + ": a LocalQueue has one namespace (expected: -n NS)");
    }
    if (name == null && asked.clusterQueue == null) {
      requireNoPage();
    }
    try (ApiServer server = cluster.connect()) {
      JsonNode document;
      String text;
      if (asked.clusterQueue != null) {
        document = line(server, "clusterqueues/" + ViewServer.encoded(asked.clusterQueue));
        text = new LineReport(document).text();
      } else if (name != null) {
        document = line(server, namespaced(asked) + "localqueues/" + ViewServer.encoded(name));
        text = new LineReport(document).text();
      } else {
        document =
            KueueObjects.list(server, ApiKind.LOCAL_QUEUE, asked.all ? "" : namespace(asked));
        text = localQueues(document);
      }
      output.print(spec.commandLine().getOut(), text, document);
    }
    return 0;
  }

  private void requireNoPage() {
    for (String option : List.of("--limit", "--offset")) {
      if (spec.commandLine().getParseResult().hasMatchedOption(option)) {
        throw new ParameterException(
            spec.commandLine(),
            option + ": pages the line of one queue (expected: NAME or -c NAME)");
      }
    }
  }

  private JsonNode line(ApiServer server, String queue) {
    return ViewServer.get(server, "%s/line?limit=%d&offset=%d".formatted(queue, limit, offset));
  }

  private String namespace(Where asked) {
    return asked.namespace == null ? cluster.namespace() : asked.namespace;
  }

  private String namespaced(Where asked) {
    return "namespaces/" + ViewServer.encoded(namespace(asked)) + "/";
  }

  private static String localQueues(JsonNode list) {
    if (list.path("items").isEmpty()) {
      return "no LocalQueue\n";
    }
    Table table = new Table("");
    table.add("NAMESPACE", "NAME", "CLUSTERQUEUE", "PENDING", "ADMITTED", "ACTIVE");
    for (JsonNode queue : list.path("items")) {
      table.add(
          queue.at("/metadata/namespace").asText(),
          queue.at("/metadata/name").asText(),
          queue.at("/spec/clusterQueue").asText(),
          queue.at("/status/pendingWorkloads").asText("0"),
          queue.at("/status/admittedWorkloads").asText("0"),
          active(queue));
    }
    return table.toString();
  }

  private static String active(JsonNode queue) {
    return Conditions.find(queue, ConditionTypes.ACTIVE)
        .map(it -> Conditions.isTrue(it) ? "yes" : "no: " + it.path("message").asText())
        .orElse("");
  }
}
