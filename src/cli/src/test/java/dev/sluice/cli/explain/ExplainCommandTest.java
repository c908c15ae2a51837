package dev.sluice.cli.explain;

import static dev.sluice.cli.explain.LabQueues.HOLDERS;
import static dev.sluice.cli.explain.LabQueues.QUEUES;
import static dev.sluice.cli.explain.LabQueues.workload;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.sluice.cli.Commands;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExplainCommandTest {
  private static final String ALL = QUEUES + HOLDERS + "---\n" + workload("big", 4, 0) + "\n";

  private static JsonNode explained(String manifests, String name) throws IOException {
    Commands.Ran ran = Commands.runWith(manifests, "explain", name, "-f", "-", "-o", "json");
    assertThat(ran.code()).as(ran.err()).isZero();
    return new JsonMapper().readTree(ran.out());
  }

  @Test
  void saysWhatIsShortAtEachLevelOfTheTreeAndWhoHoldsIt() throws IOException {
    JsonNode shortage = explained(ALL, "team/big").at("/shortages/0");

    assertThat(shortage.path("flavor").asText()).isEqualTo("small");
    assertThat(shortage.path("requested").asText()).isEqualTo("4");
    assertThat(shortage.path("free").asText()).isEqualTo("2"); // 10 of the cohort less 3 and 5
    assertThat(shortage.path("scarce").asText()).isEqualTo("Cohort lab");
    assertThat(shortage.path("levels"))
        .hasToString(
            """
            [{"node":"ClusterQueue mine","nominal":"4","used":"3","free":"2"},\
            {"node":"Cohort lab","nominal":"0","used":"8","free":"2"}]\
            """);
    assertThat(shortage.path("holders"))
        .extracting(
            holder -> holder.path("workload").asText() + " " + holder.path("amount").asText())
        .containsExactly("team/other 5", "team/first 3");
  }

  @Test
  void namesTheSmallestChangesAndOnlyThoseThatHelp() throws IOException {
    JsonNode remedies = explained(ALL, "team/big").path("remedies");

    // that other ends is not enough: mine may have 3 more, and 4 are wanted
    assertThat(remedies)
        .extracting(remedy -> remedy.path("change").asText())
        .containsExactly(
            "run with 2 pods in place of 4",
            "Workload team/first ends",
            "in ClusterQueue mine raise the nominalQuota of flavor small: cpu from 4 to 6",
            "give it the priority 1 (it has 0)");
    assertThat(remedies.get(3).path("effect").asText()).contains("team/first");
  }

  @Test
  void triesChangesOfWhatKubectlPrintedToo() throws IOException {
    String printed =
        ALL.replace("namespace: team, owner", "namespace: team, resourceVersion: \"9\", owner");

    assertThat(printed).isNotEqualTo(ALL);
    assertThat(explained(printed, "team/big")).isEqualTo(explained(ALL, "team/big"));
  }

  @Test
  void namesTheEventsThatWakeIt() throws IOException {
    assertThat(explained(ALL, "team/big").path("wakesOn"))
        .extracting(JsonNode::asText)
        .contains(
            "cpu of flavor small is released in the tree of lab, or its quota there changes",
            "ClusterQueue mine comes, changes or becomes active");
  }

  @Test
  void findsAWorkloadByItsJobAndSaysItsPlace() {
    String two = ALL + "---\n" + workload("later", 1, -5) + "\n";

    Commands.Ran ran = Commands.runWith(two, "explain", "team/job-of-later", "-f", "-");

    assertThat(ran.code()).as(ran.err()).isZero();
    assertThat(ran.out())
        .contains("Workload team/later: Pending", "ClusterQueue mine, behind 1 others")
        .contains("as soon as its turn comes")
        .doesNotContain("Any one of these");
  }

  @Test
  void findsTheWorkloadThatAJobOfTheFilesWouldHave() {
    String job =
        """
        apiVersion: batch/v1
        kind: Job
        metadata: {name: train, namespace: team, labels: {kueue.x-k8s.io/queue-name: default}}
        spec: {template: {spec: {containers: [{name: c, resources: {requests: {cpu: 1}}}]}}}
        """;

    Commands.Ran ran = Commands.runWith(ALL + "---\n" + job, "explain", "team/train", "-f", "-");

    assertThat(ran.code()).as(ran.err()).isZero();
    assertThat(ran.out()).matches("(?s)Workload team/job-train-[0-9a-f]{5}: .*");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{clusterQueue: mine} | {clusterQueue: gone} | There is no ClusterQueue gone",
        "{clusterQueue: mine} | {clusterQueue: mine, stopPolicy: Hold} | LocalQueue default is",
        "name: default, | name: another, | There is no LocalQueue default in namespace team",
        "spec: {queueName: default, priority: 0 | spec: {active: false, queueName: default | false",
      })
  void saysWhatKeepsItOutOfAnyQueue(String from, String to, String because) throws IOException {
    assertThat(explained(ALL.replace(from, to), "team/big").path("because").asText())
        .contains(because);
  }

  @Test
  void triesToOpenWhatIsClosed() throws IOException {
    String stopped =
        QUEUES.replace("{clusterQueue: mine}", "{clusterQueue: mine, stopPolicy: Hold}")
            + "---\n"
            + workload("big", 4, 0)
            + "\n";

    assertThat(explained(stopped, "team/big").at("/remedies/0/change").asText())
        .isEqualTo("set spec.stopPolicy of LocalQueue default to None");
  }

  @Test
  void saysOfOneThatHasQuotaThatItHas() throws IOException {
    JsonNode explained = explained(ALL, "team/first");

    assertThat(explained.path("because").asText()).startsWith("It has quota");
    assertThat(explained.path("remedies")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"team/nobody, 1", "nobody, 1", "a/b/c, 2"})
  void refusesANameThatIsNone(String name, int code) {
    Commands.Ran ran = Commands.runWith(ALL, "explain", name, "-f", "-");

    assertThat(ran.code()).isEqualTo(code);
    assertThat(ran.err()).contains(name).doesNotContain("Exception");
  }
}
