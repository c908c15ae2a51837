package dev.sluice.scheduler.engine;

import static dev.sluice.testkit.json.SingleQuoted.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.read.HubObjects;
import dev.sluice.api.workload.Workload;
import org.junit.jupiter.api.Test;

/** Two pods have quota, and one of them is done when the places are found. */
class PlacedQuotaTest {
  private static final String PLACES =
      "'topologyAssignment':{'levels':['kubernetes.io/hostname'],'slices':[]},"
          + "'delayedTopologyRequest':'Ready'";

  private static Workload workload(int count, String more) {
    JsonNode tree =
        json(
            """
            {'metadata':{'name':'w','namespace':'ns'},'spec':{'podSets':[]},'status':{
            'admission':{'clusterQueue':'cq','podSetAssignments':[{'name':'main','count':%d,
            'flavors':{'cpu':'f'},'resourceUsage':{'cpu':'%d'},%s}]}}}\
            """
                .formatted(count, count, more));
    return HubObjects.read(Workload.class, tree);
  }

  @Test
  void onlyThePlacesOfAnAdmissionChange() {
    Workload before = workload(2, "'delayedTopologyRequest':'Pending'");

    assertThat(PlacedQuota.of(before, workload(1, PLACES))).isEqualTo(workload(2, PLACES));
  }

  @Test
  void aDecisionThatKeepsTheQuotaIsStoredAsItIs() {
    Workload before = workload(2, "'delayedTopologyRequest':'Pending'");
    Workload after = workload(2, PLACES);

    assertThat(PlacedQuota.of(before, after)).isSameAs(after);
  }
}
