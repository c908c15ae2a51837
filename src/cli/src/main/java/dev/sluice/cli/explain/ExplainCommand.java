package dev.sluice.cli.explain;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.cli.cluster.ApiServer;
import dev.sluice.cli.cluster.ClusterFlags;
import dev.sluice.cli.cluster.NamespaceFlag;
import dev.sluice.cli.cluster.ReportFlags;
import dev.sluice.cli.explain.ServedExplanation.Asked;
import dev.sluice.cli.simulate.SimulationInput;
import dev.sluice.jobs.pod.Pods;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.see.explain.Explainer;
import dev.sluice.see.explain.Explanation;
import dev.sluice.see.explain.Obstacle;
import dev.sluice.see.names.Names;
import dev.sluice.server.program.CommandException;
import dev.sluice.server.world.SimulatedCluster;
import java.io.InputStream;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Says why a workload waits. */
@Command(
    name = "explain",
    header =
        "Explains why a workload is pending, which workloads hold its quota, and what would help.",
    description = {
      "Asks the server of view.sluice.dev in the cluster, which shows only names that you may see."
          + " Where there is none, and with --local, it reads the cluster with your rights, or"
          + " files, and runs the engine; changes nothing. Each suggested change was tried on the"
          + " engine by itself: with it the workload gets quota as the next head.",
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  sluice explain team-a/job-train-5c8f1",
      "  sluice explain team-a/train           (the name of the job works, too)",
      "  sluice explain team-a/train --local",
      "  sluice explain team-a/train --worker worker-a=context-of-a",
      "  sluice explain team-a/train -f queues/ -f jobs.yaml",
      "  kubectl get clusterqueues,localqueues,resourceflavors,cohorts,workloads -A -o yaml |"
          + " sluice explain team-a/train -f -"
    })
@SuppressWarnings("NullAway.Init") // set by picocli before call
public final class ExplainCommand implements Callable<Integer> {
  private final InputStream stdin;
  private final InstantSource clock;

  @Spec private CommandSpec spec;
  @Mixin private ClusterFlags cluster;
  @Mixin private NamespaceFlag namespace;

  @Parameters(
      paramLabel = "NAME",
      description = "The Workload, or the job it is for: NAMESPACE/NAME or NAME.")
  private String name;

  @Option(
      names = {"-f", "--filename"},
      paramLabel = "FILE",
      arity = "1..*",
      description =
          "Read these manifests instead of a cluster: files or folders; - for standard input;"
              + " repeatable.")
  private List<String> files = new ArrayList<>();

  @Option(
      names = "--local",
      description = "Read the cluster and run the engine here, without asking its server.")
  private boolean local;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description =
          "The Configuration of the scheduler, where it has one; the cluster is read as by"
              + " --local.")
  private List<String> configuration = new ArrayList<>();

  @Option(
      names = "--worker",
      paramLabel = "CLUSTER=CONTEXT",
      description =
          "With MultiKueue, ask this worker cluster, too, by a context of the kubeconfig;"
              + " repeatable. The cluster is read as by --local.")
  private Map<String, String> workers = new LinkedHashMap<>();

  @Mixin private ReportFlags output;

  /** The command, with what it is to read where a file is called {@code -}, and the time. */
  public ExplainCommand(InputStream stdin, InstantSource clock) {
    this.stdin = stdin;
    this.clock = clock;
  }

  @Override
  public Integer call() {
    ObjectKey wanted =
        namespace.key(name, spec, () -> files.isEmpty() ? cluster.namespace() : "default");
    if (asksAServer()) {
      try (ApiServer server = cluster.connect()) {
        switch (ServedExplanation.ask(server, wanted)) {
          case Asked.Explained(Explanation explanation, JsonNode document) -> {
            note("answered by the server of view.sluice.dev");
            print(new ExplanationReport(explanation, List.of(), document));
            return 0;
          }
          case Asked.NotServed(String why) -> note("read from the cluster itself: " + why);
        }
      }
    }
    return explainHere(wanted);
  }

  private boolean asksAServer() {
    return !local && files.isEmpty() && configuration.isEmpty() && workers.isEmpty();
  }

  private void note(String where) {
    spec.commandLine().getErr().println("sluice: " + where);
    spec.commandLine().getErr().flush();
  }

  private void print(ExplanationReport report) {
    output.print(spec.commandLine().getOut(), report.text(), report.tree());
    spec.commandLine().getOut().flush();
  }

  private int explainHere(ObjectKey wanted) {
    try {
      SimulationInput input = SimulationInput.of(documents());
      SimulatedCluster world = input.cluster(clock.instant().truncatedTo(ChronoUnit.SECONDS));
      if (files.isEmpty() && input.objects().stream().anyMatch(ExplainCommand::isTopology)) {
        takePods(world);
      }
      ObjectKey key = find(world, wanted);
      print(
          new ExplanationReport(
              explain(world, key), otherClusters(input, world, key), MissingNode.getInstance()));
      return 0;
    } catch (IllegalArgumentException e) {
      throw new CommandException(String.valueOf(e.getMessage()), e);
    }
  }

  private static boolean isTopology(JsonNode object) {
    return object.path("kind").asText().equals(ApiKind.TOPOLOGY.kind());
  }

  /** Pods of others leave less room on the nodes. */
  private void takePods(SimulatedCluster world) {
    try (ApiServer server = cluster.connect()) {
      new LiveObjects(server)
          .pods(pod -> world.store(Pods.KIND, pod))
          .ifPresent(
              why ->
                  note(
                      "Pods cannot be listed, so nodes look as if no other Pods ran there: "
                          + why));
    }
  }

  /** The workload on each cluster that the user has a context for. */
  private Map<String, JsonNode> asked(ObjectKey key) {
    Map<String, JsonNode> asked = new LinkedHashMap<>();
    for (Map.Entry<String, String> worker : workers.entrySet()) {
      try (ApiServer server = cluster.connect(worker.getValue())) {
        asked.put(worker.getKey(), new LiveObjects(server).workload(key));
      }
    }
    return asked;
  }

  private static Explanation explain(SimulatedCluster world, ObjectKey key) {
    return Explainer.explain(
        world.fork(),
        key,
        world.now(),
        Names.ALL,
        () -> world.obstacle(key).orElse(Obstacle.OF_ITS_OWN));
  }

  private List<OtherCluster> otherClusters(
      SimulationInput input, SimulatedCluster world, ObjectKey key) {
    JsonNode workload =
        world.workloads().stream()
            .filter(it -> ObjectKey.of(it).equals(key))
            .findFirst()
            .orElseThrow();
    return new OtherClusters(input.objects(), workload, asked(key)).find();
  }

  private List<JsonNode> documents() {
    List<JsonNode> documents =
        new ArrayList<>(SimulationInput.readConfiguration(configuration, stdin));
    if (!files.isEmpty()) {
      documents.addAll(SimulationInput.read(files, stdin));
      return documents;
    }
    EngineConfiguration counting =
        EngineConfiguration.of(SimulationInput.of(documents).configuration().configuration());
    try (ApiServer server = cluster.connect()) {
      documents.addAll(new LiveObjects(server).read(counting));
    }
    return documents;
  }

  /** The Workload of that name, or the one that a job of that name owns. */
  private static ObjectKey find(SimulatedCluster cluster, ObjectKey wanted) {
    ObjectKey key = cluster.state().named(wanted);
    if (cluster.find(key).isEmpty()) {
      throw new CommandException(
          wanted + ": there is no Workload of this name, and none that belongs to a job so named");
    }
    return key;
  }
}
