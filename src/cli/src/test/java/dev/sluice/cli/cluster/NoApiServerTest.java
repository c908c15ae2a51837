package dev.sluice.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.Commands;
import dev.sluice.cli.Commands.Ran;
import dev.sluice.cluster.access.ClusterAccess;
import dev.sluice.testkit.PlainServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What people read whose API server does not run, or whose kubeconfig names another server. */
class NoApiServerTest {
  @TempDir private Path folder;
  private Path kubeconfig = Path.of("");
  private String address = "";

  /** The port was free a moment ago, and nobody listens there now. */
  @BeforeEach
  void nobodyListens() throws IOException {
    try (PlainServer server = PlainServer.start(_ -> "")) {
      kubeconfig = server.kubeconfig(folder);
      address = ClusterAccess.of(kubeconfig).server().toString();
    }
  }

  private Ran run(String command) throws IOException {
    Path job =
        Files.writeString(
            folder.resolve("job.yaml"),
            """
            apiVersion: batch/v1
            kind: Job
            metadata: {name: train, namespace: team-a, labels: {kueue.x-k8s.io/queue-name: main}}
            spec:
              template:
                spec:
                  restartPolicy: Never
                  containers: [{name: main, image: main, resources: {requests: {cpu: 1}}}]
            """);
    List<String> args = new ArrayList<>(List.of(command.replace("JOB", "" + job).split(" ", -1)));
    args.add("--kubeconfig=" + kubeconfig);
    return Commands.run(args.toArray(String[]::new));
  }

  /** Every command that asks a cluster and does not stay. */
  private static List<String> commands() {
    return List.of(
        "queue",
        "queue main -n team-a",
        "queue -c main",
        "top",
        "history team-a/train",
        "stop localqueue main -y",
        "resume clusterqueue main -y",
        "forecast team-a/train",
        "forecast --score",
        "report",
        "explain team-a/train",
        "explain team-a/train --local",
        "simulate --live -f JOB",
        "dashboard --no-browser",
        "doctor",
        "takeover --check",
        "shadow --for 1s",
        "multikueue kubeconfig",
        "install --diff",
        "migrate --patience 0s",
        "migrate --hand-back --patience 0s");
  }

  @ParameterizedTest
  @MethodSource("commands")
  void theCommandSaysWhichServerRefusedTheConnection(String command) throws IOException {
    Ran ran = run(command);

    assertThat(ran.code()).isOne();
    assertThat(ran.out() + ran.err())
        .contains("connection refused")
        .contains(command.startsWith("shadow") ? "could not be listed" : address)
        .doesNotContain("internal error");
  }

  @ParameterizedTest
  @MethodSource("commands")
  void whereAnotherServerAnswersTheCommandSaysSo(String command) throws IOException {
    try (PlainServer server = PlainServer.start(_ -> "<html>It works!</html>")) {
      kubeconfig = server.kubeconfig(folder);

      Ran ran = run(command);

      assertThat(ran.out() + ran.err())
          .contains(
              command.matches("(shadow|install) .*")
                  ? "answer"
                  : "%s is not an API server: it answers with a web page"
                      .formatted(ClusterAccess.of(kubeconfig).server()))
          .doesNotContain("internal error");
      assertThat(ran.code()).isOne();
    }
  }

  @Test
  void aMigrationThatTriesAgainSaysSo() throws IOException {
    Ran ran = run("migrate --patience 2s");

    assertThat(ran.code()).isOne();
    assertThat(ran.err().lines())
        .first()
        .asString()
        .contains(address, "connection refused; retrying for up to 2 s");
  }
}
