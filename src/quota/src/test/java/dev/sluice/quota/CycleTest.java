package dev.sluice.quota;

import static dev.sluice.quota.TestCluster.cpu;
import static dev.sluice.quota.TestCluster.groups;
import static dev.sluice.quota.TestCluster.quota;
import static dev.sluice.quota.TestCluster.victims;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.check.AdmissionCheck;
import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.configuration.FeatureGates;
import dev.sluice.api.configuration.Scheduling.Requeuing;
import dev.sluice.api.configuration.Scheduling.WaitForPodsReady;
import dev.sluice.api.workload.Workload;
import dev.sluice.quota.assign.Head;
import dev.sluice.quota.assign.Placement;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.quota.decision.CycleResult;
import dev.sluice.quota.decision.Decision;
import dev.sluice.quota.decision.Decision.Skipped.Because;
import dev.sluice.quota.decision.Outcome;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Several heads in one cycle, and what stands in their status afterwards. */
class CycleTest {
  private static final String IN_COHORT = ",'cohortName':'c'";

  private final TestCluster cluster = TestCluster.classical().flavor("default");

  private static Decision decision(CycleResult result, String workload) {
    return result.outcomes().stream()
        .filter(o -> o.workload().name().equals(workload))
        .map(Outcome::decision)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void ofTwoThatWantTheLastUnitOneIsServedAndTheOtherSkipped() {
    cluster
        .queue("a", cpu("0") + IN_COHORT)
        .queue("b", cpu("0") + IN_COHORT)
        .queue("lender", cpu("1") + IN_COHORT)
        .waiting("first", "a", 0, "1")
        .waiting("second", "b", 0, "1");

    CycleResult result = cluster.cycle();

    assertThat(cluster.reserved("first")).isTrue();
    assertThat(decision(result, "second"))
        .isInstanceOfSatisfying(
            Decision.Skipped.class, d -> assertThat(d.because()).isEqualTo(Because.NO_LONGER_FITS));
    assertThat(cluster.pending("b")).containsExactly("second");
    assertThat(cluster.conditions("second"))
        .containsEntry("QuotaReserved", "False WaitingForQuota");
  }

  @Test
  void whoBorrowsLessGoesFirst() {
    cluster
        .queue("a", cpu("0") + IN_COHORT)
        .queue("b", cpu("1") + IN_COHORT)
        .waiting("borrower", "a", 9, "1")
        .waiting("owner", "b", 0, "1");

    cluster.cycle();

    assertThat(cluster.reserved("owner")).isTrue();
    assertThat(cluster.reserved("borrower")).isFalse();
  }

  @Test
  void aVerdictThatSaysNothingNewLeavesTheWorkloadTheVerySame() {
    cluster
        .queue("q", cpu("1") + ",'preemption':{'withinClusterQueue':'LowerPriority'}")
        .running("low", "q", 0, "1")
        .waiting("high", "q", 9, "1");
    assertThat(victims(cluster.cycle(), "high")).containsExactly("low InClusterQueue");
    Workload first = cluster.get("high");

    assertThat(victims(cluster.cycle(), "high")).containsExactly("low InClusterQueue");

    assertThat(cluster.get("high")).isSameAs(first);
  }

  @Test
  void twoPreemptorsNeverCountOnTheSameVictim() {
    String reclaims = ",'cohortName':'c','preemption':{'reclaimWithinCohort':'Any'}";
    cluster
        .queue("a", cpu("2") + reclaims)
        .queue("b", cpu("2") + reclaims)
        .queue("borrower", cpu("0") + IN_COHORT)
        .running("x", "borrower", 0, "2")
        .running("y", "borrower", 0, "2")
        .waiting("first", "a", 0, "2")
        .waiting("second", "b", 0, "2");

    CycleResult result = cluster.cycle();

    assertThat(victims(result, "first")).containsExactly("y InCohortReclamation");
    assertThat(victims(result, "second")).containsExactly("x InCohortReclamation");
  }

  @Test
  void whatAnotherPreemptsAnywayMayBeEnoughForBoth() {
    String reclaims = ",'cohortName':'c','preemption':{'reclaimWithinCohort':'Any'}";
    cluster
        .queue("a", cpu("2") + reclaims)
        .queue("b", cpu("2") + reclaims)
        .queue("borrower", cpu("0") + IN_COHORT)
        .running("x", "borrower", 0, "4")
        .waiting("first", "a", 0, "2")
        .waiting("second", "b", 0, "2");

    CycleResult result = cluster.cycle();

    assertThat(victims(result, "first")).containsExactly("x InCohortReclamation");
    assertThat(decision(result, "second")).isInstanceOf(Decision.Deferred.class);
    assertThat(cluster.conditions("second"))
        .containsEntry("QuotaReserved", "False WaitingForPreemptedWorkloads");
  }

  @ParameterizedTest
  @CsvSource({"Any, true", "LowerPriority, false"})
  void whatCannotBeReclaimedLaterIsKeptFromOthersInTheCycle(String policy, boolean othersGetIt) {
    cluster
        .queue(
            "a",
            cpu("2")
                + ",'cohortName':'c','preemption':{'reclaimWithinCohort':'%s'}".formatted(policy))
        .queue("b", cpu("1") + IN_COHORT)
        .running("high", "b", 9, "2")
        .waiting("entitled", "a", 5, "2")
        .waiting("borrower", "b", 0, "1");
    cluster.running("own", "a", 9, "0");

    cluster.cycle();

    assertThat(cluster.reserved("borrower")).isEqualTo(othersGetIt);
  }

  /**
   * Queue a uses eight and may use three, since its limit was lowered. Its head finds nothing to
   * preempt, so what the limit leaves is reserved for it: minus five. As in Kueue, less quota then
   * becomes free for others when the victim is gone.
   */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aQueueBeyondItsLimitThatCannotReclaimLeavesLessToOthersOfTheCycle(boolean itWaits) {
    cluster
        .queue("a", cpu("2 1") + IN_COHORT)
        .queue("b", cpu("6") + ",'cohortName':'c','preemption':{'reclaimWithinCohort':'Any'}")
        .queue("late", cpu("0") + IN_COHORT)
        .queue("spare", cpu("2") + IN_COHORT)
        .running("victim", "a", 0, "6")
        .running("other", "a", 5, "2")
        .waiting("owner", "b", 5, "4")
        .waiting("third", "late", 3, "2");
    if (itWaits) {
      cluster.waiting("beyond", "a", 4, "1");
    }

    CycleResult result = cluster.cycle();

    assertThat(victims(result, "owner")).containsExactly("victim InCohortReclamation");
    assertThat(cluster.reserved("third")).isEqualTo(!itWaits);
  }

  @Test
  void quotaComesBeforeAdmissionWhereChecksAreToBeMade() {
    cluster.apply(
        Change.upserted(
            ObjectKind.ADMISSION_CHECK,
            TestCluster.read(
                AdmissionCheck.class,
                """
                {'metadata':{'name':'check'},'spec':{'controllerName':'x'},'status':{'conditions':[
                {'type':'Active','status':'True','reason':'Active','message':'',
                'lastTransitionTime':'2026-01-01T00:00:00Z'}]}}\
                """)));
    cluster
        .queue("q", cpu("4") + ",'admissionChecksStrategy':{'admissionChecks':[{'name':'check'}]}")
        .waiting("unlisted", "q", 0, "1");
    cluster.workload("listed", "q").cpu("1").status(check("Pending")).put();
    cluster.workload("ready", "q").cpu("1").status(check("Ready")).put();
    cluster.workload("rejected", "q").cpu("1").status(check("Rejected")).put();

    cluster.rest();

    assertThat(cluster.conditions("unlisted"))
        .isEqualTo(Map.of("QuotaReserved", "True QuotaReserved"));
    assertThat(cluster.conditions("listed"))
        .containsEntry("QuotaReserved", "True QuotaReserved")
        .containsEntry("Admitted", "False UnsatisfiedAdmissionChecks");
    assertThat(cluster.conditions("ready")).containsEntry("Admitted", "True Admitted");
    assertThat(cluster.conditions("rejected"))
        .containsEntry("QuotaReserved", "False PendingEvaluation");
  }

  private static String check(String state) {
    return """
    'admissionChecks':[{'name':'check','state':'%s','message':'',
    'lastTransitionTime':'2026-01-01T00:00:00Z'}]\
    """
        .formatted(state);
  }

  private static TestCluster without(FeatureGate gate) {
    return new TestCluster(
        EngineConfiguration.defaults().withGates(FeatureGates.DEFAULT.with(gate, false)));
  }

  @Test
  void coarseReasonsWhereGranularOnesAreNotAskedFor() {
    var coarse =
        without(FeatureGate.UNADMITTED_WORKLOADS_OBSERVABILITY)
            .flavor("default")
            .queue("q", cpu("1"))
            .waiting("w", "q", 0, "2");

    coarse.cycle();

    assertThat(coarse.conditions("w")).isEqualTo(Map.of("QuotaReserved", "False Pending"));
  }

  /** Nobody is admitted while Pods of another are not ready. */
  private static TestCluster oneAtATime() {
    var requeuing =
        new Requeuing(false, OptionalInt.empty(), Duration.ofMinutes(1), Duration.ofHours(1));
    var waits = new WaitForPodsReady(Duration.ofMinutes(5), Duration.ofMinutes(5), true, requeuing);
    return new TestCluster(EngineConfiguration.defaults().withWaitForPodsReady(waits));
  }

  @Test
  void nothingIsAdmittedWhilePodsOfAnotherAreNotReadyIfConfiguredSo() {
    var waiting =
        oneAtATime()
            .flavor("default")
            .queue("q", cpu("4"))
            .waiting("first", "q", 0, "1")
            .waiting("second", "q", 0, "1");
    waiting.rest();
    assertThat(waiting.conditions("second"))
        .containsEntry("QuotaReserved", "False WaitingForPodsReady");

    waiting.delete("first");
    waiting.rest();

    assertThat(waiting.reserved("second")).isTrue();
  }

  /** As many cycles as the engine runs for an event must not lead it on through the flavors. */
  @ParameterizedTest(name = "of {0} flavors")
  @ValueSource(ints = {2, 3})
  void whoWaitsForPodsOfAnotherGetsTheFirstFlavorThatFits(int count) {
    List<String> flavors = List.of("zero 4", "one 4", "two 4").subList(0, count);
    var waiting =
        oneAtATime()
            .flavor("zero")
            .flavor("one")
            .flavor("two")
            .queue("q", groups(quota("cpu", flavors.toArray(String[]::new))))
            .waiting("first", "q", 0, "1")
            .waiting("second", "q", 0, "1");
    waiting.rest();

    waiting.delete("first");
    waiting.rest();

    assertThat(waiting.flavorOf("second")).isEqualTo("zero");
  }

  @Test
  void whoWaitsForPodsOfAnotherSaysSoThoughTheNextFlavorIsTooSmall() {
    var waiting =
        oneAtATime()
            .flavor("zero")
            .flavor("one")
            .queue("q", groups(quota("cpu", "zero 4", "one 1")))
            .waiting("first", "q", 0, "2")
            .waiting("second", "q", 0, "2");

    waiting.rest();

    assertThat(waiting.conditions("second"))
        .containsEntry("QuotaReserved", "False WaitingForPodsReady");
  }

  @Test
  void aSliceNeedsOnlyWhatItHasMoreAndEndsTheOneItReplaces() {
    cluster.queue("q", cpu("15")).running("old", "q", 0, "10");
    cluster
        .workload("new", "q")
        .annotated("kueue.x-k8s.io/workload-slice-replacement-for", "default/old")
        .cpu("15")
        .put();

    cluster.rest();

    assertThat(cluster.reserved("new")).isTrue();
    assertThat(cluster.conditions("old")).containsEntry("Finished", "True WorkloadSliceReplaced");
    assertThat(cluster.engine().snapshot(cluster.now()).standing("q").values())
        .singleElement()
        .satisfies(s -> assertThat(s.used().value()).isEqualTo(15000));
  }

  /** The larger job waits with pods like those of the slice, which needs two of the four cores. */
  @Test
  void aSliceThatNeedsLittleMoreIsNotHeldUpByAJobLikeIt() {
    cluster.queue("q", cpu("10")).running("old", "q", 0, "6");
    cluster.workload("large", "q").cpu("8").put();
    cluster.rest();
    assertThat(cluster.inadmissible("q")).containsExactly("large");

    cluster
        .workload("new", "q")
        .annotated("kueue.x-k8s.io/workload-slice-replacement-for", "default/old")
        .cpu("8")
        .put();
    cluster.rest();

    assertThat(cluster.reserved("new")).isTrue();
  }

  /** The slice may have its old flavor only, in which there is no room. */
  @Test
  void aJobIsNotHeldUpByASliceLikeItThatMustKeepItsFlavor() {
    cluster
        .flavor("second")
        .queue("q", groups(quota("cpu", "default 8", "second 8")))
        .running("old", "q", 0, "6")
        .running("other", "q", 0, "2");
    cluster
        .workload("new", "q")
        .annotated("kueue.x-k8s.io/workload-slice-replacement-for", "default/old")
        .cpu("8")
        .put();
    cluster.rest();
    assertThat(cluster.reserved("new")).isFalse();

    cluster.workload("job", "q").cpu("8").put();
    cluster.rest();

    assertThat(cluster.flavorOf("job")).isEqualTo("second");
  }

  @Test
  void aSliceOfAnotherQueueIsNotTakenForOneToReplace() {
    cluster.queue("q", cpu("15")).queue("p", cpu("10")).running("old", "q", 0, "10");
    cluster
        .workload("new", "p")
        .annotated("kueue.x-k8s.io/workload-slice-replacement-for", "default/old")
        .cpu("15")
        .put();

    cluster.rest();

    assertThat(cluster.reserved("new")).as("15 of 10").isFalse();
    assertThat(cluster.conditions("old")).doesNotContainKey("Finished");
  }

  /** Of fifteen cpu in a cohort the slice has ten; the owner of ten of them wants those back. */
  @Test
  void aSliceThatHasToGiveWayIsNotReplacedInTheSameCycle() {
    cluster
        .queue("lender", cpu("10") + ",'cohortName':'c','preemption':{'reclaimWithinCohort':'Any'}")
        .queue("q", cpu("2") + ",'cohortName':'c'")
        .running("old", "q", 0, "10");
    cluster.waiting("owner", "lender", 9, "10");
    cluster
        .workload("new", "q")
        .annotated("kueue.x-k8s.io/workload-slice-replacement-for", "default/old")
        .cpu("12")
        .put();

    cluster.cycle();

    assertThat(cluster.conditions("old")).containsEntry("Evicted", "True Preempted");
    assertThat(cluster.conditions("old")).doesNotContainKey("Finished");
    assertThat(cluster.reserved("new")).isFalse();
  }

  @Test
  void aCheckThatWasTriedAgainBeginsAnewForWhoGivesWayLater() {
    cluster.queue("q", cpu("4") + ",'preemption':{'withinClusterQueue':'LowerPriority'}");
    cluster
        .workload("low", "q")
        .cpu("4")
        .status(
            """
            'admission':{'clusterQueue':'q','podSetAssignments':[{'name':'main','count':1,
            'flavors':{'cpu':'default'},'resourceUsage':{'cpu':'4'}}]},
            'admissionChecks':[{'name':'c','state':'Ready','retryCount':1,'message':'',
            'lastTransitionTime':'2026-01-01T11:00:00Z'}],
            'conditions':[{'type':'QuotaReserved','status':'True','reason':'QuotaReserved',
            'message':'','lastTransitionTime':'2026-01-01T11:00:00Z'}]\
            """)
        .put();
    cluster.waiting("high", "q", 9, "4");

    cluster.cycle();

    assertThat(cluster.conditions("low")).containsEntry("Evicted", "True Preempted");
    assertThat(cluster.get("low").status().admissionChecks().getFirst().retryCount()).isNull();
  }

  @Test
  void aQuotaThatShrinksEvictsNobodyButAdmitsNobodyEither() {
    cluster.queue("q", cpu("4")).running("r", "q", 0, "4");
    cluster.queue("q", cpu("2")).waiting("w", "q", 0, "1");

    cluster.rest();

    assertThat(cluster.reserved("r")).isTrue();
    assertThat(cluster.conditions("w")).containsEntry("QuotaReserved", "False WaitingForQuota");
  }

  @Test
  void theSecondOfACycleWaitsForThePodsOfTheFirstIfConfiguredSo() {
    var waiting =
        oneAtATime()
            .flavor("default")
            .queue("a", cpu("4"))
            .queue("b", cpu("4"))
            .waiting("first", "a", 0, "1")
            .waiting("second", "b", 0, "1");
    waiting.cycle();
    assertThat(waiting.reserved("first")).isTrue();
    assertThat(waiting.conditions("second"))
        .containsEntry("QuotaReserved", "False WaitingForPodsReady");
  }

  @Test
  void whoseVictimAnotherPreemptsIsSkippedWhereThereIsNoSecondSearch() {
    String reclaims = ",'cohortName':'c','preemption':{'reclaimWithinCohort':'Any'}";
    var simple =
        without(FeatureGate.RECOMPUTE_ASSIGNMENT_UPON_PREEMPTION_TARGETS_OVERLAP)
            .flavor("default")
            .queue("a", cpu("2") + reclaims)
            .queue("b", cpu("2") + reclaims)
            .queue("borrower", cpu("0") + IN_COHORT)
            .running("x", "borrower", 0, "4")
            .waiting("first", "a", 0, "2")
            .waiting("second", "b", 0, "2");
    assertThat(decision(simple.cycle(), "second"))
        .isInstanceOfSatisfying(
            Decision.Skipped.class,
            d -> assertThat(d.because()).isEqualTo(Because.OVERLAPPING_TARGETS));
    assertThat(simple.pending("b")).containsExactly("second");
  }

  /** What a fault of ours looks like: it throws whenever it has to place the workload "bad". */
  private static Placement faulty(Placement real) {
    return (Placement)
        Proxy.newProxyInstance(
            CycleTest.class.getClassLoader(),
            new Class<?>[] {Placement.class},
            (_, method, arguments) -> {
              if (method.getName().equals("place")
                  && arguments[0] instanceof Head head
                  && head.workload().key().name().equals("bad")) {
                throw new IllegalStateException("no idea");
              }
              return method.invoke(real, arguments);
            });
  }

  @Test
  void aWorkloadThatCannotBeEvaluatedStopsNobodyElse() {
    var faulty =
        new TestCluster(new QuotaEngine(EngineConfiguration.defaults(), CycleTest::faulty))
            .flavor("default")
            .queue("a", cpu("2") + IN_COHORT)
            .queue("b", cpu("2") + IN_COHORT)
            .waiting("bad", "a", 9, "1")
            .waiting("behind", "a", 0, "1")
            .waiting("beside", "b", 0, "1");
    faulty.rest();
    assertThat(faulty.reserved("behind")).isTrue();
    assertThat(faulty.reserved("beside")).isTrue();
    assertThat(faulty.conditions("bad")).containsEntry("QuotaReserved", "False PendingEvaluation");
    assertThat(faulty.inadmissible("a")).containsExactly("bad");
  }
}
