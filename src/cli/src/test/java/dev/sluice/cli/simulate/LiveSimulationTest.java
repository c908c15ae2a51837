package dev.sluice.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.Commands;
import dev.sluice.testkit.PlainServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LiveSimulationTest {
  private static final String JOB =
      """
      apiVersion: batch/v1
      kind: Job
      metadata: {name: train%s}
      ---
      """;
  private static final String QUEUE =
      """
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: ClusterQueue
      metadata: {name: cq}
      """;

  @TempDir private Path folder;
  private final List<String> asked = new ArrayList<>();
  private final List<String> bodies = new ArrayList<>();

  private Commands.Ran ran(String manifests, String answer, String... more) throws IOException {
    String body =
        """
        {"status":{"asOf":"2026-01-01T12:00:00Z","truncated":false,"outcomes":[{"object":{
        "kind":"Job","namespace":"team-a","name":"train"},"answer":"%s","message":"Too little cpu",
        "podSets":[{"name":"main","count":2,"flavors":{"cpu":"f"}}],"preempts":[{"namespace":null,
        "workloads":3}]}],"delayed":[{"namespace":"b","name":"w","was":"Admitted","now":"Waits"}],
        "usage":[{"clusterQueue":"cq","flavor":"f","resource":"cpu","before":"6","after":"10"}]}}
        """
            .formatted(answer);
    return answered(manifests, body, more);
  }

  private Commands.Ran answered(String manifests, String body, String... more) throws IOException {
    try (PlainServer server = PlainServer.start(_ -> body)) {
      List<String> arguments =
          new ArrayList<>(List.of("simulate", "--live", "-f", "-", "--kubeconfig"));
      arguments.add(server.kubeconfig(folder).toString());
      arguments.addAll(List.of(more));
      Commands.Ran ran = Commands.runWith(manifests, arguments.toArray(String[]::new));
      asked.addAll(server.asked());
      bodies.addAll(server.bodies());
      return ran;
    }
  }

  @ParameterizedTest
  @CsvSource({"Admitted,0", "AdmittedAfterPreemption,1", "Waits,1", "Never,1", "Refused,1"})
  void theExitCodeSaysWhetherAllGetQuotaAtOnce(String answer, int code) throws IOException {
    assertThat(ran(JOB.formatted(""), answer).code()).isEqualTo(code);
  }

  @Test
  void aDocumentThatIsNoObjectIsNamed() throws IOException {
    Commands.Ran ran = ran("- {op: add}\n", "Admitted");

    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err()).contains("{\\\"op\\\":\\\"add\\\"}").contains("is no object");
    assertThat(asked).isEmpty();
  }

  @Test
  void whatIsNoJobIsLeftOutWithANote() throws IOException {
    String others =
        """
        apiVersion: v1
        kind: Namespace
        metadata: {name: team-a}
        ---
        apiVersion: rbac.authorization.k8s.io/v1
        kind: Role
        metadata: {name: r}
        ---
        apiVersion: example.com/v1
        kind: Custom
        metadata: {name: c}
        ---
        """;

    Commands.Ran ran = ran(others + JOB.formatted(""), "Admitted");

    assertThat(ran.code()).isZero();
    assertThat(ran.err()).contains("left out, because they are not jobs: Namespace, Role\n");
    assertThat(bodies.getFirst())
        .contains("\"Job\"", "\"Custom\"")
        .doesNotContain("\"Namespace\"", "\"Role\"");
  }

  @ParameterizedTest
  @ValueSource(strings = {"apiVersion: v1\n", "apiVersion: batch\n", ""})
  void aJobOfAWrongVersionIsNotLeftOut(String version) throws IOException {
    Commands.Ran ran = ran(version + "kind: Job\nmetadata: {name: j}\n", "Admitted");

    assertThat(ran.err()).isEmpty();
    assertThat(bodies.getFirst()).contains("\"Job\"");
  }

  @Test
  void aFolderWithoutJobsIsRefused() throws IOException {
    Commands.Ran ran =
        ran("apiVersion: v1\nkind: Namespace\nmetadata: {name: team-a}\n", "Admitted");

    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err()).contains("nothing to simulate");
    assertThat(asked).isEmpty();
  }

  @Test
  void theReportSaysWhatBecomesOfAll() throws IOException {
    assertThat(ran(JOB.formatted(""), "Waits").out())
        .contains("Job team-a/train: Waits")
        .contains("PodSet main: 2 pods, cpu of flavor f")
        .contains("evicts 3 of other namespaces")
        .contains("b/w: would wait")
        .contains("ClusterQueue cq, cpu of flavor f: 6 -> 10");
    assertThat(ran(JOB.formatted(""), "Waits", "-o", "json").out()).contains("\"truncated\"");
  }

  @Test
  void jobsOfOneNamespaceAreSimulatedThere() throws IOException {
    ran(JOB.formatted("") + JOB.formatted(", namespace: team-a"), "Waits", "-n", "team-a");

    assertThat(asked)
        .containsExactly("POST /apis/view.sluice.dev/v1alpha1/namespaces/team-a/simulations");
  }

  @Test
  void queuesAndSeveralNamespacesNeedTheWholeCluster() throws IOException {
    ran(JOB.formatted("") + QUEUE, "Waits");
    ran(JOB.formatted(", namespace: b") + JOB.formatted(", namespace: c"), "Waits");

    assertThat(asked)
        .hasSize(2)
        .allMatch(it -> it.equals("POST /apis/view.sluice.dev/v1alpha1/clustersimulations"));
  }

  @Test
  void playedForwardTheReportSaysWhenEachGetsQuota() throws IOException {
    String played =
        """
        {"status":{"asOf":"2026-01-01T12:00:00Z","until":"2026-01-01T13:00:00Z","truncated":false,
        "outcomes":[{"object":{"kind":"Job","namespace":"team-a","name":"train"},"answer":"Waits",
        "starts":"2026-01-01T12:20:00Z"}],"delayed":[{"namespace":"b","name":"w",
        "was":"2026-01-01T12:20:00Z","now":"2026-01-01T12:40:00Z"},
        {"namespace":null,"workloads":2,"was":"Later","now":"Waits"}],"usage":[]}}
        """;

    Commands.Ran ran = answered(JOB.formatted(""), played, "--for", "1h");

    assertThat(ran.out())
        .contains("played forward to 2026-01-01T13:00:00Z")
        .contains("  would get quota at 2026-01-01T12:20:00Z")
        .contains("b/w: would get quota at 2026-01-01T12:40:00Z, and not at 2026-01-01T12:20:00Z")
        .contains("2 of other namespaces: would wait");
    assertThat(bodies).singleElement().asString().contains("\"forward\":\"3600000ms\"");
  }

  @Test
  void aTimeWithoutAClusterOrThatIsNoneIsWrongUsage() throws IOException {
    assertThat(Commands.runWith(JOB, "simulate", "-f", "-", "--for", "1h").code()).isEqualTo(2);
    assertThat(ran(JOB.formatted(""), "Waits", "--for", "soon").code()).isEqualTo(2);
  }

  @Test
  void whatIsOnlyForFilesIsWrongUsage() throws IOException {
    assertThat(ran(JOB.formatted(""), "Waits", "--cycles", "3").code()).isEqualTo(2);
    assertThat(ran(JOB.formatted(""), "Waits", "--svg", "x.svg").code()).isEqualTo(2);
  }
}
