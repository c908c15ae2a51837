package dev.sluice.multicluster.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.cluster.api.Connection;
import dev.sluice.multicluster.apiserver.MemoryApiServer;
import dev.sluice.multicluster.protocol.QueueState;
import dev.sluice.supervision.Supervisor;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class WorkerQueuesTest {
  private static final Duration AMPLE = Duration.ofSeconds(30);
  private static final Instant NOW = Instant.parse("2026-11-24T10:00:00Z");
  private static final String NAMESPACES = "/api/v1/namespaces";
  private static final String KUEUE = "/apis/kueue.x-k8s.io/v1beta2/";
  private static final String CLUSTER_QUEUES = KUEUE + "clusterqueues";
  private static final String LOCAL_QUEUES = KUEUE + "namespaces/ns/localqueues";

  @TempDir private Path folder;
  private final MemoryApiServer server = new MemoryApiServer();
  private final List<String> told = new CopyOnWriteArrayList<>();
  private Connection connection;
  private WorkerQueues queues;

  @BeforeEach
  void aWorker() {
    connection = Connection.to(server.kubeconfig(folder));
    queues = new WorkerQueues(connection, () -> NOW, told::add, new Supervisor());
  }

  @AfterEach
  void itEnds() {
    queues.close();
    connection.close();
    server.close();
  }

  private void awaitState(QueueState state) {
    await()
        .atMost(AMPLE)
        .untilAsserted(() -> assertThat(queues.state("ns", "lq")).isEqualTo(state));
  }

  private void namespace() {
    server.objects().put(NAMESPACES, "{'metadata': {'name': 'ns'}}");
  }

  private void localQueue() {
    server
        .objects()
        .put(
            LOCAL_QUEUES,
            """
            {'metadata': {'name': 'lq', 'namespace': 'ns',
              'creationTimestamp': '2026-11-24T08:00:00Z'}, 'spec': {'clusterQueue': 'cq'}}\
            """);
  }

  private void clusterQueue(String isActive, String message) {
    server
        .objects()
        .put(
            CLUSTER_QUEUES,
            """
            {'metadata': {'name': 'cq', 'creationTimestamp': '2026-11-24T08:30:00Z'},
             'spec': {'cohortName': 'x'}, 'status': {'conditions': [{'type': 'Active',
              'status': '%s', 'message': '%s', 'lastTransitionTime': '2026-11-24T09:00:00Z'}]}}\
            """
                .formatted(isActive, message));
  }

  @Test
  void whatIsMissingIsToldOneStepAfterTheOther() {
    awaitState(new QueueState.NoNamespace(false));
    namespace();
    awaitState(new QueueState.NoLocalQueue());
    localQueue();
    awaitState(new QueueState.NotActive("ClusterQueue cq", "it is not there"));
    clusterQueue("False", "no flavor");
    awaitState(new QueueState.NotActive("ClusterQueue cq", "no flavor"));
    clusterQueue("True", "");
    awaitState(new QueueState.Active("cq", NOW, "2026-11-24T09:00:00Z"));
    await().atMost(AMPLE).until(() -> told.size() == 4);
    assertThat(told).containsOnly("ns");
  }

  @Test
  void aNamespaceThatGoesIsToldAsSuch() {
    namespace();
    awaitState(new QueueState.NoLocalQueue());

    server
        .objects()
        .edit(
            NAMESPACES + "/ns",
            it ->
                it.withObjectProperty("metadata").put("deletionTimestamp", "2026-11-24T09:00:00Z"));

    awaitState(new QueueState.NoNamespace(true));
    await().atMost(AMPLE).until(() -> told.size() == 2);
  }

  @Test
  void withoutTheRightsNothingIsKnownAndNothingIsWrong() {
    server.answer("GET " + NAMESPACES, MemoryApiServer.Answer.of(403, "no"));
    server.answer("GET " + KUEUE, MemoryApiServer.Answer.of(403, "no"));

    await().atMost(AMPLE).until(() -> server.calls("GET " + KUEUE).size() > 1);

    assertThat(queues.state("ns", "lq")).isInstanceOf(QueueState.Unknown.class);
    assertThat(told).isEmpty();
  }
}
