package dev.sluice.quota.topology;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.Quantity;
import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.read.HubObjects;
import dev.sluice.api.workload.Workload;
import dev.sluice.quota.Change;
import dev.sluice.quota.ObjectKind;
import dev.sluice.quota.TestCluster;
import dev.sluice.quota.decision.Decision;
import dev.sluice.quota.decision.WakeUp;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What becomes of workloads whose nodes fail, and of those placed after their checks. */
class FailedNodesTest {
  private static final String ADMITTED =
      """
      'conditions':[{'type':'QuotaReserved','status':'True','reason':'QuotaReserved','message':'',
      'lastTransitionTime':'2026-01-01T11:00:00Z'},{'type':'Admitted','status':'True',
      'reason':'Admitted','message':'','lastTransitionTime':'2026-01-01T11:00:00Z'}]\
      """;

  /** Racks rack-1 of a and b, rack-10 of c, two cores each, and a larger one of d. */
  private static TopologyCluster racks(FeatureGate gate, boolean on) {
    return TopologyCluster.with(gate, on)
        .node("rack-1", "a", 2)
        .node("rack-1", "b", 2)
        .node("rack-1", "b2", 2)
        .node("rack-10", "c", 2);
  }

  private static TopologyCluster racks() {
    return racks(FeatureGate.TAS_PROFILE_MIXED, true);
  }

  /** It runs on these hosts, given as {@code host=pods}, and the first one failed. */
  private static void running(
      TopologyCluster cluster, String name, String request, String metadata, String... places) {
    String hosts = "";
    String counts = "";
    int pods = 0;
    for (String place : places) {
      String[] parts = place.split("=", -1);
      hosts += (hosts.isEmpty() ? "'" : ",'") + parts[0] + "'";
      counts += (counts.isEmpty() ? "" : ",") + parts[1];
      pods += Integer.parseInt(parts[1]);
    }
    String status =
        """
        'admission':{'clusterQueue':'main','podSetAssignments':[{'name':'main','count':%d,
        'flavors':{'cpu':'tas'},'resourceUsage':{'cpu':'%d'},'topologyAssignment':{
        'levels':['kubernetes.io/hostname'],'slices':[{'domainCount':%d,
        'valuesPerLevel':[{'individual':{'roots':[%s]}}],'podCounts':{'individual':[%s]}}]}}]},
        %s,'unhealthyNodes':[{'name':'%s'}]\
        """
            .formatted(
                pods, pods, places.length, hosts, counts, ADMITTED, places[0].split("=", -1)[0]);
    var builder = cluster.cluster().workload(name, "main");
    if (!metadata.isEmpty()) {
      builder.metadata(metadata);
    }
    builder
        .podSet("main", pods, ",'topologyRequest':{%s}".formatted(request), "{'cpu':'1'}", "")
        .status(status)
        .put();
  }

  private static final String DEFAULT_CPU =
      "{'limits':[{'type':'Container','defaultRequest':{'cpu':'%d'}}]}";

  /** At a start each kind is listed by itself, and the Workloads may come first. */
  @ParameterizedTest(name = "a default of {0}, then {1}: {2}")
  @CsvSource({"2, 2, nowhere", "1, 1, c=1", "1, 2, c=1"})
  void whoRunsIsCountedWithTheDefaultsThatItsNamespaceHadThoughTheyAreToldOfLater(
      int first, int second, String place) {
    var cluster = racks();
    String placed =
        """
        'admission':{'clusterQueue':'main','podSetAssignments':[{'name':'main','count':1,
        'flavors':{'cpu':'tas'},'resourceUsage':{'cpu':'2'},'topologyAssignment':{
        'levels':['kubernetes.io/hostname'],'slices':[{'domainCount':1,
        'valuesPerLevel':[{'individual':{'roots':['c']}}],'podCounts':{'individual':[1]}}]}}]},%s\
        """
            .formatted(ADMITTED);
    cluster
        .cluster()
        .workload("runs", "main")
        .podSet("main", 1, ",'topologyRequest':{'required':'rack'}", "{}", "")
        .status(placed)
        .put();
    cluster.cluster().limitRange(DEFAULT_CPU.formatted(first));
    cluster.cluster().limitRange(DEFAULT_CPU.formatted(second));

    cluster
        .cluster()
        .workload("next", "main")
        .podSet(
            "main",
            1,
            ",'topologyRequest':{'required':'rack'}",
            "{'cpu':'1'}",
            ",'nodeSelector':{'rack':'rack-10'}")
        .put();

    assertThat(cluster.placed("next")).isEqualTo(place);
  }

  @Test
  void movesThePodsOfAFailedNodeInsideTheRackTheyMustBeIn() {
    var cluster = racks().notReady("rack-1", "a", 2);
    running(cluster, "w", "'required':'rack'", "", "a=2", "b=1");

    assertThat(cluster.placed("w")).isEqualTo("b=1 b2=2");
    assertThat(cluster.cluster().get("w").status().unhealthyNodes()).isEmpty();
    assertThat(cluster.cluster().conditions("w"))
        .containsEntry("QuotaReserved", "True QuotaReserved")
        .containsEntry("Admitted", "True Admitted");
  }

  @Test
  void doesNotTakeARackWhoseNameBeginsAlike() {
    var cluster = racks().notReady("rack-1", "a", 2).notReady("rack-1", "b2", 2);
    running(cluster, "w", "'required':'rack'", "", "a=2", "b=2");

    var decision = cluster.decision("w");

    assertThat(decision).isInstanceOf(Decision.Displaced.class);
    assertThat(cluster.cluster().conditions("w")).containsEntry("Evicted", "True NodeFailures");
  }

  @Test
  void movesPodsAnywhereWhereTheyOnlyPreferToBeTogether() {
    var cluster = racks().notReady("rack-1", "a", 2).notReady("rack-1", "b2", 2);
    running(cluster, "w", "'preferred':'rack'", "", "a=2", "b=2");

    assertThat(cluster.placed("w")).isEqualTo("b=2 c=2");
  }

  @ParameterizedTest(name = "slices of {0}, left {2}: {3}")
  @CsvSource({
    "4, a=2, b=2, b=2 b2=2", // the slice is completed in its rack
    "2, a=2, c=2, b=2 c=2" // a whole slice may go elsewhere: the first that is left with least
  })
  void completesASliceWhereTheRestOfItIs(int size, String lost, String left, String expected) {
    var cluster = racks().notReady("rack-1", "a", 2);
    running(
        cluster,
        "w",
        "'preferred':'block','podSetSliceRequiredTopology':'rack','podSetSliceSize':" + size,
        "",
        lost,
        left);

    assertThat(cluster.placed("w")).isEqualTo(expected);
  }

  /** Seven pods in slices of four, of which the last has three; the first node given failed. */
  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({
    "f=3 a=2 b=2, a=2 b=2 e=3", // the last slice is kept together, though b2 has room for a part
    "c=2 a=2 b=1 c2=2, a=2 b=1 c2=2 c3=2", // the whole slice is completed, not the last one
    "a=2 b=1 c=2 c2=2, b=2 b2=1 c=2 c2=2" // the last one is completed
  })
  void keepsALastSliceOfFewerPodsTogether(String places, String expected) {
    var cluster =
        racks()
            .node("rack-10", "c2", 2)
            .node("rack-10", "c3", 2)
            .node("rack-2", "e", 3)
            .node("rack-3", "f", 3);
    String failed = places.substring(0, places.indexOf('='));
    cluster.notReady(rack(failed), failed, 3);
    running(
        cluster,
        "w",
        "'unconstrained':true,'podSetSliceRequiredTopology':'rack','podSetSliceSize':4",
        "",
        places.split(" ", -1));

    assertThat(cluster.placed("w")).isEqualTo(expected);
  }

  private static String rack(String host) {
    return switch (host.charAt(0)) {
      case 'a', 'b' -> "rack-1";
      case 'c' -> "rack-10";
      default -> "rack-3";
    };
  }

  @Test
  void triesAgainLaterWhereItMustNotFailFast() {
    var cluster =
        racks(FeatureGate.TAS_FAILED_NODE_REPLACEMENT_FAIL_FAST, false)
            .notReady("rack-1", "a", 2)
            .notReady("rack-1", "b2", 2);
    running(cluster, "w", "'required':'rack'", "", "a=2", "b=2");

    var outcome = cluster.cluster().cycle().outcomes().getFirst();

    assertThat(outcome.decision()).isInstanceOf(Decision.Waiting.class);
    assertThat(outcome.wakeUps())
        .contains(new WakeUp.TimeReached(TestCluster.START.plusSeconds(1)));
    assertThat(cluster.cluster().cycle().outcomes()).isEmpty();

    cluster.node("rack-1", "b2", 2);
    cluster.cluster().pass(Duration.ofSeconds(1));
    assertThat(cluster.placed("w")).isEqualTo("b=2 b2=2");
  }

  @Test
  void leavesTheWorkloadOfASinglePodAlone() {
    var cluster = racks().notReady("rack-1", "a", 2);
    running(
        cluster,
        "w",
        "'required':'rack'",
        "'ownerReferences':[{'apiVersion':'v1','kind':'Pod','name':'p','uid':'p'}]",
        "a=1");

    assertThat(cluster.cluster().cycle().outcomes()).isEmpty();
    assertThat(cluster.where("w")).isEqualTo("a=1");
  }

  @Test
  void changesNothingThatRunsWhenANodeBlinks() {
    var cluster = racks().workload("w", 3, "'required':'rack'");
    String before = cluster.placed("w");

    cluster.notReady("rack-1", "a", 2);
    cluster.cluster().rest();
    cluster.noNode("b");
    cluster.cluster().rest();
    cluster.node("rack-1", "a", 2).node("rack-1", "b", 2);
    cluster.cluster().rest();

    assertThat(cluster.where("w")).isEqualTo(before);
    cluster.workload("v", 3, "'required':'rack'");
    assertThat(cluster.placed("v")).isEqualTo("b=1 b2=2"); // what w has is still taken
  }

  /** Its pods moved away from a, which is back, and that is not stored; there is room nowhere. */
  private static TopologyCluster moving() {
    var cluster = racks().notReady("rack-1", "a", 2).pod("other", "c", 2, "", "Running");
    running(cluster, "w", "'required':'rack'", "'resourceVersion':'1'", "a=2", "b=1");
    assertThat(cluster.placed("w")).isEqualTo("b=1 b2=2");
    return cluster.node("rack-1", "a", 2).workload("v", 2, "'required':'rack'");
  }

  @Test
  void givesTheOldPlacesToNobodyBeforeTheMoveIsStored() {
    var cluster = moving();

    assertThat(cluster.placed("v")).isEqualTo("nowhere");
    cluster.cluster().apply(new Change.StatusWriteFailed(TestCluster.key("w")));
    assertThat(cluster.where("w")).isEqualTo("a=2 b=1");
  }

  @Test
  void givesTheOldPlacesToOthersOnceTheMoveIsStored() {
    var cluster = moving();
    assertThat(cluster.placed("v")).isEqualTo("nowhere");

    Workload stored = TestCluster.version(cluster.cluster().get("w"), "2");
    cluster.cluster().apply(Change.upserted(ObjectKind.WORKLOAD, stored));
    cluster.cluster().apply(new Change.StatusStored(TestCluster.key("w")));

    assertThat(cluster.placed("v")).isEqualTo("a=2");
  }

  @Test
  void givesTheOldPlacesToOthersAlsoWhereOnlyTheStorageIsTold() {
    var cluster = moving();
    assertThat(cluster.placed("v")).isEqualTo("nowhere");

    cluster.cluster().apply(new Change.StatusStored(TestCluster.key("w")));

    assertThat(cluster.placed("v")).isEqualTo("a=2");
  }

  @Test
  void placesPodsAfterTheCheckThatMakesTheirNodes() {
    var cluster = TopologyCluster.mixed();
    cluster.provisioning("main", "tas");
    cluster.workload("w", 2, "'required':'rack'");

    assertThat(cluster.placed("w")).isEqualTo("anywhere");
    assertThat(cluster.cluster().conditions("w")).doesNotContainEntry("Admitted", "True Admitted");

    cluster.node("r", "fresh", 2);
    cluster.checksReady("w");
    assertThat(cluster.placed("w")).isEqualTo("fresh=2");
    assertThat(cluster.cluster().conditions("w")).containsEntry("Admitted", "True Admitted");
  }

  @ParameterizedTest(name = "{0} of two pods are done")
  @CsvSource({"0, anywhere, 2", "1, fresh=1, 1"})
  void placesOnlyThePodsThatAreStillNeeded(int done, String places, int counted) {
    var cluster = TopologyCluster.mixed();
    cluster.provisioning("main", "tas");
    cluster.workload("w", 2, "'required':'rack'");
    cluster.cluster().cycle();
    ObjectNode workload = HubObjects.write(cluster.cluster().get("w"));
    ObjectNode pods = workload.withObject("/status").putArray("reclaimablePods").addObject();
    pods.put("name", "main").put("count", done);
    cluster
        .cluster()
        .apply(Change.upserted(ObjectKind.WORKLOAD, HubObjects.read(Workload.class, workload)));

    cluster.node("r", "fresh", 1);
    cluster.checksReady("w");

    assertThat(cluster.placed("w")).isEqualTo(places);
    assertThat(requireNonNull(cluster.cluster().get("w").status().admission()).podSetAssignments())
        .singleElement()
        .satisfies(
            it -> {
              assertThat(it.count()).isEqualTo(counted);
              assertThat(it.resourceUsage()).containsEntry("cpu", Quantity.of(counted));
            });
  }

  @ParameterizedTest(name = "elastic: {0}")
  @CsvSource({"false, nowhere", "true, a=1"})
  void onlyAnElasticJobLeavesThePlacesOfPodsThatItNoLongerAsksFor(boolean elastic, String place) {
    var cluster = TopologyCluster.mixed().node("r", "a", 2);
    var smaller =
        cluster
            .cluster()
            .workload("w", "main")
            .podSet("main", 1, ",'topologyRequest':{'required':'rack'}", "{'cpu':'1'}", "")
            .status(
                """
                'admission':{'clusterQueue':'main','podSetAssignments':[{'name':'main','count':2,
                'flavors':{'cpu':'tas'},'resourceUsage':{'cpu':'2'},'topologyAssignment':{
                'levels':['kubernetes.io/hostname'],'slices':[{'domainCount':1,
                'valuesPerLevel':[{'universal':'a'}],'podCounts':{'universal':2}}]}}]},%s\
                """
                    .formatted(ADMITTED));
    (elastic ? smaller.annotated("kueue.x-k8s.io/elastic-job", "true") : smaller).put();

    cluster.workload("new", 1, "'required':'rack'");

    assertThat(cluster.placed("new")).isEqualTo(place);
  }

  @Test
  void placesPodsAfterTheCheckAlsoWhereTheQueueNowHasAFlavorWithoutTopology() {
    var cluster = TopologyCluster.mixed().node("r", "a", 2);
    cluster.provisioning("main", "tas");
    cluster.workload("w", 2, ""); // asks for nothing: all flavors have a topology
    assertThat(cluster.placed("w")).isEqualTo("anywhere");

    cluster.withPlainFlavor();
    cluster.checksReady("w");

    assertThat(cluster.placed("w")).isEqualTo("a=2");
    assertThat(cluster.cluster().conditions("w")).containsEntry("Admitted", "True Admitted");
    assertThat(cluster.cluster().cycle().outcomes()).as("at rest").isEmpty();
  }

  @Test
  void movesPodsThatNeverAskedForPlacesAlsoWhereTheQueueNowHasAFlavorWithoutTopology() {
    var cluster = racks().notReady("rack-1", "a", 2);
    running(cluster, "w", "", "", "a=2", "b=1");

    cluster.withPlainFlavor();

    assertThat(cluster.placed("w")).doesNotContain("a=");
    assertThat(cluster.cluster().get("w").status().unhealthyNodes()).isEmpty();
  }

  @Test
  void thePodSetsOfAGroupThatLostOneNodeDoNotTakeTheSameRoom() {
    var cluster =
        TopologyCluster.mixed().node("r", "b", 1).node("r", "b2", 1).notReady("r", "a", 2);
    String place =
        """
        {'name':'%s','count':1,'flavors':{'cpu':'tas'},'resourceUsage':{'cpu':'1'},
        'topologyAssignment':{'levels':['kubernetes.io/hostname'],'slices':[{'domainCount':1,
        'valuesPerLevel':[{'universal':'a'}],'podCounts':{'universal':1}}]}}\
        """;
    String request = ",'topologyRequest':{'required':'rack','podSetGroupName':'g'}";
    cluster
        .cluster()
        .workload("w", "main")
        .podSet("leader", 1, request, "{'cpu':'1'}", "")
        .podSet("workers", 1, request, "{'cpu':'1'}", "")
        .status(
            "'admission':{'clusterQueue':'main','podSetAssignments':[%s,%s]},%s,"
                    .formatted(place.formatted("leader"), place.formatted("workers"), ADMITTED)
                + "'unhealthyNodes':[{'name':'a'}]")
        .put();

    assertThat(cluster.placed("w")).isEqualTo("b=1; b2=1");
  }
}
