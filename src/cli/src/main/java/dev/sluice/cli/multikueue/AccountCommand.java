package dev.sluice.cli.multikueue;

import dev.sluice.jobs.plan.JobSettings;
import dev.sluice.json.yaml.YamlWriter;
import dev.sluice.manifests.Target;
import dev.sluice.server.wiring.ConfigurationFlags;
import java.io.PrintWriter;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Prints the account of the manager on a worker. */
@Command(
    name = "account",
    header = "Prints the account that a manager needs on a worker.",
    description = {
      "A namespace, a service account, and a role with the rights that a manager uses: Workloads"
          + " and the kinds of jobs that can be sent, and no more. With --config, custom kinds,"
          + " too. Nothing is sent anywhere.",
      "With --namespace, it creates and deletes in those namespaces only. A Job of another"
          + " namespace is not sent to the worker, and the message of its check says so.",
      "The ClusterRole sluice-manager-queues is optional: it lets the manager see why a Workload"
          + " waits there."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  sluice multikueue account | kubectl --context worker-a apply -f -",
      "  sluice multikueue account --namespace team-a --namespace team-b"
    })
@SuppressWarnings("NullAway.Init") // set by picocli before call
final class AccountCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private ConfigurationFlags chosen;

  @Option(
      names = "--namespace",
      paramLabel = "NAMESPACE",
      description = "A namespace that the manager may write in; repeatable. Default: all.")
  private Set<String> namespaces = new TreeSet<>();

  @Override
  public Integer call() {
    var read = chosen.read(Target.Service.DEFAULT.namespace());
    JobSettings settings = JobSettings.of(read.configuration(), read.extensions());
    PrintWriter out = spec.commandLine().getOut();
    out.print(YamlWriter.writeAll(WorkerAccount.documents(settings, namespaces)));
    out.flush();
    return 0;
  }
}
