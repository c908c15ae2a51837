package dev.sluice.quota.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.configuration.FeatureGates;
import dev.sluice.api.core.Node;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.quota.Change;
import dev.sluice.quota.ObjectKind;
import dev.sluice.quota.TestCluster;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.quota.decision.Decision;
import dev.sluice.quota.inventory.Inactivity;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Topologies, flavors and nodes that come, go and change under a queue. */
class TopologyChangesTest {
  private static final String LEVELS = "block rack kubernetes.io/hostname";

  private static TopologyCluster cluster() {
    return TopologyCluster.mixed().node("r1", "a", 2).node("r1", "b", 2);
  }

  private static List<Inactivity> inactivity(TopologyCluster cluster) {
    return cluster.cluster().engine().snapshot(cluster.cluster().now()).inactivity("main");
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "|Topology dc: spec.levels is empty; delete it and create it anew, for levels cannot be"
            + " added",
        "block  kubernetes.io/hostname|Topology dc: spec.levels[1].nodeLabel is empty",
        "rack rack|Topology dc: spec.levels[1].nodeLabel repeats rack",
        "kubernetes.io/hostname rack|Topology dc: spec.levels[0].nodeLabel is"
            + " kubernetes.io/hostname, which can only be the last level",
        "block zone kubernetes.io/hostname|Topology dc: spec.levels[1].nodeLabel zone is on no"
            + " node of ResourceFlavor tas",
      })
  void stopsTheQueueWithASentenceAndGoesOnOnceMended(String levels, String sentence) {
    var cluster = cluster();
    cluster.cluster().flavor("plain").queue("other", groupsOfPlain());

    cluster.topology(levels == null ? "" : levels);
    cluster.workload("w", 2, "'required':'rack'");
    cluster.workload("o", "other", 1, "", "");
    cluster.cluster().rest();

    assertThat(inactivity(cluster))
        .containsExactly(new Inactivity(Inactivity.Reason.TOPOLOGY_NOT_FOUND, "dc", sentence));
    assertThat(cluster.where("w")).isEqualTo("nowhere");
    assertThat(cluster.cluster().reserved("o")).isTrue();

    cluster.topology(LEVELS);
    cluster.cluster().rest();
    assertThat(inactivity(cluster)).isEmpty();
    assertThat(cluster.where("w")).isEqualTo("a=2");
  }

  /** The search stops at the first flavor, which has quota and no room, and goes on behind it. */
  @ParameterizedTest
  @CsvSource({"8, BestEffortFIFO", "2, BestEffortFIFO", "8, StrictFIFO", "2, StrictFIFO"})
  void aNodeOfAnEarlierFlavorWakesAHeadThatFoundNoRoomInAny(int ofSpot, String strategy) {
    TopologyCluster cluster = TopologyCluster.mixed();
    for (String flavor : List.of("reserved", "spot")) {
      cluster
          .cluster()
          .flavor(flavor, "{'topologyName':'dc','nodeLabels':{'pool':'%s'}}".formatted(flavor));
      cluster.node("b", "r-" + flavor, "small-" + flavor, 2, ",'pool':'" + flavor + "'", "");
    }
    cluster
        .cluster()
        .queue(
            "q",
            TestCluster.groups(TestCluster.quota("cpu", "reserved 8", "spot " + ofSpot))
                + ",'queueingStrategy':'%s'".formatted(strategy));
    cluster
        .cluster()
        .workload("w", "q")
        .podSet(
            "main",
            1,
            ",'topologyRequest':{'required':'kubernetes.io/hostname'}",
            "{'cpu':'4'}",
            "")
        .put();
    cluster.cluster().rest();
    assertThat(cluster.where("w")).isEqualTo("nowhere");

    cluster.node("b", "r-reserved", "large", 8, ",'pool':'reserved'", "");
    cluster.cluster().rest();

    assertThat(cluster.where("w")).isEqualTo("large=1");
  }

  @Test
  void asksForNoTopologyWherePodsAreNotPlaced() {
    var cluster =
        new TestCluster(
                EngineConfiguration.defaults()
                    .withGates(
                        FeatureGates.DEFAULT.with(FeatureGate.TOPOLOGY_AWARE_SCHEDULING, false)))
            .flavor("tas", "{'nodeLabels':{'a':'b'},'topologyName':'gone'}")
            .queue("main", TestCluster.groups(TestCluster.quota("cpu", "tas 10")))
            .waiting("w", "main", 0, "2");

    cluster.rest();

    assertThat(cluster.engine().snapshot(cluster.now()).inactivity("main")).isEmpty();
    assertThat(cluster.reserved("w")).isTrue();
  }

  private static String groupsOfPlain() {
    return TestCluster.groups(TestCluster.quota("cpu", "plain 10"));
  }

  @Test
  void keepsWhatRunsInMindWhileATopologyIsRecreated() {
    var cluster = cluster().workload("w", 3, "'required':'rack'");
    cluster.cluster().rest();

    cluster.cluster().gone(ObjectKind.TOPOLOGY, "dc");
    cluster.workload("v", 2, "'required':'rack'");
    cluster.cluster().rest();
    assertThat(inactivity(cluster)).hasSize(1);

    cluster.topology(LEVELS);
    cluster.cluster().rest();
    assertThat(cluster.where("w")).isEqualTo("a=2 b=1");
    assertThat(cluster.where("v")).isEqualTo("nowhere");

    cluster.cluster().delete("w");
    assertThat(cluster.placed("v")).isEqualTo("a=2");
  }

  @Test
  void keepsWhatRunsInMindWhileAFlavorIsRecreated() {
    var cluster = cluster().workload("w", 3, "'required':'rack'");
    cluster.cluster().rest();

    cluster.cluster().gone(ObjectKind.RESOURCE_FLAVOR, "tas");
    cluster.cluster().rest();
    cluster.cluster().flavor("tas", "{'topologyName':'dc'}");
    cluster.workload("v", 2, "'required':'rack'");

    assertThat(cluster.placed("v")).isEqualTo("nowhere");
  }

  @Test
  void givesTheSameForEveryOrderOfEvents() {
    var late = TopologyCluster.mixed().workload("w", 2, "'required':'rack'");
    late.cluster().rest();
    late.node("r2", "c", 2).node("r1", "b", 1).node("r1", "a", 1);
    var early = TopologyCluster.mixed().node("r1", "a", 1).node("r1", "b", 1).node("r2", "c", 2);
    early.workload("w", 2, "'required':'rack'");

    assertThat(late.placed("w")).isEqualTo(early.placed("w")).isEqualTo("a=1 b=1");
  }

  @Test
  void wakesWhoWaitsForRoomWhenANodeComesAndNobodyBefore() {
    var cluster = cluster().workload("w", 5, "'required':'rack'");
    cluster.cluster().rest();
    assertThat(cluster.cluster().inadmissible("main")).containsExactly("w");

    cluster.node("r1", "a", 2); // as it was
    cluster.cluster().rest();
    assertThat(cluster.cluster().inadmissible("main")).containsExactly("w");

    cluster.node("r1", "c", 1);
    assertThat(cluster.placed("w")).isEqualTo("a=2 b=2 c=1");
  }

  @Test
  void wakesWhoWouldTakeQuotaOfOthersAndHadNoRoomThereWhenANodeComes() {
    var cluster = TopologyCluster.mixed().node("r1", "a", 2);
    cluster
        .cluster()
        .queue(
            "main",
            TestCluster.groups(TestCluster.quota("cpu", "tas 3"))
                + ",'preemption':{'withinClusterQueue':'LowerPriority'}");
    onAHost(cluster, "low", 0, "1");
    onAHost(cluster, "high", 10, "1");
    assertThat(cluster.cluster().conditions("low")).containsKey("Admitted");
    assertThat(cluster.cluster().conditions("high")).containsKey("Admitted");

    onAHost(cluster, "w", 10, "2"); // the quota of low would do, the room it leaves would not
    assertThat(cluster.cluster().inadmissible("main")).containsExactly("w");

    cluster.node("r1", "b", 2);
    assertThat(cluster.decision("w")).isInstanceOf(Decision.Preempting.class);
  }

  private static void onAHost(TopologyCluster cluster, String name, int priority, String cpu) {
    cluster
        .cluster()
        .workload(name, "main")
        .priority(priority)
        .podSet(
            "main",
            1,
            ",'topologyRequest':{'required':'kubernetes.io/hostname'}",
            "{'cpu':'%s'}".formatted(cpu),
            "")
        .put();
    cluster.cluster().rest();
  }

  private static void nodeWithoutRack(TopologyCluster cluster, String name) {
    cluster
        .cluster()
        .apply(
            Change.upserted(
                ObjectKind.NODE,
                TestCluster.read(
                    Node.class,
                    "{'metadata':{'name':'%s','labels':{'block':'b','kubernetes.io/hostname':'%1$s'}}}"
                        .formatted(name))));
  }

  @Test
  void saysThatNoNodeHasALevelWhicheverCameFirst() {
    var cluster = TopologyCluster.mixed();
    assertThat(inactivity(cluster)).isEmpty();

    nodeWithoutRack(cluster, "a");
    cluster.cluster().rest();
    assertThat(inactivity(cluster))
        .extracting(Inactivity::message)
        .containsExactly(
            "Topology dc: spec.levels[1].nodeLabel rack is on no node of ResourceFlavor tas");

    cluster.noNode("a");
    cluster.cluster().rest();
    assertThat(inactivity(cluster)).as("there is nothing to tell it by").isEmpty();
  }

  @Test
  void forgetsAnAssignmentThatNamesNothing() {
    var cluster = cluster();
    cluster
        .cluster()
        .workload("broken", "main")
        .pods(1, "{'cpu':'1'}")
        .status(
            """
            'admission':{'clusterQueue':'main','podSetAssignments':[{'name':'main','count':1,
            'flavors':{'cpu':'tas'},'resourceUsage':{'cpu':'1'},'topologyAssignment':{'levels':[],
            'slices':[{'domainCount':3,'valuesPerLevel':[],'podCounts':{}}]}}]},
            'conditions':[{'type':'QuotaReserved','status':'True','reason':'r','message':'',
            'lastTransitionTime':'2026-01-01T11:00:00Z'}]\
            """)
        .put();

    cluster.workload("w", 4, "'required':'rack'");

    assertThat(cluster.placed("w")).isEqualTo("a=2 b=2");
  }

  @Test
  void podsThatOutliveThePlacesOfTheirWorkloadTakeRoomUntilTheyEnd() {
    var cluster = cluster().workload("w", 2, "'required':'kubernetes.io/hostname'");
    assertThat(cluster.placed("w")).isEqualTo("a=2");
    cluster.ours("w-0", "w", "a", "Running").ours("w-1", "w", "a", "Running");
    cluster.workload("v", 2, "'required':'kubernetes.io/hostname'");
    assertThat(cluster.placed("v")).isEqualTo("b=2"); // pods in their places take nothing more

    cluster.cluster().delete("w");
    cluster.workload("u", 2, "'required':'kubernetes.io/hostname'");
    assertThat(cluster.placed("u")).isEqualTo("nowhere");
    cluster.ours("w-0", "w", "a", "Succeeded");
    assertThat(cluster.placed("u")).isEqualTo("nowhere");
    cluster.cluster().apply(new Change.Deleted(ObjectKind.POD, new ObjectKey("default", "w-1")));
    assertThat(cluster.placed("u")).isEqualTo("a=2");
  }
}
