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

class StopCommandTest {
  private static final String RUNS =
      "\"status\":{\"admission\":{\"clusterQueue\":\"cq\"},\"conditions\":"
          + "[{\"type\":\"QuotaReserved\",\"status\":\"True\"}%s]}";
  private static final String WORKLOADS =
      "{\"items\":["
          + workload("team-a", "runs", RUNS.formatted(""))
          + ","
          + workload("team-b", "runs", RUNS.formatted(""))
          + ","
          + workload(
              "team-a", "ended", RUNS.formatted(",{\"type\":\"Finished\",\"status\":\"True\"}"))
          + ","
          + workload("team-a", "waits", "\"status\":{}")
          + "]}";

  @TempDir private Path folder;
  private List<String> asked = List.of();

  private static String workload(String namespace, String name, String status) {
    return "{\"metadata\":{\"namespace\":\"%s\",\"name\":\"%s\"},\"spec\":{\"queueName\":\"main\"},%s}"
        .formatted(namespace, name, status);
  }

  private static String answer(String path) {
    String object = "{\"metadata\":{\"name\":\"cq\"},\"spec\":{%s},\"status\":{%s}}";
    if (path.endsWith("/workloads")) {
      return WORKLOADS;
    }
    if (path.endsWith("/clusterqueues/stopped")) {
      return object.formatted("\"stopPolicy\":\"Hold\"", "\"pendingWorkloads\":7");
    }
    return path.contains("/workloads/")
        ? workload("team-a", "runs", RUNS.formatted(""))
        : object.formatted("", "\"pendingWorkloads\":7");
  }

  private Commands.Ran run(String stdin, String... command) throws IOException {
    try (PlainServer server = PlainServer.start(StopCommandTest::answer)) {
      List<String> args = new ArrayList<>(List.of(command));
      args.add("--kubeconfig=" + server.kubeconfig(folder));
      Commands.Ran ran = Commands.runWith(stdin, args.toArray(String[]::new));
      asked = server.asked();
      return ran;
    }
  }

  private List<String> patches() {
    return asked.stream().filter(it -> it.startsWith("PATCH")).toList();
  }

  @Test
  void doesNotPromiseToKeepTheQuotaOfAWorkload() throws IOException {
    Commands.Ran ran =
        run("y\n", "stop", "workload", "runs", "-n", "team-a", "--keep-already-running", "-y");

    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.err()).contains("--keep-already-running is for queues");
    assertThat(asked).isEmpty();
  }

  @Test
  void namesWhomItEvictsAndChangesTheQueueOnceTheUserAgrees() throws IOException {
    Commands.Ran ran = run("y\n", "stop", "clusterqueue", "cq");

    assertThat(ran.code()).as(ran.err()).isZero();
    assertThat(ran.out())
        .contains("ClusterQueue cq: stopPolicy None -> HoldAndDrain")
        .contains("2 are evicted: team-a/runs, team-b/runs")
        .contains("7 waiting get no quota until it is resumed")
        .contains("done");
    assertThat(patches()).containsExactly("PATCH /apis/kueue.x-k8s.io/v1beta2/clusterqueues/cq");
  }

  @Test
  void changesNothingIfTheUserDoesNotAgree() throws IOException {
    Commands.Ran ran = run("", "stop", "cq", "cq");

    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err()).contains("nothing was changed");
    assertThat(patches()).isEmpty();
  }

  @Test
  void keepsWhatRunsIfToldSo() throws IOException {
    Commands.Ran ran = run("", "stop", "cq", "cq", "--keep-already-running", "-y");

    assertThat(ran.out())
        .contains("stopPolicy None -> Hold\n")
        .contains("2 keep their quota: team-a/runs, team-b/runs");
    assertThat(patches()).hasSize(1);
  }

  @Test
  void withDryRunOnlyShowsOrAlsoAsksTheApiServer() throws IOException {
    assertThat(run("", "stop", "cq", "cq", "--dry-run", "client").code()).isZero();
    assertThat(patches()).isEmpty();

    assertThat(run("", "stop", "cq", "cq", "--dry-run", "server").out())
        .contains("the API server would accept it");
    assertThat(patches())
        .containsExactly("PATCH /apis/kueue.x-k8s.io/v1beta2/clusterqueues/cq?dryRun=All");
  }

  @Test
  void aStoppedWorkloadIsDeactivated() throws IOException {
    Commands.Ran ran = run("", "stop", "workload", "runs", "-n", "team-a", "-y");

    assertThat(ran.out())
        .contains("Workload team-a/runs: active true -> false")
        .contains("it is evicted");
    assertThat(patches())
        .containsExactly("PATCH /apis/kueue.x-k8s.io/v1beta2/namespaces/team-a/workloads/runs");
  }

  @Test
  void resumesAQueueAndLeavesOneThatIsNotStopped() throws IOException {
    assertThat(run("", "resume", "cq", "stopped", "-y").out())
        .contains("stopPolicy Hold -> None")
        .contains("7 waiting get quota again in their turn");
    assertThat(patches()).hasSize(1);

    assertThat(run("", "resume", "cq", "cq", "-y").out()).contains("stopPolicy is already None");
    assertThat(patches()).isEmpty();
  }
}
