package dev.sluice.quota;

import static dev.sluice.quota.TestCluster.cpu;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.queue.LocalQueue;
import dev.sluice.quota.amount.FlavorResource;
import dev.sluice.quota.amount.Usage;
import dev.sluice.quota.audit.Audit;
import dev.sluice.quota.cache.NodeSpecReader;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.quota.cycle.Eligibility;
import dev.sluice.quota.device.DeviceCounter;
import dev.sluice.quota.inventory.PodEnvironment;
import dev.sluice.quota.persistent.PersistentMap;
import dev.sluice.quota.queue.PendingQueue;
import dev.sluice.quota.queue.QueueEntry;
import dev.sluice.quota.queue.WaitingOrders;
import dev.sluice.quota.tree.CohortForest;
import dev.sluice.quota.world.QueueRules;
import dev.sluice.quota.world.WorkloadState;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** States that no engine should ever be in. */
class AuditTest {
  private static final FlavorResource CPU = new FlavorResource("default", "cpu");

  private final TestCluster cluster = TestCluster.classical().flavor("default");
  private final CohortForest forest = new CohortForest();
  private PersistentMap<String, QueueEntry> queues = PersistentMap.empty();
  private PersistentMap<String, PersistentMap<ObjectKey, WorkloadState>> holders =
      PersistentMap.empty();
  private PersistentMap<ObjectKey, WorkloadState> workloads = PersistentMap.empty();
  private PersistentMap<ObjectKey, LocalQueue> localQueues = PersistentMap.empty();

  @BeforeEach
  void aQueueWithOneThatHoldsAndOneThatWaits() {
    cluster.queue("q", cpu("4")).running("held", "q", 0, "3").waiting("w", "q", 0, "1");
    var queue = TestCluster.clusterQueue("q", cpu("4"));
    forest.put(NodeSpecReader.of(queue));
    forest.addUsage("q", Usage.of(Map.of(CPU, 3000L)));
    forest.settle();
    queues = queues.with("q", new QueueEntry(new QueueRules(queue), List.of(), PendingQueue.EMPTY));
    for (WorkloadState state : cluster.engine().snapshot(cluster.now()).workloads()) {
      workloads = workloads.with(state.key(), state);
    }
    localQueues =
        localQueues.with(
            TestCluster.key("q"),
            TestCluster.read(
                LocalQueue.class,
                "{'metadata':{'name':'q','namespace':'default'},'spec':{'clusterQueue':'q'}}"));
    hold("q", "held");
  }

  private void hold(String queue, String workload) {
    WorkloadState state = find(workload);
    holders =
        holders.with(
            queue, PersistentMap.<ObjectKey, WorkloadState>empty().with(state.key(), state));
  }

  private WorkloadState find(String workload) {
    WorkloadState state = workloads.find(TestCluster.key(workload));
    if (state == null) {
      throw new AssertionError(workload);
    }
    return state;
  }

  private List<String> findings() {
    return Audit.findings(snapshot());
  }

  private Snapshot snapshot() {
    return new Snapshot(
        forest.trees(),
        queues,
        new WaitingOrders(),
        holders,
        workloads,
        localQueues,
        List.of(),
        null,
        new Eligibility(new DeviceCounter(EngineConfiguration.defaults()), PodEnvironment.EMPTY));
  }

  @Test
  void aSoundStateHasNoFindings() {
    assertThat(Audit.findings(cluster.engine().snapshot(cluster.now()))).isEmpty();
    cluster.rest();
    assertThat(Audit.findings(cluster.engine().snapshot(cluster.now()))).isEmpty();
  }

  @Test
  void whoIsForgottenIsNamed() {
    assertThat(findings())
        .containsExactly("Workload default/w should wait in ClusterQueue q, once");
  }

  @Test
  void usageThatNobodyHoldsIsNamedWithItsQueueAndItsAmounts() {
    workloads = workloads.without(TestCluster.key("w"));
    forest.addUsage("q", Usage.of(Map.of(CPU, 1L)));
    assertThat(findings())
        .containsExactly(
            "ClusterQueue q, default/cpu: usage is kept as 3001, but what counts there is 3000");
  }

  @Test
  void quotaThatIsHeldAndNotCountedIsNamed() {
    workloads = workloads.without(TestCluster.key("w"));
    holders = PersistentMap.empty();
    assertThat(findings())
        .containsExactly(
            "ClusterQueue q, default/cpu: usage is kept as 3000, but what counts there is 0",
            "Workload default/held holds quota that is not counted");
  }

  @Test
  void whoCountsWhereItHoldsNothingIsNamed() {
    hold("q", "w");
    assertThat(findings()).contains("Workload default/w counts in ClusterQueue q wrongly");
  }

  @Test
  void inPiecesItFindsTheSame() {
    hold("q", "w");
    var audit = new Audit(snapshot());
    int pieces = 0;
    while (audit.goOn(1)) {
      pieces++;
    }
    assertThat(pieces).isGreaterThan(3);
    assertThat(audit.findings()).isEqualTo(findings());
  }
}
