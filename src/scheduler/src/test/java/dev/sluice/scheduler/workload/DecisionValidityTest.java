package dev.sluice.scheduler.workload;

import static dev.sluice.testkit.json.SingleQuoted.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.read.HubObjects;
import dev.sluice.api.workload.Workload;
import dev.sluice.scheduler.engine.StatusUpdate;
import dev.sluice.scheduler.engine.StatusUpdate.Kind;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DecisionValidityTest {
  private static Workload workload(String trueConditions) {
    StringBuilder conditions = new StringBuilder();
    for (String type : trueConditions.split(" ", -1)) {
      conditions.append(conditions.isEmpty() ? "" : ",");
      conditions.append(
          """
          {'type':'%s','status':'True','reason':'R','message':'',
          'lastTransitionTime':'2026-11-21T12:00:00Z'}\
          """
              .formatted(type));
    }
    JsonNode tree =
        json(
            """
            {'metadata':{'name':'w','namespace':'ns','uid':'u'},'spec':{'podSets':[]},
            'status':{'conditions':[%s]}}\
            """
                .formatted(conditions));
    return HubObjects.read(Workload.class, tree);
  }

  @ParameterizedTest
  @CsvSource({
    "QuotaReserved Admitted, true",
    "QuotaReserved Admitted Evicted, false", // by a check, say; that one keeps its reason
    "QuotaReserved Finished, false",
    "Requeued, false"
  })
  void aPreemptionIsStoredOfAWorkloadThatHasQuotaAndIsNotEvictedYet(String latest, boolean holds) {
    Workload base = workload("QuotaReserved Admitted");

    assertThat(
            DecisionValidity.holds(
                new StatusUpdate(Kind.EVICTED, base, base, "cq", List.of(), ""), workload(latest)))
        .isEqualTo(holds);
  }
}
