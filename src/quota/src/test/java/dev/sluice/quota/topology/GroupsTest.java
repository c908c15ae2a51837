package dev.sluice.quota.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.configuration.Scheduling.Requeuing;
import dev.sluice.api.configuration.Scheduling.WaitForPodsReady;
import dev.sluice.api.core.Node;
import dev.sluice.quota.Change;
import dev.sluice.quota.ObjectKind;
import dev.sluice.quota.TestCluster;
import dev.sluice.quota.configuration.EngineConfiguration;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * PodSets of one group, one of which leads, and what pods would like of nodes. The worlds are
 * worked out by hand.
 */
class GroupsTest {
  private static TopologyCluster nodes(TopologyCluster cluster, String nodes) {
    for (String node : nodes.split(" ", -1)) {
      String[] part = node.split("[/=]", -1);
      cluster.node(part[0], part[1], Integer.parseInt(part[2]));
    }
    return cluster;
  }

  private static void group(
      TopologyCluster cluster, String name, String request, String first, String second) {
    var builder = cluster.cluster().workload(name, "main");
    int number = 0;
    for (String podSet : new String[] {first, second}) {
      String[] part = podSet.split(" x ", -1);
      builder.podSet(
          "s" + number++,
          Integer.parseInt(part[0]),
          ",'topologyRequest':{%s,'podSetGroupName':'g'}".formatted(request),
          "{'cpu':'%s'}".formatted(part[1]),
          "");
    }
    builder.put();
  }

  @ParameterizedTest(name = "{0} and {1}, {2}, on {3}: {4}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        // the leader takes two pods' room of a, which still is the largest
        "1 x 2|3 x 1|'required':'rack'|r/a=4 r/b=2|a=1; a=2 b=1",
        // of equal ones the second leads: it goes where it costs the first no room
        "1 x 2|1 x 1|'required':'rack'|r/a=2 r/b=1|a=1; b=1",
        // r1 has room for the workers, but not for the leader beside them
        "1 x 1|4 x 1|'required':'rack'|r1/a=4 r2/b=5|b=1; b=4",
        "4 x 1|1 x 1|'required':'rack'|r1/a=4 r2/b=5|b=4; b=1",
        // no rack has room for all: the block has, and the leader is in the first of the largest
        // racks
        "1 x 1|6 x 1|'required':'block'|r1/a=3 r2/b=3 r3/c=2|a=1; a=2 b=3 c=1",
        "1 x 1|6 x 1|'preferred':'rack'|r1/a=3 r2/b=3 r3/c=2|a=1; a=2 b=3 c=1",
        "1 x 1|6 x 1|'required':'rack'|r1/a=3 r2/b=3 r3/c=2|nowhere",
        // the fullest nodes first, and of them the one that is left with least takes the leader
        "1 x 1|4 x 1|'unconstrained':true|r1/a=3 r1/b=3 r1/c=2|c=1; a=3 c=1",
        // nobody has room for the leader
        "1 x 5|2 x 1|'required':'rack'|r/a=4 r/b=4|nowhere",
        // the leader asks for nothing that is scarce
        "1 x 0|4 x 1|'required':'kubernetes.io/hostname'|r/a=4 r/b=5|a=1; a=4",
      })
  void aLeaderIsCountedFirstAndIsWhereItsWorkersAre(
      String first, String second, String request, String nodes, String expected) {
    var cluster = nodes(TopologyCluster.mixed(), nodes);

    group(cluster, "w", request, first, second);

    assertThat(cluster.placed("w")).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({"2 x 1, 2 x 1", "3 x 1, 2 x 1"})
  void aGroupWithoutASinglePodIsRefused(String first, String second) {
    var cluster = nodes(TopologyCluster.mixed(), "r/a=9");

    group(cluster, "w", "'required':'rack'", first, second);

    assertThat(cluster.placed("w")).isEqualTo("nowhere");
    assertThat(cluster.message("w")).contains("group g has no PodSet with one pod");
  }

  /** The leader does not request the resource with which the search begins. */
  @Test
  void aGroupWithoutRoomInTheFirstFlavorIsPlacedInTheSecond() {
    var cluster = twoPools(EngineConfiguration.defaults());
    String request = ",'topologyRequest':{'required':'rack','podSetGroupName':'g'}";
    cluster
        .cluster()
        .workload("w", "both")
        .podSet("leader", 1, request, "{'cpu':'1'}", "")
        .podSet("workers", 4, request, "{'cpu':'1','memory':'1'}", "")
        .put();

    cluster.cluster().rest();

    assertThat(cluster.where("w")).isEqualTo("b=1; b=4");
  }

  /** Queue {@code both} has flavor {@code one} with little room, and {@code two} with more. */
  private static TopologyCluster twoPools(EngineConfiguration configuration) {
    var cluster = new TopologyCluster(configuration);
    for (String pool : List.of("one", "two")) {
      cluster
          .cluster()
          .flavor(pool, "{'topologyName':'dc','nodeLabels':{'pool':'%s'}}".formatted(pool));
    }
    cluster
        .cluster()
        .queue(
            "both",
            """
            'resourceGroups':[{'coveredResources':['cpu','memory'],'flavors':[
            {'name':'one','resources':[{'name':'cpu','nominalQuota':'99'},
            {'name':'memory','nominalQuota':'99'}]},
            {'name':'two','resources':[{'name':'cpu','nominalQuota':'99'},
            {'name':'memory','nominalQuota':'99'}]}]}]\
            """);
    withMemory(cluster, "a", "one", 2);
    withMemory(cluster, "b", "two", 9);
    return cluster;
  }

  @Test
  void whoFoundRoomInALaterFlavorAndWaitsForPodsOfAnotherStaysWithIt() {
    var requeuing =
        new Requeuing(false, OptionalInt.empty(), Duration.ofMinutes(1), Duration.ofHours(1));
    var waits = new WaitForPodsReady(Duration.ofMinutes(5), Duration.ofMinutes(5), true, requeuing);
    var cluster = twoPools(EngineConfiguration.defaults().withWaitForPodsReady(waits));
    cluster.cluster().waiting("first", "main", 0, "1");
    String request = ",'topologyRequest':{'required':'rack'}";
    cluster.cluster().workload("w", "both").podSet("main", 4, request, "{'cpu':'1'}", "").put();

    cluster.cluster().rest();

    assertThat(cluster.cluster().reserved("first")).isTrue();
    assertThat(cluster.reason("w")).isEqualTo("False WaitingForPodsReady");
  }

  private static void withMemory(TopologyCluster cluster, String host, String pool, int amount) {
    cluster
        .cluster()
        .apply(
            Change.upserted(
                ObjectKind.NODE,
                TestCluster.read(
                    Node.class,
                    """
                    {'metadata':{'name':'%1$s','labels':{'block':'b','rack':'r-%1$s','pool':'%2$s',
                    'kubernetes.io/hostname':'%1$s'}},'status':{'allocatable':{'cpu':'%3$d',
                    'memory':'%3$d','pods':'110'},
                    'conditions':[{'type':'Ready','status':'True'}]}}\
                    """
                        .formatted(host, pool, amount))));
  }

  @Test
  void theFilterOfAGroupIsThatOfItsWorkers() {
    var cluster = TopologyCluster.mixed().node("b", "r", "a", 4, ",'disk':'ssd'", "");
    cluster.node("r", "b", 4);
    String request = ",'topologyRequest':{'required':'rack','podSetGroupName':'g'}";
    cluster
        .cluster()
        .workload("w", "main")
        .podSet("leader", 1, request, "{'cpu':'1'}", "")
        .podSet("workers", 3, request, "{'cpu':'1'}", ",'nodeSelector':{'disk':'ssd'}")
        .put();

    assertThat(cluster.placed("w")).isEqualTo("a=1; a=3");
  }

  /** Node b is liked; a is left with less. */
  @ParameterizedTest(name = "liking counts {0}, {1} pods: {2}")
  @CsvSource({"false, 2, a=2", "true, 2, b=2", "true, 4, a=1 b=3", "false, 4, a=1 b=3"})
  void whatPodsWouldLikeComesFirstWhereItCounts(boolean counts, int pods, String expected) {
    var cluster = TopologyCluster.with(FeatureGate.TAS_RESPECT_NODE_AFFINITY_PREFERRED, counts);
    cluster.node("r", "a", 2).node("b", "r", "b", 3, ",'disk':'ssd'", "");

    cluster.workload(
        "w",
        "main",
        pods,
        "'preferred':'kubernetes.io/hostname'",
        """
        ,'affinity':{'nodeAffinity':{'preferredDuringSchedulingIgnoredDuringExecution':[
        {'weight':10,'preference':{'matchExpressions':[
        {'key':'disk','operator':'In','values':['ssd']}]}}]}}\
        """);

    assertThat(cluster.placed("w")).isEqualTo(expected);
  }
}
