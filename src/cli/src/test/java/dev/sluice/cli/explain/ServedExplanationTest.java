package dev.sluice.cli.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.Commands;
import dev.sluice.testkit.PlainServer;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServedExplanationTest {
  private static final String EXPLANATION =
      """
      {"kind":"Explanation","asOf":"2026-01-01T12:00:00Z","workload":{"namespace":"team-a",
      "name":"job-train"},"phase":"Pending","localQueue":"team","clusterQueue":"cq","ahead":2,
      "because":"Too little cpu","shortages":[{"podSet":"main","flavor":"f","resource":"cpu",
      "requested":"4","free":"1","scarce":"ClusterQueue cq","levels":[{"node":"ClusterQueue cq",
      "nominal":"8","used":"7","free":"1"}],"holders":[{"namespace":"team-a","name":"own",
      "clusterQueue":"cq","priority":3,"amount":"2"},{"namespace":null,"workloads":2,
      "amount":"5"}]}],"wakesOn":["quota is released"],"remedies":[{"change":"a workload ends",
      "effect":"it has quota"}],"forecast":{"status":"Window","from":"2026-01-01T13:00:00Z",
      "likely":"2026-01-01T13:10:00Z","until":"2026-01-01T13:30:00Z","score":{"starts":10,
      "within":8}}}
      """;

  @TempDir private Path folder;

  @Test
  void theAnswerOfAServerIsPrintedAsIfItWereFoundHere() throws IOException {
    try (PlainServer server = PlainServer.start(_ -> EXPLANATION)) {
      Commands.Ran ran =
          Commands.run(
              "explain", "team-a/train", "--kubeconfig", server.kubeconfig(folder).toString());

      assertThat(ran.code()).as(ran.err()).isZero();
      assertThat(ran.err()).contains("answered by the server of view.sluice.dev");
      assertThat(ran.out())
          .contains("Workload team-a/job-train: Pending")
          .contains("ClusterQueue cq, behind 2 others")
          .contains("held by team-a/own in cq: 2 (priority 3)")
          .contains("held by 2 of other namespaces: 5")
          .contains("a workload ends: it has quota")
          .containsPattern("Forecast: quota between [-: \\d]+0 and [-: \\d]+0, most likely ")
          .contains("; 8 of the last 10 starts were in their bands");
      assertThat(server.asked())
          .containsExactly(
              "GET /apis/view.sluice.dev/v1alpha1/namespaces/team-a/workloads/train/explanation");
    }
  }

  @Test
  void withLocalNoServerIsAsked() throws IOException {
    try (PlainServer server = PlainServer.start(_ -> "{\"items\":[]}")) {
      Commands.Ran ran =
          Commands.run(
              "explain",
              "team-a/train",
              "--local",
              "--kubeconfig",
              server.kubeconfig(folder).toString());

      assertThat(ran.code()).isEqualTo(1);
      assertThat(ran.err()).contains("team-a/train: there is no Workload of this name");
      assertThat(server.asked()).isNotEmpty().noneMatch(it -> it.contains("view.sluice.dev"));
    }
  }
}
