package dev.sluice.quota.preempt;

import static dev.sluice.quota.TestCluster.cpu;
import static dev.sluice.quota.TestCluster.victims;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.quota.TestCluster;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The worked examples of classical preemption. */
class ClassicalPreemptionTest {
  private static final String IN_COHORT = ",'cohortName':'top'";
  private static final String RECLAIM_ANY = ",'preemption':{'reclaimWithinCohort':'Any'}";

  private final TestCluster cluster = TestCluster.classical().flavor("default");

  @ParameterizedTest
  @CsvSource({
    "2, 'c1 InCohortReclamation'",
    "3, 'c1 InCohortReclamation,c3 InCohortReclamation'",
    "4, 'c1 InCohortReclamation,c2 InCohortReclamation,c3 InCohortReclamation'"
  })
  void takesAwayNoMoreThanItNeeds(String wanted, String expected) {
    cluster
        .queue("a", cpu("6") + IN_COHORT + RECLAIM_ANY)
        .queue("b", cpu("6") + IN_COHORT)
        .queue("c", cpu("0") + IN_COHORT)
        .running("a0", "a", 0, "2")
        .running("b0", "b", 0, "6")
        .running("c1", "c", 0, "2")
        .running("c2", "c", 5, "1")
        .running("c3", "c", 0, "1")
        .waiting("new", "a", 0, wanted);

    assertThat(String.join(",", victims(cluster.cycle(), "new"))).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({"50, 'b1 InCohortReclaimWhileBorrowing'", "5, ''"})
  void theThresholdProtectsImportantWorkloadsFromThoseThatBorrow(int threshold, String expected) {
    cluster
        .queue(
            "a",
            cpu("4")
                + IN_COHORT
                + ",'preemption':{'reclaimWithinCohort':'LowerPriority','borrowWithinCohort':"
                + "{'policy':'LowerPriority','maxPriorityThreshold':%d}}".formatted(threshold))
        .queue("b", cpu("4") + IN_COHORT)
        .queue("c", cpu("4") + IN_COHORT)
        .running("a0", "a", 200, "4")
        .running("b1", "b", 10, "2")
        .running("b2", "b", 60, "2")
        .running("b3", "b", 200, "4")
        .waiting("new", "a", 100, "2");

    assertThat(String.join(",", victims(cluster.cycle(), "new"))).isEqualTo(expected);
  }

  @Test
  void aQueueWithinItsQuotaIsNeverTakenFrom() {
    cluster
        .queue("a", cpu("4") + IN_COHORT + RECLAIM_ANY)
        .queue("b", cpu("4") + IN_COHORT)
        .queue("c", cpu("0") + IN_COHORT)
        .running("b0", "b", 0, "4")
        .running("c0", "c", 9, "4")
        .waiting("new", "a", 0, "4");

    assertThat(victims(cluster.cycle(), "new")).containsExactly("c0 InCohortReclamation");
  }

  @ParameterizedTest
  @CsvSource({"LowerPriority, false", "LowerOrNewerEqualPriority, true", "Never, false"})
  void ofEqualPriorityOnlyANewerOneMayGiveWay(String policy, boolean preempts) {
    cluster.queue("a", cpu("4") + ",'preemption':{'withinClusterQueue':'%s'}".formatted(policy));
    var older = cluster.workload("older", "a").cpu("4");
    cluster.running("newer", "a", 0, "4");
    older.put();

    assertThat(victims(cluster.cycle(), "older"))
        .isEqualTo(preempts ? List.of("newer InClusterQueue") : List.of());
  }

  @Test
  void aVictimIsToldForWhomByWhatRightAndWhereBothAre() {
    cluster
        .queue("a", cpu("4") + IN_COHORT + RECLAIM_ANY)
        .queue("c", cpu("0") + IN_COHORT)
        .running("c0", "c", 9, "4")
        .waiting("new", "a", 0, "4");

    cluster.cycle();

    String uid = cluster.get("new").metadata().uid();
    assertThat(cluster.get("c0").status().conditions())
        .filteredOn(it -> it.type().equals("Preempted") || it.type().equals("Evicted"))
        .hasSize(2)
        .allSatisfy(
            it ->
                assertThat(it.message())
                    .isEqualTo(
                        "Preempted to accommodate a workload (UID: "
                            + uid
                            + ", JobUID: UNKNOWN) due to reclamation within the cohort;"
                            + " preemptor path: /top/a; preemptee path: /top/c"));
  }

  @Test
  void aVictimKeepsItsQuotaUntilItIsGoneAndThePreemptorComesNext() {
    cluster
        .queue("a", cpu("4") + ",'preemption':{'withinClusterQueue':'LowerPriority'}")
        .running("low", "a", 0, "4")
        .waiting("high", "a", 1, "4");
    cluster.cycle();
    assertThat(cluster.conditions("low"))
        .containsEntry("Evicted", "True Preempted")
        .containsEntry("Preempted", "True InClusterQueue")
        .containsEntry("QuotaReserved", "True QuotaReserved");
    assertThat(cluster.conditions("high"))
        .containsEntry("QuotaReserved", "False WaitingForPreemptedWorkloads");

    cluster.rest();
    cluster.delete("low");
    cluster.rest();

    assertThat(cluster.reserved("high")).isTrue();
  }
}
