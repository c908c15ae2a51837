package dev.sluice.cli.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.Commands;
import dev.sluice.testkit.PlainServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class QueueCommandTest {
  private static final String LINE =
      """
      {"kind":"QueueLine","asOf":"2026-01-01T12:00:00Z","total":6,"offset":1,"items":[
      {"namespace":null,"workloads":2,"ahead":1},
      {"namespace":"team-a","name":"job-train","localQueue":"main","priority":5,
       "reason":"Pending","since":"2026-01-01T11:30:00Z","ahead":3,"aheadInLocalQueue":0}]}
      """;

  private static final String STANDING =
      """
      {"kind":"Standing","items":[{"kind":"Cohort","name":"org","waiting":3,"quotas":[],
      "children":[{"kind":"ClusterQueue","name":"team-a","inactive":"there is no ResourceFlavor f","waiting":3,
      "quotas":[
      {"flavor":"f","resource":"cpu","nominal":"8","used":"10","borrowed":"2","lent":"0",
       "available":"1"},
      {"flavor":"f","resource":"memory","nominal":"1Gi","used":"512Mi","borrowed":"0",
       "lent":"256Mi","available":"512Mi"}]}]}]}
      """;

  private static final String LOCAL_QUEUES =
      """
      {"items":[{"metadata":{"namespace":"team-a","name":"main"},"spec":{"clusterQueue":"cq"},
      "status":{"pendingWorkloads":2,"admittedWorkloads":1,"conditions":[{"type":"Active",
      "status":"False","message":"Can't submit new workloads"}]}}]}
      """;

  @TempDir private Path folder;
  private List<String> asked = List.of();

  private Commands.Ran run(String answer, String... command) throws IOException {
    try (PlainServer server = PlainServer.start(_ -> answer)) {
      List<String> args = new ArrayList<>(List.of(command));
      args.add("--kubeconfig=" + server.kubeconfig(folder));
      Commands.Ran ran = Commands.run(args.toArray(String[]::new));
      asked = server.asked();
      return ran;
    }
  }

  @Test
  void showsTheLineOfALocalQueueWithWhoIsAheadForHowLongAndWhy() throws IOException {
    Commands.Ran ran = run(LINE, "queue", "main", "-n", "team-a", "--offset", "1");

    assertThat(ran.code()).as(ran.err()).isZero();
    assertThat(ran.out().lines().map(it -> it.replaceAll(" {2,}", "|")))
        .containsExactly(
            "POSITION|WORKLOAD|LOCALQUEUE|PRIORITY|WAITING|REASON",
            "1|2 of other namespaces",
            "3|team-a/job-train|main|5|30m|Pending",
            "3 of 6");
    assertThat(asked)
        .containsExactly(
            "GET /apis/view.sluice.dev/v1alpha1/namespaces/team-a/localqueues/main/line"
                + "?limit=100&offset=1");
  }

  @Test
  void aGroupToActAsNeedsAUserAndATimeIsATime() throws IOException {
    Commands.Ran group = run(LINE, "queue", "main", "--as-group", "batch");
    Commands.Ran time = run(LINE, "queue", "main", "--request-timeout", "soon");
    Commands.Ran both =
        run(LINE, "queue", "main", "--as", "mia", "--as-group", "batch", "--request-timeout=5s");

    assertThat(group.code()).isEqualTo(2);
    assertThat(group.err()).contains("--as-group: there is no user to act as (expected: --as)");
    assertThat(time.code()).isEqualTo(2);
    assertThat(time.err()).contains("--request-timeout", "'soon' (expected: a time such as 30s)");
    assertThat(both.code()).as(both.err()).isZero();
  }

  @Test
  void showsTheLineOfAClusterQueue() throws IOException {
    Commands.Ran ran = run(LINE, "queue", "-c", "cq", "-o", "json");

    assertThat(ran.code()).as(ran.err()).isZero();
    assertThat(ran.out()).contains("\"total\" : 6");
    assertThat(asked)
        .containsExactly(
            "GET /apis/view.sluice.dev/v1alpha1/clusterqueues/cq/line?limit=100&offset=0");
  }

  @Test
  void listsLocalQueuesWithWhatKeepsOneFromBeingUsed() throws IOException {
    Commands.Ran ran = run(LOCAL_QUEUES, "queue", "-A");

    assertThat(ran.code()).as(ran.err()).isZero();
    assertThat(ran.out().lines().map(it -> it.replaceAll(" {2,}", "|")))
        .containsExactly(
            "NAMESPACE|NAME|CLUSTERQUEUE|PENDING|ADMITTED|ACTIVE",
            "team-a|main|cq|2|1|no: Can't submit new workloads");
    assertThat(asked).containsExactly("GET /apis/kueue.x-k8s.io/v1beta2/localqueues?limit=500");
  }

  @Test
  void aLocalQueueOfAllNamespacesIsWrongUsage() throws IOException {
    Commands.Ran ran = run(LINE, "queue", "main", "-A");

    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.err()).contains("main: a LocalQueue has one namespace");
  }

  @Test
  void aPageOfTheListOfQueuesIsWrongUsage() throws IOException {
    Commands.Ran ran = run(LOCAL_QUEUES, "queue", "-A", "--limit", "5");

    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.err()).contains("--limit: pages the line of one queue");
    assertThat(asked).isEmpty();
  }

  @Test
  void topShowsTheTreeOfCohortsWithOneLineForEachResource() throws IOException {
    Commands.Ran ran = run(STANDING, "top");

    assertThat(ran.code()).as(ran.err()).isZero();
    assertThat(ran.out().lines().map(it -> it.strip().replaceAll(" {2,}", "|")))
        .containsExactly(
            "QUEUE|WAITING|FLAVOR|RESOURCE|USED|NOMINAL|BORROWED|LENT|AVAILABLE",
            "cohort org|3",
            "team-a (inactive: there is no ResourceFlavor f)|3|f|cpu|10|8|2|0|1",
            "f|memory|512Mi|1Gi|0|256Mi|512Mi");
    assertThat(asked).containsExactly("GET /apis/view.sluice.dev/v1alpha1/standing");
  }

  @Test
  void historyShowsWhatHasHappenedToAWorkload() throws IOException {
    Commands.Ran ran =
        run(
            """
            {"kind":"Timeline","items":[
            {"at":"2026-01-01T11:30:00Z","type":"Created","value":"True","reason":"","message":""},
            {"at":"2026-01-01T11:31:00Z","type":"QuotaReserved","value":"False",
             "reason":"WaitingForQuota","message":"1 more needed"}]}
            """,
            "history",
            "team-a/train");

    assertThat(ran.code()).as(ran.err()).isZero();
    assertThat(ran.out().lines().map(it -> it.replaceAll(" {2,}", "|")))
        .containsExactly(
            "TIME|WHAT|VALUE|REASON|MESSAGE",
            "2026-01-01T11:30:00Z|Created|True",
            "2026-01-01T11:31:00Z|QuotaReserved|False|WaitingForQuota|1 more needed");
    assertThat(asked)
        .containsExactly(
            "GET /apis/view.sluice.dev/v1alpha1/namespaces/team-a/workloads/train/timeline");
  }
}
