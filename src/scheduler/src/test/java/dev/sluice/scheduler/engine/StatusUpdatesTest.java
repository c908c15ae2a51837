package dev.sluice.scheduler.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.api.read.HubObjects;
import dev.sluice.quota.Change;
import dev.sluice.quota.ObjectKind;
import dev.sluice.quota.QuotaEngine;
import dev.sluice.quota.configuration.EngineConfiguration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The updates that follow from the decisions of a real engine. */
class StatusUpdatesTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Instant T = Instant.parse("2026-11-21T12:00:00Z");

  private final QuotaEngine engine = new QuotaEngine(EngineConfiguration.defaults());

  StatusUpdatesTest() {
    put(ObjectKind.NAMESPACE, "{'metadata':{'name':'ns'}}");
    put(ObjectKind.RESOURCE_FLAVOR, "{'metadata':{'name':'f'},'spec':{}}");
    put(
        ObjectKind.CLUSTER_QUEUE,
        "{'metadata':{'name':'cq'},'spec':{'namespaceSelector':{},"
            + "'preemption':{'withinClusterQueue':'LowerPriority'},"
            + "'resourceGroups':[{'coveredResources':['cpu'],'flavors':[{'name':'f',"
            + "'resources':[{'name':'cpu','nominalQuota':'4'}]}]}]}}");
    put(
        ObjectKind.LOCAL_QUEUE,
        "{'metadata':{'name':'lq','namespace':'ns'},'spec':{'clusterQueue':'cq'}}");
  }

  private <T> void put(ObjectKind<T> kind, String json) {
    try {
      T object = HubObjects.read(kind.type(), JSON.readTree(json.replace('\'', '"')));
      engine.apply(Change.upserted(kind, object), T);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(json, e);
    }
  }

  private void workload(String name, int priority, int cpu) {
    put(
        ObjectKind.WORKLOAD,
        """
        {'metadata':{'name':'%s','namespace':'ns','uid':'u-%1$s'},'spec':{'queueName':'lq',
        'priority':%2$d,'podSets':[{'name':'main','count':1,'template':{'spec':{'containers':[
        {'name':'c','resources':{'requests':{'cpu':'%3$d'}}}]}}}]}}\
        """
            .formatted(name, priority, cpu));
  }

  private List<StatusUpdate> cycle() {
    return StatusUpdates.of(engine.cycle(T));
  }

  private static String summary(StatusUpdate update) {
    return update.kind() + " " + update.workload().name() + " in " + update.clusterQueue();
  }

  @Test
  void aReservationIsStoredWithTheWorkloadThatItWasDecidedAbout() {
    workload("a", 0, 3);

    List<StatusUpdate> updates = cycle();

    assertThat(updates).map(StatusUpdatesTest::summary).containsExactly("RESERVED a in cq");
    StatusUpdate update = updates.getFirst();
    assertThat(update.base().status().admission()).isNull();
    assertThat(update.after().status().admission()).isNotNull();
    assertThat(update.after()).isEqualTo(engine.snapshot(T).workload(update.workload()));
  }

  @Test
  void aVictimIsEvictedBeforeItsPreemptorIsToldAndBothSayHowTheirPrioritiesCompare() {
    workload("low", 0, 3);
    cycle();
    workload("high", 100, 3);

    List<StatusUpdate> updates = cycle();

    assertThat(updates)
        .map(StatusUpdatesTest::summary)
        .containsExactly("EVICTED low in cq", "PENDING high in cq");
    String priorities =
        "preemptor effective priority: 100 (base: 100, boost: 0); "
            + "preemptee effective priority: 0 (base: 0, boost: 0)";
    assertThat(updates.getFirst().priorities()).isEqualTo(priorities);
    assertThat(updates.getLast().made())
        .containsExactly(
            "Preempted workload ns/low (UID: u-low) in ClusterQueue cq; " + priorities);
  }

  @Test
  void aDecisionThatSaysNothingNewIsNotStoredAgain() {
    workload("a", 0, 3);
    workload("b", 0, 3);
    cycle();
    assertThat(cycle()).map(StatusUpdatesTest::summary).containsExactly("PENDING b in cq");
    put(ObjectKind.NAMESPACE, "{'metadata':{'name':'ns','labels':{'k':'v'}}}");

    assertThat(cycle()).isEmpty();
  }
}
