package dev.sluice.scheduler.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.core.Node;
import dev.sluice.api.core.Pod;
import dev.sluice.api.flavor.ResourceFlavor;
import dev.sluice.api.flavor.Topology;
import dev.sluice.api.queue.ClusterQueue;
import dev.sluice.api.read.HubObjects;
import dev.sluice.quota.Change;
import dev.sluice.quota.ObjectKind;
import dev.sluice.quota.QuotaEngine;
import dev.sluice.quota.configuration.EngineConfiguration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** When each ClusterQueue is looked at for whether it is active. */
class QueueActivityTest {
  private static final Instant NOW = Instant.parse("2026-01-05T00:00:00Z");

  private final QuotaEngine engine = new QuotaEngine(EngineConfiguration.defaults());

  private <T> QueueActivity after(ObjectKind<T> kind, Class<T> type, String json) {
    T object = HubObjects.read(type, json.replace('\'', '"').getBytes(UTF_8));
    engine.apply(Change.upserted(kind, object), NOW);
    return QueueActivity.of(engine.snapshot(NOW));
  }

  @Test
  void onlyChangesOfWorkloadsPodsAndNodesNeverMakeAQueueActiveOrInactive() {
    assertThat(ObjectKind.all())
        .filteredOn(it -> !QueueActivity.dependsOn(it))
        .containsExactlyInAnyOrder(ObjectKind.WORKLOAD, ObjectKind.POD, ObjectKind.NODE);
  }

  @Test
  void aQueueOfATopologyBecomesActiveWithItsTopologyAndNotWithItsNodes() {
    after(
        ObjectKind.RESOURCE_FLAVOR,
        ResourceFlavor.class,
        "{'metadata':{'name':'f'},'spec':{'nodeLabels':{'pool':'p'},'topologyName':'hall'}}");
    QueueActivity without =
        after(
            ObjectKind.CLUSTER_QUEUE,
            ClusterQueue.class,
            "{'metadata':{'name':'q'},'spec':{'resourceGroups':[{'coveredResources':['cpu'],"
                + "'flavors':[{'name':'f','resources':[{'name':'cpu','nominalQuota':1}]}]}]}}");

    QueueActivity withNode =
        after(
            ObjectKind.NODE,
            Node.class,
            "{'metadata':{'name':'n','labels':{'pool':'p','rack':'r'}},'status':{'allocatable':"
                + "{'cpu':'4','pods':'10'},'conditions':[{'type':'Ready','status':'True'}]}}");
    QueueActivity withPod =
        after(
            ObjectKind.POD,
            Pod.class,
            "{'metadata':{'name':'p','namespace':'default'},'spec':{'nodeName':'n',"
                + "'containers':[{'name':'c','resources':{'requests':{'cpu':'1'}}}]}}");
    QueueActivity withTopology =
        after(
            ObjectKind.TOPOLOGY,
            Topology.class,
            "{'metadata':{'name':'hall'},'spec':{'levels':[{'nodeLabel':'rack'}]}}");

    assertThat(without.changesTo(withNode)).isEmpty();
    assertThat(withNode.changesTo(withPod)).isEmpty();
    assertThat(withPod.changesTo(withTopology)).containsExactly("q");
  }
}
