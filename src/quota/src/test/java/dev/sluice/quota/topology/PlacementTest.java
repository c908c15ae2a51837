package dev.sluice.quota.topology;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.configuration.FeatureGate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where pods go: the examples of the reference, 6.7 and 6.8, and what follows from its rules. */
class PlacementTest {
  private static final String HOST = "kubernetes.io/hostname";

  /** Racks r1 of two nodes with 2 cores each, r2 of one with 3, r3 of one with 6. */
  private static TopologyCluster threeRacks() {
    return TopologyCluster.mixed()
        .node("r1", "x1", 2)
        .node("r1", "x2", 2)
        .node("r2", "x3", 3)
        .node("r3", "x4", 6);
  }

  @ParameterizedTest(name = "{0} pods, {1} rack: {2}")
  @CsvSource({
    "3, required, x3=3", // the rack that is left with least
    "4, required, x1=2 x2=2",
    "5, required, x4=5",
    "6, required, x4=6",
    "7, required, nowhere",
    "8, preferred, x3=2 x4=6", // the whole of the largest, then the one left with least
    "13, preferred, x1=2 x2=2 x3=3 x4=6",
    "14, preferred, nowhere"
  })
  void fillsRacksAsTightlyAsItCan(int pods, String manner, String expected) {
    var cluster = threeRacks().workload("w", pods, "'%s':'rack'".formatted(manner));

    assertThat(cluster.placed("w")).isEqualTo(expected);
  }

  @Test
  void prefersOneRackToTwoBelowARequiredBlock() {
    var cluster = TopologyCluster.mixed().node("r1", "x3", 2).node("r2", "x5", 2);
    for (String host : new String[] {"x1", "x2", "x4", "x6"}) {
      cluster.node("r3", host, 1);
    }

    cluster.workload("w", 4, "'required':'block'");

    assertThat(cluster.placed("w")).isEqualTo("x1=1 x2=1 x4=1 x6=1");
  }

  @ParameterizedTest(name = "{0} pods: {1}")
  @CsvSource({"1, a=1", "2, b=2", "3, a=1 b=2", "5, a=1 b=2 c=2", "6, nowhere"})
  void usesUpTheFullestNodesWhereNothingHasToBeTogether(int pods, String expected) {
    var cluster = TopologyCluster.mixed().node("r", "a", 1).node("r", "b", 2).node("r", "c", 2);

    cluster.workload("w", pods, "'unconstrained':true");

    assertThat(cluster.placed("w")).isEqualTo(expected);
  }

  @Test
  void takesTheNodeLeftWithLeastWhereTheMixedProfileIsOff() {
    var cluster =
        TopologyCluster.with(FeatureGate.TAS_PROFILE_MIXED, false)
            .node("r", "a", 1)
            .node("r", "b", 2)
            .node("r", "c", 4);

    cluster.workload("w", 5, "'unconstrained':true");

    assertThat(cluster.placed("w")).isEqualTo("a=1 c=4");
  }

  @Test
  void placesPodsThatAskForNothingInAQueueWithTopologiesOnly() {
    var cluster = TopologyCluster.mixed().node("r", "a", 1).node("r", "b", 2);

    cluster.workload("w", 2, "");

    assertThat(cluster.placed("w")).isEqualTo("b=2");
  }

  @Test
  void fillsNodesByTheSlicesInsideARacksSlice() {
    var cluster =
        TopologyCluster.mixed()
            .node("r1", "x1", 1)
            .node("r1", "x2", 4)
            .node("r2", "x3", 3)
            .node("r2", "x4", 4);

    cluster.workload(
        "w",
        8,
        "'required':'block','podsetSliceRequiredTopologyConstraints':"
            + "[{'topology':'rack','size':4},{'topology':'%s','size':2}]".formatted(HOST));

    assertThat(cluster.placed("w")).isEqualTo("x2=4 x3=2 x4=2");
  }

  @Test
  void keepsEachSliceInOneRack() {
    var cluster = TopologyCluster.mixed().node("r1", "a", 7).node("r2", "b", 6).node("r3", "c", 3);

    cluster.workload(
        "w", 8, "'required':'block','podSetSliceRequiredTopology':'rack','podSetSliceSize':4");

    assertThat(cluster.placed("w")).isEqualTo("a=4 b=4");
  }

  @Test
  void aMissingLevelOfInnerSlicesFailsThePlacementAndNotTheFlavor() {
    var cluster = TopologyCluster.mixed().node("r1", "a", 8);

    cluster.workload(
        "w",
        8,
        "'required':'block','podsetSliceRequiredTopologyConstraints':"
            + "[{'topology':'rack','size':4},{'topology':'zone','size':2}]");

    assertThat(cluster.placed("w")).isEqualTo("nowhere");
    assertThat(cluster.message("w")).contains("has no level zone");
    assertThat(cluster.reason("w")).isEqualTo("False TopologyPlacementFailed");
  }

  @ParameterizedTest(name = "{0} in slices of {1} by {2}: {3}")
  @CsvSource({
    "rack, 4, block, which is not below the level of the PodSet",
    "block, 4, zone, has no level zone",
    "zone, 4, rack, has no level zone",
    "block, 0, rack, slices of 0 pods",
  })
  void saysWhatIsWrongWithARequest(String level, int size, String slice, String problem) {
    var cluster = TopologyCluster.mixed().node("r1", "a", 8);

    cluster.workload(
        "w",
        8,
        "'required':'%s','podSetSliceRequiredTopology':'%s','podSetSliceSize':%d"
            .formatted(level, slice, size));

    assertThat(cluster.placed("w")).isEqualTo("nowhere");
    assertThat(cluster.message("w")).contains(problem);
  }

  @Test
  void placesALeaderAndItsWorkersInOneRack() {
    var cluster = TopologyCluster.mixed().node("r1", "a", 4).node("r2", "b", 3).node("r2", "c", 2);
    cluster
        .cluster()
        .workload("w", "main")
        .podSet(
            "leader",
            1,
            ",'topologyRequest':{'required':'rack','podSetGroupName':'g'}",
            "{'cpu':'1'}",
            "")
        .podSet(
            "workers",
            4,
            ",'topologyRequest':{'required':'rack','podSetGroupName':'g'}",
            "{'cpu':'1'}",
            "")
        .put();

    assertThat(cluster.placed("w")).isEqualTo("b=1; b=2 c=2");
  }

  @ParameterizedTest(name = "{0} cores of {1}: {2}")
  @CsvSource({
    "25, 15 15, n0=13 n1=12",
    "23, 15 13 10, n0=12 n1=11",
    "9, 10 9 15, n1=9",
    "31, 15 15, nowhere"
  })
  void givesEqualPartsWherePlacementIsBalanced(int pods, String sizes, String expected) {
    var cluster = TopologyCluster.with(FeatureGate.TAS_BALANCED_PLACEMENT, true);
    String[] all = sizes.split(" ", -1);
    for (int i = 0; i < all.length; i++) {
      cluster.node("r", "n" + i, Integer.parseInt(all[i]));
    }

    cluster.workload("w", pods, "'preferred':'%s'".formatted(HOST));

    assertThat(cluster.placed("w")).isEqualTo(expected);
  }

  @Test
  void namesWholePathsWhereTheSmallestDomainsAreNotNodes() {
    var cluster =
        TopologyCluster.mixed().topology("block rack").node("r1", "a", 1).node("r1", "b", 2);

    cluster.workload("w", 3, "'required':'rack'");

    assertThat(cluster.placed("w")).isEqualTo("b/r1=3");
  }

  @ParameterizedTest(name = "{0}: {2}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "taint|'taints':[{'key':'k','value':'v','effect':'NoSchedule'}]|b=1|taint {k=v:NoSchedule}",
        "cordon|'unschedulable':true|b=1|not ready",
      })
  void keepsPodsOffNodesThatDoNotTakeThem(String what, String spec, String expected, String why) {
    var cluster = TopologyCluster.mixed().node("b", "r", "a", 9, "", spec).node("r", "b", 1);
    cluster.workload("w", 1, "'required':'rack'").workload("v", 9, "'required':'rack'");

    assertThat(cluster.placed("w")).isEqualTo(expected);

    cluster.cluster().rest();
    assertThat(cluster.message("v")).contains(why);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "'nodeSelector':{'gpu':'yes'}|b=1",
        "'tolerations':[{'key':'k','operator':'Exists'}]|a=1",
        "'affinity':{'nodeAffinity':{'requiredDuringSchedulingIgnoredDuringExecution':"
            + "{'nodeSelectorTerms':[{'matchExpressions':[{'key':'gpu','operator':'In',"
            + "'values':['yes']}]}]}}}|b=1",
        "'affinity':{'nodeAffinity':{'requiredDuringSchedulingIgnoredDuringExecution':"
            + "{'nodeSelectorTerms':[{'matchFields':[{'key':'metadata.name','operator':'In',"
            + "'values':['c']}]}]}}}|c=1",
      })
  void asksNodesForWhatThePodSelects(String pod, String expected) {
    var cluster =
        TopologyCluster.mixed()
            .node("b", "r", "a", 1, "", "'taints':[{'key':'k','effect':'NoExecute'}]")
            .node("b", "r", "b", 3, ",'gpu':'yes'", "")
            .node("r", "c", 2);

    cluster.workload("w", "main", 1, "'unconstrained':true", "," + pod);

    assertThat(cluster.placed("w")).isEqualTo(expected);
  }

  @Test
  void countsPodsThatAreNotOursUntilTheyEnd() {
    var cluster = TopologyCluster.mixed().node("r", "a", 4).pod("p", "a", 3, "", "Running");
    cluster.workload("w", 2, "'required':'rack'");

    assertThat(cluster.placed("w")).isEqualTo("nowhere");

    cluster.pod("p", "a", 3, "", "Succeeded");
    assertThat(cluster.placed("w")).isEqualTo("a=2");
  }

  @Test
  void doesNotCountPodsThatWerePlacedByTopologyTwice() {
    var cluster =
        TopologyCluster.mixed()
            .node("r", "a", 4)
            .pod(
                "p",
                "a",
                3,
                ",'annotations':{'kueue.x-k8s.io/podset-required-topology':'rack'}",
                "Running");

    cluster.workload("w", 4, "'required':'rack'");

    assertThat(cluster.placed("w")).isEqualTo("a=4");
  }

  @Test
  void booksANodeOnceForFlavorsThatShareIt() {
    var cluster = TopologyCluster.mixed().node("r", "a", 4);
    cluster.cluster().flavor("other", "{'topologyName':'dc'}");
    cluster.queue("second", "other");
    cluster.workload("w", "main", 3, "'required':'rack'", "");
    cluster.workload("v", "second", 3, "'required':'rack'", "");

    cluster.cluster().cycle();

    assertThat(cluster.where("w")).isEqualTo("a=3");
    assertThat(cluster.where("v")).isEqualTo("nowhere");

    cluster.cluster().delete("w");
    assertThat(cluster.placed("v")).isEqualTo("a=3");
  }

  @Test
  void explainsWithTheCountsOfTheBestDomain() {
    var cluster = threeRacks().workload("w", 7, "'required':'rack'");

    cluster.cluster().rest();

    assertThat(cluster.reason("w")).isEqualTo("False TopologyPlacementFailed");
    assertThat(cluster.message("w"))
        .contains("Topology dc")
        .contains("rack b/r3 holds 6 of 7 pods")
        .contains("4 domains of level kubernetes.io/hostname");
  }

  @Test
  void waitsForRoomWhenOnlyOthersAreInTheWay() {
    var cluster = threeRacks().workload("first", 6, "'required':'rack'");
    cluster.cluster().cycle();

    cluster.workload("w", 5, "'required':'rack'");
    cluster.cluster().rest();

    assertThat(cluster.reason("w")).isEqualTo("False WaitingForQuota");
    assertThat(cluster.message("w")).contains("holds 4 of 5 pods");
  }

  @ParameterizedTest(name = "by prefix {0}: {1} slices")
  @CsvSource({"true, 2", "false, 1"})
  void cutsAnAssignmentByTheNamesOfHostsUnlessItMustNot(boolean byPrefix, int slices) {
    var cluster =
        TopologyCluster.with(FeatureGate.TAS_ASSIGNMENTS_ENCODING_BY_HOSTNAME_PREFIX, byPrefix);
    for (String pool : new String[] {"a-pool-of-small-hosts-", "another-pool-of-large-hosts-"}) {
      for (int i = 0; i < 5; i++) {
        cluster.node("r", pool + i, 1);
      }
    }

    cluster.workload("w", 10, "'required':'rack'");
    cluster.cluster().cycle();

    var admission = requireNonNull(cluster.cluster().get("w").status().admission());
    var topology = admission.podSetAssignments().getFirst().topologyAssignment();
    assertThat(requireNonNull(topology).slices()).hasSize(slices);
  }
}
