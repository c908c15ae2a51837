package dev.sluice.quota.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.read.HubObjects;
import dev.sluice.api.workload.Workload;
import dev.sluice.quota.Change;
import dev.sluice.quota.ObjectKind;
import dev.sluice.quota.TestCluster;
import java.util.Collections;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A Workload that was stored with places that cannot be, beside others. */
class ImpossiblePlacesTest {
  /** What is stored; each is for two pods. */
  enum Stored {
    TWO_BILLION_PODS(
        "{'domainCount':1,'valuesPerLevel':[{'universal':'a'}],"
            + "'podCounts':{'universal':2147483647}}"),
    A_THOUSAND_SLICES_OF_A_HUNDRED_THOUSAND_DOMAINS(
        String.join(
            ",",
            Collections.nCopies(
                1000,
                "{'domainCount':100000,'valuesPerLevel':[{'universal':'a'}],"
                    + "'podCounts':{'universal':1}}"))),
    A_POD_TOO_MANY(
        "{'domainCount':1,'valuesPerLevel':[{'universal':'a'}]," + "'podCounts':{'universal':3}}"),
    LISTS_THAT_DO_NOT_FIT(
        "{'domainCount':2,'valuesPerLevel':[{'individual':{'roots':['a']}}],"
            + "'podCounts':{'universal':1}}"),
    NO_LEVEL_OF_ITS_VALUES("{'domainCount':1,'valuesPerLevel':[],'podCounts':{'universal':2}}");

    private final String slices;

    Stored(String slices) {
      this.slices = slices;
    }
  }

  private final TopologyCluster cluster =
      TopologyCluster.mixed().node("r1", "a", 4).node("r1", "b", 4);

  @BeforeEach
  void someoneRuns() {
    cluster.workload("before", 3, "'required':'kubernetes.io/hostname'");
    assertThat(cluster.placed("before")).isEqualTo("a=3");
  }

  private void store(Stored stored, String more) {
    cluster
        .cluster()
        .apply(
            Change.upserted(
                ObjectKind.WORKLOAD,
                TestCluster.read(
                    Workload.class,
                    """
                    {'metadata':{'name':'bad','namespace':'default','uid':'bad'},
                    'spec':{'queueName':'main','podSets':[{'name':'main','count':2,
                    'topologyRequest':{'required':'kubernetes.io/hostname'},
                    'template':{'spec':{'containers':[{'name':'c',
                    'resources':{'requests':{'cpu':'1'}}}]}}}]},
                    'status':{'conditions':[
                    {'type':'QuotaReserved','status':'True','reason':'r','message':'',
                    'lastTransitionTime':'2026-01-01T11:00:00Z'},
                    {'type':'Admitted','status':'True','reason':'r','message':'',
                    'lastTransitionTime':'2026-01-01T11:00:00Z'}],
                    'admission':{'clusterQueue':'main','podSetAssignments':[{'name':'main',
                    'count':2,'flavors':{'cpu':'tas'},'resourceUsage':{'cpu':'2'},
                    'topologyAssignment':{'levels':['kubernetes.io/hostname'],'slices':[%s]}}]}%s}}\
                    """
                        .formatted(stored.slices, more))));
  }

  private String usage() {
    var snapshot = cluster.cluster().engine().snapshot(cluster.cluster().now());
    return snapshot.standing("main").values().iterator().next().used().toString();
  }

  @ParameterizedTest
  @EnumSource
  void holdsItsQuotaButNoPlaceSoOthersArePlacedAsIfItWereNotThere(Stored stored) {
    store(stored, "");
    cluster.workload("after", 4, "'required':'kubernetes.io/hostname'");
    cluster.workload("last", 1, "'required':'kubernetes.io/hostname'");

    assertThat(cluster.placed("after")).isEqualTo("b=4");
    assertThat(cluster.placed("last")).isEqualTo("a=1");
    assertThat(cluster.cluster().reserved("bad")).isTrue();
    cluster.cluster().delete("after");
    cluster.cluster().delete("last");
    cluster.cluster().delete("before");
    assertThat(usage()).as("its two pods alone").isEqualTo("2000");
    cluster.cluster().delete("bad");
    assertThat(usage()).isEqualTo("0");
  }

  @ParameterizedTest
  @EnumSource
  void isNotReplacedWhereOneOfItsNodesFailedAndKeepsWhatIsStored(Stored stored) {
    store(stored, ",'unhealthyNodes':[{'name':'a'}]");
    Workload before = cluster.cluster().get("bad");

    assertThat(cluster.cluster().cycle().outcomes()).isEmpty();
    assertThat(cluster.cluster().get("bad")).isEqualTo(before);
  }

  @ParameterizedTest
  @EnumSource
  void takesItsPlacesOnceTheyAreMended(Stored stored) {
    store(stored, "");
    store(stored, ",'accumulatedPastExecutionTimeSeconds':1");
    cluster.cluster().apply(Change.upserted(ObjectKind.WORKLOAD, mended()));

    cluster.workload("after", 3, "'required':'kubernetes.io/hostname'");

    assertThat(cluster.placed("after")).as("two of b are taken").isEqualTo("nowhere");
  }

  private Workload mended() {
    Workload bad = cluster.cluster().get("bad");
    return TestCluster.read(
        Workload.class,
        HubObjects.write(bad)
            .toString()
            .replaceAll(
                "\"slices\":\\[.*\\](?=\\}\\}\\])",
                "\"slices\":[{\"domainCount\":1,\"valuesPerLevel\":[{\"universal\":\"b\"}],"
                    + "\"podCounts\":{\"universal\":2}}]"));
  }
}
