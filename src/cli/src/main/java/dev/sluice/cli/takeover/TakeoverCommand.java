package dev.sluice.cli.takeover;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.configuration.Configuration;
import dev.sluice.cli.cluster.ApiServer;
import dev.sluice.cli.cluster.ClusterException;
import dev.sluice.cli.cluster.ClusterFlags;
import dev.sluice.cli.cluster.ReportFlags;
import dev.sluice.cli.doctor.check.Check;
import dev.sluice.cli.doctor.check.Cluster;
import dev.sluice.cli.doctor.check.Finding.Level;
import dev.sluice.cli.doctor.check.Findings;
import dev.sluice.cli.doctor.definition.ApiServiceCheck;
import dev.sluice.cli.takeover.Steps.Step;
import dev.sluice.server.wiring.ConfigurationFlags;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Prepares the switch from Kueue to Sluice, and the way back. */
@Command(
    name = "takeover",
    header = "Says whether Sluice can take over from Kueue, and with which commands.",
    description = {
      "With --check, it reads the cluster: who leads, stored versions, webhooks, APIServices,"
          + " feature gates and kinds of jobs of Kueue's Configuration, and pods that are held"
          + " back. With --print, it prints the commands in order. --back is the way back to Kueue."
          + " Changes nothing. Exit code 1 if there is an error; warnings alone are none."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  sluice takeover --check",
      "  sluice takeover --check --config controller_manager_config.yaml -o json",
      "  sluice takeover --print",
      "  sluice takeover --print --back"
    })
@SuppressWarnings("NullAway.Init") // set by picocli before call
public final class TakeoverCommand implements Callable<Integer> {
  private static final Duration BOUND = Duration.ofSeconds(10);

  @Spec private CommandSpec spec;
  @Mixin private ClusterFlags cluster;
  @Mixin private ConfigurationFlags configuration;
  @Mixin private ReportFlags output;

  @ArgGroup(multiplicity = "1")
  private What what;

  @Option(names = "--back", description = "From Sluice to Kueue.")
  private boolean back;

  @Option(
      names = "--kueue-namespace",
      paramLabel = "NAME",
      defaultValue = Steps.DEFAULT_KUEUE,
      description = "Where Kueue runs (default: ${DEFAULT-VALUE}).")
  private String kueueNamespace;

  @Option(
      names = "--sluice-namespace",
      paramLabel = "NAME",
      defaultValue = Steps.DEFAULT_SLUICE,
      description = "Where Sluice runs (default: ${DEFAULT-VALUE}).")
  private String sluiceNamespace;

  /** What is wanted. */
  private static final class What {
    @Option(names = "--check", description = "Look whether the switch can be made.")
    private boolean check;

    @Option(names = "--print", description = "Print the commands of the switch.")
    private boolean print;
  }

  @Override
  public Integer call() {
    Side kueue = Side.kueue(kueueNamespace);
    Side sluice = Side.sluice(sluiceNamespace);
    if (what.print && !what.check) { // exactly one is given
      String arguments = cluster.asArguments();
      List<Step> steps =
          back ? Steps.back(kueue, sluice, arguments) : Steps.there(kueue, sluice, arguments);
      output.print(spec.commandLine().getOut(), Steps.text(steps), tree(steps));
      return 0;
    }
    Findings findings = check(kueue, sluice);
    output.print(spec.commandLine().getOut(), findings.text(), findings.tree());
    return findings.count(Level.ERROR) == 0 ? 0 : 1;
  }

  private static ObjectNode tree(List<Step> steps) {
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    ArrayNode all = root.putArray("steps");
    for (Step step : steps) {
      ArrayNode commands = all.addObject().put("title", step.title()).putArray("commands");
      step.commands().forEach(commands::add);
    }
    return root;
  }

  private Findings check(Side kueue, Side sluice) {
    Optional<Configuration> given =
        configuration.isGiven()
            ? Optional.of(configuration.read(kueue.namespace()).configuration())
            : Optional.empty();
    String lease = given.map(it -> it.manager().leaderElection().resourceName()).orElse("");
    Side from = back ? sluice : kueue;
    Side to = back ? kueue : sluice;
    Findings findings = new Findings();
    try (ApiServer server = cluster.connect()) {
      Cluster asked = new Cluster(server, BOUND);
      List<Check> checks =
          List.of(
              new LeadersCheck(asked, from, to, lease, InstantSource.system()),
              new StoredVersionsCheck(asked, back, cluster.asArguments()),
              new WebhooksCheck(asked, from, to),
              new ApiServiceCheck(asked),
              new ConfigurationsCheck(asked, kueue, given),
              new GatedPodsCheck(asked, to));
      checks.forEach(it -> it.check(findings));
    } catch (ClusterException e) {
      findings.error(
          "API server",
          String.valueOf(e.getMessage()),
          "check that it runs and that the kubeconfig names it: kubectl version");
    }
    return findings;
  }
}
