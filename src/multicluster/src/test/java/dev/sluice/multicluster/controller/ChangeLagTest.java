package dev.sluice.multicluster.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.ApiKind;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.write.ObjectRef;
import dev.sluice.api.write.Write;
import dev.sluice.multicluster.controller.ChangeLag.RemoteChange;
import dev.sluice.multicluster.protocol.Memory;
import dev.sluice.multicluster.protocol.Plan;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ChangeLagTest {
  private static final ObjectKey WORKLOAD = new ObjectKey("ns", "w");
  private static final Write EVENT =
      new Write.Event(new ObjectRef(ApiKind.WORKLOAD.hub(), "ns", "w", "1"), "Normal", "R", "M");

  private final List<String> recorded = new ArrayList<>();
  private final ChangeLag lag = new ChangeLag((cluster, _) -> recorded.add(cluster));

  private static Plan plan(boolean asks, Write... local) {
    return new Plan(
        Plan.State.OFFERED,
        Map.of(),
        List.of(local),
        List.of(),
        asks ? Set.of(new Plan.Ask("a", ApiKind.WORKLOAD.hub(), "ns", "w")) : Set.of(),
        Optional.empty(),
        "",
        Plan.Stop.NOT_ASKED,
        false,
        List.of(),
        Memory.NONE);
  }

  private void plans(Plan plan) {
    lag.planned(WORKLOAD, lag.unanswered(WORKLOAD), plan);
  }

  @Test
  void aWriteAnswersTheChangesOfAllWorkers() {
    lag.changed("a", WORKLOAD);
    plans(plan(true));
    lag.changed("b", WORKLOAD);
    lag.changed("b", WORKLOAD);

    plans(plan(false, EVENT));
    plans(plan(false, EVENT));

    assertThat(recorded).containsExactly("a", "b");
  }

  @Test
  void aChangeThatNeedsNothingIsNotMeasured() {
    lag.changed("a", WORKLOAD);
    plans(plan(false));

    plans(plan(false, EVENT));

    assertThat(recorded).isEmpty();
  }

  @Test
  void aChangeThatComesWhileItIsPlannedIsForTheNextPlan() {
    lag.changed("a", WORKLOAD);
    List<RemoteChange> before = lag.unanswered(WORKLOAD);
    lag.changed("b", WORKLOAD);

    lag.planned(WORKLOAD, before, plan(false, EVENT));
    plans(plan(false, EVENT));

    assertThat(recorded).containsExactly("a", "b");
  }
}
