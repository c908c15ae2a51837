package dev.sluice.quota.preempt;

import static dev.sluice.quota.TestCluster.cpu;
import static dev.sluice.quota.TestCluster.victims;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.configuration.Scheduling.FairSharing;
import dev.sluice.quota.TestCluster;
import dev.sluice.quota.configuration.EngineConfiguration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The worked examples of preemption by fair shares. */
class FairPreemptionTest {
  private static final String POLICY =
      ",'cohortName':'root','preemption':"
          + "{'reclaimWithinCohort':'Any','withinClusterQueue':'LowerPriority'}";

  private final TestCluster cluster =
      new TestCluster(EngineConfiguration.defaults().withFairSharing(FairSharing.BOTH))
          .flavor("default");

  @BeforeEach
  void threeQueuesOfThree() {
    for (String queue : List.of("a", "b", "c")) {
      cluster.queue(queue, cpu("3") + POLICY);
    }
  }

  private void running(String queue, String... amounts) {
    for (int i = 0; i < amounts.length; i++) {
      cluster.running(queue + i, queue, 0, amounts[i]);
    }
  }

  private List<String> incoming(String queue, String amount) {
    cluster.waiting("new", queue, 0, amount);
    return victims(cluster.cycle(), "new");
  }

  @Test
  void withinItsQuotaAQueueTakesBackWithoutComparing() {
    running("a", "1", "1", "1");
    running("b", "1", "1", "1", "1", "1");
    running("c", "1");

    assertThat(incoming("c", "1")).containsExactly("b4 InCohortReclamation");
  }

  @Test
  void takesFromWhoStillHasAsLargeAShareAfterwards() {
    running("a", "1", "1", "1");
    running("b", "1", "1", "1", "1", "1");
    running("c", "1");

    assertThat(incoming("a", "1")).containsExactly("b4 InCohortFairSharing");
  }

  @Test
  void doesNotTakeWhereSharesWouldOnlySwap() {
    running("a", "1", "1", "1");
    running("b", "1", "1", "1", "1", "1");
    running("c", "1");

    assertThat(incoming("a", "2")).isEmpty();
  }

  @Test
  void passesOverWorkloadsWhoseEndWouldLeaveTooLittle() {
    running("b", "2", "1", "2");
    running("c", "1");

    assertThat(incoming("a", "3500m")).containsExactly("b1 InCohortFairSharing");
  }

  @Test
  void theSecondStrategyTakesFromWhoHadMore() {
    running("b", "2", "2500m");
    running("c", "2", "2500m");

    assertThat(incoming("a", "3500m"))
        .hasSize(2)
        .allSatisfy(victim -> assertThat(victim).endsWith("InCohortFairSharing"))
        .anySatisfy(victim -> assertThat(victim).startsWith("b"))
        .anySatisfy(victim -> assertThat(victim).startsWith("c"));
  }

  @Test
  void aQueueOfWeightZeroThatBorrowsTakesFromNobodyWithAClaim() {
    cluster.queue("a", cpu("3") + POLICY + ",'fairSharing':{'weight':'0'}");
    running("a", "1", "1", "1");
    running("b", "1", "1", "1", "1", "1");
    running("c", "1");

    assertThat(incoming("a", "1")).isEmpty();
  }

  @Test
  void amongQueuesOfWeightZeroTheUnweightedSharesDecide() {
    for (String queue : List.of("a", "b")) {
      cluster.queue(queue, cpu("3") + POLICY + ",'fairSharing':{'weight':'0'}");
    }
    running("a", "1", "1", "1");
    running("b", "1", "1", "1", "1", "1");
    running("c", "1");
    assertThat(incoming("a", "1")).containsExactly("b4 InCohortFairSharing");
  }
}
