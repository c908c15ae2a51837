package dev.sluice.cli.multikueue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.cli.cluster.Answer;
import dev.sluice.cli.cluster.ApiServer;
import dev.sluice.cli.cluster.ApiServer.Call;
import dev.sluice.cli.cluster.ClusterFlags;
import dev.sluice.manifests.Target;
import dev.sluice.server.program.CommandException;
import dev.sluice.server.wiring.TimeConverter;
import java.io.PrintWriter;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Prints a kubeconfig with which a manager logs in on a worker. */
@Command(
    name = "kubeconfig",
    header = "Prints a kubeconfig with which a manager logs in on a worker.",
    description = {
      "Asks the worker for a token of the account that sluice multikueue account made, and prints"
          + " a kubeconfig with it; with --secret, a Secret for the manager that holds it. stderr"
          + " says when the token expires. Run the command again before then: the manager takes"
          + " over the new token without interruption."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  sluice multikueue kubeconfig --context worker-a > worker-a.yaml",
      "  sluice multikueue kubeconfig --context worker-a --secret worker-a"
          + " | kubectl --context manager apply -f -"
    })
@SuppressWarnings("NullAway.Init") // set by picocli before call
final class KubeconfigCommand implements Callable<Integer> {
  private static final Duration BOUND = Duration.ofSeconds(30);
  private static final Duration SHORTEST = Duration.ofMinutes(10);
  private static final int NOT_FOUND = 404;

  @Spec private CommandSpec spec;
  @Mixin private ClusterFlags cluster;

  @Option(
      names = "--server",
      paramLabel = "URL",
      description =
          "The address of the worker as the manager reaches it (default: the one of the kubeconfig"
              + " that is used).")
  private @Nullable URI server;

  @Option(
      names = "--duration",
      paramLabel = "TIME",
      defaultValue = "720h",
      converter = TimeConverter.class,
      description = "How long the token is asked to last (default: ${DEFAULT-VALUE}).")
  private Duration duration;

  @Option(
      names = "--secret",
      paramLabel = "NAME",
      description = "Prints a Secret of this name that holds the kubeconfig.")
  private @Nullable String secret;

  @Option(
      names = "--namespace",
      paramLabel = "NAME",
      description = "The namespace of the Secret: where Sluice runs (default: sluice-system).")
  private String namespace = Target.Service.DEFAULT.namespace();

  @Override
  public Integer call() {
    if (duration.compareTo(SHORTEST) < 0) {
      throw new ParameterException(
          spec.commandLine(), "--duration: %s (expected: 10m or more)".formatted(duration));
    }
    try (ApiServer worker = cluster.connect()) {
      print(worker, token(worker));
      return 0;
    }
  }

  private JsonNode token(ApiServer worker) {
    Answer answer =
        worker.send(
            Call.post(WorkerAccount.TOKEN_PATH, WorkerAccount.tokenRequest(duration), BOUND));
    if (answer.status() == NOT_FOUND) {
      throw new CommandException(
          ("the worker has no service account %s/%s; make it: sluice multikueue account"
                  + " | kubectl%s apply -f -")
              .formatted(WorkerAccount.NAMESPACE, WorkerAccount.NAME, cluster.asArguments()));
    }
    JsonNode status = answer.json().path("status");
    if (!answer.isSuccess() || !status.path("token").isTextual()) {
      throw new CommandException("the worker gives no token: " + answer.message());
    }
    return status;
  }

  private void print(ApiServer worker, JsonNode token) {
    WorkerKubeconfig kubeconfig =
        new WorkerKubeconfig(
            server == null ? worker.base() : server,
            worker.authorities(),
            worker.serverName(),
            token.path("token").asText());
    PrintWriter out = spec.commandLine().getOut();
    out.print(secret == null ? kubeconfig.yaml() : kubeconfig.secret(namespace, secret));
    out.flush();
    PrintWriter err = spec.commandLine().getErr();
    err.println(
        "the token expires at " + token.path("expirationTimestamp").asText("an unknown time"));
    err.flush();
  }
}
