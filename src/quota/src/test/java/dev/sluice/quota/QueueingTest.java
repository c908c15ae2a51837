package dev.sluice.quota;

import static dev.sluice.quota.TestCluster.cpu;
import static dev.sluice.quota.TestCluster.victims;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.sluice.api.check.AdmissionCheck;
import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.configuration.FeatureGates;
import dev.sluice.api.core.Namespace;
import dev.sluice.api.flavor.ResourceFlavor;
import dev.sluice.api.queue.ClusterQueue;
import dev.sluice.api.queue.LocalQueue;
import dev.sluice.api.vocabulary.Controllers;
import dev.sluice.api.workload.Workload;
import dev.sluice.quota.amount.FlavorResource;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.quota.decision.WakeUp;
import dev.sluice.quota.inventory.Inactivity;
import dev.sluice.quota.world.WorkloadState;
import dev.sluice.testkit.Orders;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Who waits where, in which order, and what wakes whom. */
class QueueingTest {
  private static final String STRICT = ",'queueingStrategy':'StrictFIFO'";
  private static final String IN_COHORT = ",'cohortName':'c'";

  private final TestCluster cluster = TestCluster.classical().flavor("default");

  static Stream<List<String>> orders() {
    return Orders.of(List.of("workload", "localQueue", "clusterQueue", "flavor")).stream();
  }

  @ParameterizedTest
  @MethodSource("orders")
  void isAdmittedInWhateverOrderItsObjectsCome(List<String> order) {
    var late = TestCluster.classical();
    for (String what : order) {
      switch (what) {
        case "workload" -> late.waiting("new", "q", 0, "1");
        case "localQueue" -> late.localQueue("q", "q");
        case "clusterQueue" ->
            late.apply(
                Change.upserted(ObjectKind.CLUSTER_QUEUE, TestCluster.clusterQueue("q", cpu("4"))));
        default ->
            late.apply(
                Change.upserted(
                    ObjectKind.RESOURCE_FLAVOR,
                    TestCluster.read(
                        ResourceFlavor.class, "{'metadata':{'name':'default'},'spec':{}}")));
      }
      late.rest();
    }

    assertThat(late.reserved("new")).isTrue();
  }

  @Test
  void aHeadThatIsTooLargeBlocksAStrictQueueOnly() {
    cluster
        .queue("strict", cpu("4") + STRICT)
        .queue("lax", cpu("4"))
        .running("s0", "strict", 0, "2")
        .running("l0", "lax", 0, "2");
    for (String queue : List.of("strict", "lax")) {
      cluster.waiting(queue + "-large", queue, 0, "3").waiting(queue + "-small", queue, 0, "1");
    }

    cluster.rest();

    assertThat(cluster.reserved("strict-small")).isFalse();
    assertThat(cluster.pending("strict")).containsExactly("strict-large", "strict-small");
    assertThat(cluster.reserved("lax-small")).isTrue();
    assertThat(cluster.inadmissible("lax")).containsExactly("lax-large");
  }

  @Test
  void priorityGoesBeforeAge() {
    cluster
        .queue("q", cpu("1") + STRICT)
        .waiting("old", "q", 0, "1")
        .waiting("young", "q", 0, "1")
        .waiting("urgent", "q", 1, "1");

    assertThat(cluster.pending("q")).containsExactly("urgent", "old", "young");
  }

  @Test
  void oneVerdictParksAllOfTheSameShape() {
    cluster.queue("q", cpu("4")).running("r", "q", 0, "4");
    for (int i = 0; i < 5; i++) {
      cluster.waiting("same" + i, "q", 0, "2");
    }
    cluster.waiting("other", "q", 0, "1");

    cluster.cycle();

    assertThat(cluster.inadmissible("q"))
        .containsExactly("same0", "same1", "same2", "same3", "same4");
    assertThat(cluster.pending("q")).containsExactly("other");
    assertThat(judgedFor("same4")).isEqualTo("same0");
    assertThat(judgedFor("same0")).isEmpty();
    assertThat(judgedFor("other")).isEmpty();
  }

  private String judgedFor(String name) {
    Workload judged = cluster.engine().snapshot(cluster.now()).judgedFor(TestCluster.key(name));
    return judged == null ? "" : judged.metadata().name();
  }

  @Test
  void aReleaseWakesExactlyThoseWhoCouldUseIt() {
    cluster
        .flavor("other")
        .queue("q", cpu("4") + IN_COHORT)
        .queue("r", TestCluster.groups(TestCluster.quota("cpu", "other 4")) + IN_COHORT)
        .running("holder", "q", 0, "4")
        .workload("elsewhere", "r")
        .cpu("4")
        .holding("other", "4", 60)
        .put()
        .waiting("wants-default", "q", 0, "2")
        .waiting("wants-other", "r", 0, "2");
    cluster.rest();
    assertThat(cluster.inadmissible("q")).containsExactly("wants-default");

    var snapshot = cluster.engine().snapshot(cluster.now());
    var pair = new FlavorResource("default", "cpu");
    assertThat(snapshot.wakeUps(TestCluster.key("wants-default")))
        .contains(new WakeUp.QuotaReleased("c", pair))
        .doesNotContain(new WakeUp.NextCycle());
    assertThat(snapshot.holdersOf(pair, "r"))
        .extracting(WorkloadState::key)
        .containsExactly(TestCluster.key("holder"));

    cluster.delete("holder");

    assertThat(cluster.pending("q")).containsExactly("wants-default");
    assertThat(cluster.inadmissible("r")).containsExactly("wants-other");
  }

  @Test
  void aParkedWorkloadStaysParkedWhenOnlyItsLabelsChange() {
    cluster.queue("q", cpu("4")).running("r", "q", 0, "4");
    cluster.waiting("w", "q", 0, "2");
    var builder = cluster.workload("late", "q").cpu("1");
    cluster.rest();
    builder.put();
    cluster.rest();

    builder.labelled("team", "a").put();

    assertThat(cluster.inadmissible("q")).containsExactly("w", "late");
  }

  @Test
  void aParkedWorkloadIsLookedAtAgainWhenItAsksForLess() {
    cluster.queue("q", cpu("4")).running("r", "q", 0, "3");
    cluster.waiting("w", "q", 0, "2");
    cluster.rest();

    cluster.waiting("w", "q", 0, "1");
    cluster.rest();

    assertThat(cluster.reserved("w")).isTrue();
  }

  @Test
  void aPreemptorGetsWhatItsVictimLeavesBeforeAnOlderOne() {
    cluster
        .queue("q", cpu("4") + ",'preemption':{'withinClusterQueue':'LowerPriority'}")
        .running("victim", "q", 0, "4");
    var older = cluster.workload("older", "q").priority(1).cpu("4");
    cluster.waiting("preemptor", "q", 1, "4");
    cluster.cycle();
    older.put();
    assertThat(cluster.pending("q")).containsExactly("preemptor", "older");

    cluster.delete("victim");
    cluster.rest();

    assertThat(cluster.reserved("preemptor")).isTrue();
    assertThat(cluster.reserved("older")).isFalse();
  }

  @Test
  void aBackoffIsKeptToTheSecond() {
    cluster.queue("q", cpu("4"));
    cluster
        .workload("w", "q")
        .cpu("1")
        .status("'requeueState':{'requeueAt':'%s'}".formatted(TestCluster.START.plusSeconds(60)))
        .put();
    cluster.pass(Duration.ofSeconds(59));
    cluster.rest();
    assertThat(cluster.inadmissible("q")).containsExactly("w");

    cluster.pass(Duration.ofSeconds(1));
    cluster.rest();

    assertThat(cluster.reserved("w")).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "Deactivated, false",
    "ClusterQueueStopped, false",
    "DeactivatedDueToAdmissionCheck, true",
    "DeactivatedDueToMaximumExecutionTimeExceeded, true",
  })
  void whatIsActiveAgainIsQueuedThoughNobodyTakesBackWhyItWasNot(String why, boolean queued) {
    cluster.queue("q", cpu("4"));
    cluster
        .workload("w", "q")
        .cpu("1")
        .status(
            "'conditions':[{'type':'Requeued','status':'False','reason':'%s','message':'',"
                    .formatted(why)
                + "'lastTransitionTime':'%s'}]".formatted(TestCluster.START))
        .put();

    cluster.rest();

    assertThat(cluster.reserved("w")).isEqualTo(queued);
  }

  @Test
  void whatIsBeingDeletedGetsNoQuotaAndHoldsNobodyUp() {
    cluster.queue("q", cpu("1") + STRICT);
    cluster
        .workload("leaving", "q")
        .priority(9)
        .cpu("1")
        .metadata("'deletionTimestamp':'%s'".formatted(TestCluster.START))
        .put();
    cluster.waiting("w", "q", 0, "1");

    cluster.rest();

    assertThat(cluster.reserved("leaving")).isFalse();
    assertThat(cluster.reserved("w")).isTrue();
  }

  @Test
  void aLocalQueueThatIsBeingDeletedAdmitsNobodyUntilThereIsAnother() {
    cluster.queue("q", cpu("1"));
    String queue = "{'metadata':{'name':'q','namespace':'default'%s},'spec':{'clusterQueue':'q'}}";
    String leaving = ",'deletionTimestamp':'%s'".formatted(TestCluster.START);
    cluster.apply(
        Change.upserted(
            ObjectKind.LOCAL_QUEUE, TestCluster.read(LocalQueue.class, queue.formatted(leaving))));
    cluster.waiting("w", "q", 0, "1");
    cluster.rest();
    assertThat(cluster.reserved("w")).isFalse();

    cluster.apply(
        Change.upserted(
            ObjectKind.LOCAL_QUEUE, TestCluster.read(LocalQueue.class, queue.formatted(""))));
    cluster.rest();
    assertThat(cluster.reserved("w")).isTrue();
  }

  @Test
  void circularCohortsHoldTheirQueuesUpUntilTheCircleIsBroken() {
    cluster
        .cohort("c", "'parentName':'d'")
        .cohort("d", "'parentName':'c'")
        .queue("q", cpu("4") + IN_COHORT)
        .waiting("w", "q", 0, "1");
    cluster.rest();
    assertThat(cluster.inadmissible("q")).containsExactly("w");
    assertThat(cluster.conditions("w")).containsEntry("QuotaReserved", "False Suspended");
    assertThat(cluster.engine().snapshot(cluster.now()).wakeUps(TestCluster.key("w")))
        .contains(new WakeUp.TreeChanged("c"));

    cluster.cohort("d", "");
    cluster.rest();

    assertThat(cluster.reserved("w")).isTrue();
  }

  @Test
  void liftingALimitWakesWhoWaitedBelowIt() {
    cluster
        .cohort(
            "c",
            "'parentName':'top','resourceGroups':[" + TestCluster.quota("cpu", "default 0 0") + "]")
        .queue("q", cpu("1") + IN_COHORT)
        .queue("top-queue", cpu("9") + ",'cohortName':'top'")
        .waiting("w", "q", 0, "5");
    cluster.rest();
    assertThat(cluster.inadmissible("q")).containsExactly("w");

    cluster.cohort("c", "'parentName':'top'");
    cluster.rest();

    assertThat(cluster.reserved("w")).isTrue();
  }

  @Test
  void aStoppedQueueAdmitsNothingAndGoesOnWhereItWas() {
    cluster.queue("q", cpu("4") + ",'stopPolicy':'Hold'").waiting("w", "q", 0, "1");
    cluster.rest();
    assertThat(cluster.pending("q")).containsExactly("w");
    assertThat(cluster.engine().snapshot(cluster.now()).inactivity("q"))
        .extracting(Inactivity::reason)
        .containsExactly(Inactivity.Reason.STOPPED);

    cluster.queue("q", cpu("4"));
    cluster.rest();

    assertThat(cluster.reserved("w")).isTrue();
  }

  @Test
  void namesOfTheMultiKueueChecksOnlyThoseThatAreForSomeFlavors() {
    for (String check : List.of("a", "b")) {
      cluster.apply(
          Change.upserted(
              ObjectKind.ADMISSION_CHECK,
              TestCluster.read(
                  AdmissionCheck.class,
                  "{'metadata':{'name':'%s'},'spec':{'controllerName':'%s'}}"
                      .formatted(check, Controllers.MULTI_KUEUE))));
    }
    cluster.queue(
        "q",
        cpu("4")
            + ",'admissionChecksStrategy':{'admissionChecks':["
            + "{'name':'a','onFlavors':['default']},{'name':'b'}]}");

    assertThat(cluster.engine().snapshot(cluster.now()).inactivity("q"))
        .filteredOn(it -> it.reason() != Inactivity.Reason.ADMISSION_CHECK_INACTIVE)
        .extracting(Inactivity::reason, Inactivity::subject)
        .containsExactly(
            tuple(Inactivity.Reason.MULTIPLE_MULTI_KUEUE_CHECKS, "a,b"),
            tuple(Inactivity.Reason.MULTI_KUEUE_PER_FLAVOR, "a"));
  }

  @Test
  void aNamespaceThatIsNotSelectedParksEvenInAStrictQueue() {
    cluster.apply(
        Change.upserted(
            ObjectKind.CLUSTER_QUEUE,
            TestCluster.read(
                ClusterQueue.class,
                "{'metadata':{'name':'q'},'spec':{'namespaceSelector':{'matchLabels':{'team':'a'}},%s%s}}"
                    .formatted(cpu("4"), STRICT))));
    cluster.localQueue("q", "q");
    cluster.waiting("w", "q", 0, "1");
    cluster.rest();
    assertThat(cluster.inadmissible("q")).containsExactly("w");
    assertThat(cluster.conditions("w")).containsEntry("QuotaReserved", "False Misconfigured");
    assertThat(isRefused("w")).isTrue();

    namespace("'team':'a'");
    assertThat(isRefused("w")).as("before the next cycle").isFalse();
    cluster.rest();

    assertThat(cluster.reserved("w")).isTrue();
  }

  @Test
  void aHeadThatIsNoLongerSelectedDoesNotBlockAStrictQueue() {
    namespace("'team':'a'");
    cluster.apply(
        Change.upserted(
            ObjectKind.CLUSTER_QUEUE,
            TestCluster.read(
                ClusterQueue.class,
                "{'metadata':{'name':'q'},'spec':{'namespaceSelector':{'matchLabels':{'team':'a'}},%s%s}}"
                    .formatted(cpu("4"), STRICT))));
    cluster.localQueue("q", "q");
    cluster.waiting("large", "q", 0, "5").waiting("next", "q", 0, "1");
    cluster.rest();
    assertThat(cluster.pending("q")).containsExactly("large", "next");

    namespace("");
    cluster.rest();

    assertThat(cluster.inadmissible("q")).containsExactly("large", "next");
    assertThat(cluster.conditions("large")).containsEntry("QuotaReserved", "False Misconfigured");
  }

  private void namespace(String labels) {
    cluster.apply(
        Change.upserted(
            ObjectKind.NAMESPACE,
            TestCluster.read(
                Namespace.class,
                "{'metadata':{'name':'default','labels':{%s}}}".formatted(labels))));
  }

  private boolean isRefused(String name) {
    return cluster.engine().snapshot(cluster.now()).isRefused(TestCluster.key(name));
  }

  @Test
  void whatOnlyWaitsForQuotaIsNotRefused() {
    cluster.queue("q", cpu("1"));
    cluster.localQueue("q", "q");
    cluster.waiting("w", "q", 0, "2");
    cluster.rest();

    assertThat(cluster.inadmissible("q")).containsExactly("w");
    assertThat(isRefused("w")).isFalse();
  }

  @Test
  void aWorkloadUnderACircleOfCohortsIsRefusedUntilTheCircleEnds() {
    cluster.cohort("a", "'parentName':'b'").cohort("b", "'parentName':'a'");
    cluster.queue("q", cpu("4") + ",'cohortName':'a'");
    cluster.localQueue("q", "q");
    cluster.waiting("w", "q", 0, "1");
    cluster.rest();
    assertThat(isRefused("w")).isTrue();

    cluster.cohort("b", "");
    assertThat(isRefused("w")).isFalse();
  }

  @Test
  void aWorkloadFollowsItsLocalQueueToAnotherClusterQueue() {
    cluster.queue("full", cpu("0")).queue("free", cpu("4"));
    cluster.localQueue("mine", "full");
    cluster.waiting("w", "mine", 0, "1");
    cluster.rest();
    assertThat(cluster.inadmissible("full")).containsExactly("w");

    cluster.localQueue("mine", "free");
    cluster.rest();

    assertThat(cluster.reserved("w")).isTrue();
    assertThat(cluster.inadmissible("full")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"BestEffortFIFO, preemptor", "StrictFIFO, older"})
  void onlyAQueueThatParksLetsAPreemptorComeFirst(String strategy, String first) {
    cluster
        .queue(
            "q",
            cpu("4")
                + ",'queueingStrategy':'%s','preemption':{'withinClusterQueue':'LowerPriority'}"
                    .formatted(strategy))
        .running("victim", "q", 0, "4");
    var older = cluster.workload("older", "q").priority(1).cpu("4");
    cluster.waiting("preemptor", "q", 1, "4");
    cluster.cycle();
    older.put();
    assertThat(cluster.pending("q").getFirst()).isEqualTo(first);
  }

  @Test
  void aPreemptorComesBeforeItsOlderVictimOfEqualPriority() {
    cluster
        .queue(
            "q",
            cpu("4")
                + ",'preemption':{'withinClusterQueue':'LowerOrNewerEqualPriority'}"
                + IN_COHORT)
        .queue("r", cpu("4") + ",'preemption':{'reclaimWithinCohort':'Any'}" + IN_COHORT);
    var victim = cluster.workload("victim", "q").cpu("8");
    victim.holding("default", "8", 60).put();
    cluster.waiting("preemptor", "r", 0, "4");
    assertThat(victims(cluster.cycle(), "preemptor")).containsExactly("victim InCohortReclamation");
    cluster.waiting("same", "r", 0, "4");
    victim.status("").put();
    cluster.rest();
    assertThat(cluster.reserved("preemptor")).isTrue();
    assertThat(cluster.reserved("victim")).isFalse();
  }

  @Test
  void whoCouldNotPreemptIsLookedAtAgainWhenAHolderBecomesLessImportant() {
    cluster.queue("q", cpu("4") + ",'preemption':{'withinClusterQueue':'LowerPriority'}");
    var holder = cluster.workload("holder", "q").priority(5).cpu("4").holding("default", "4", 60);
    holder.put();
    cluster.waiting("w", "q", 3, "4");
    cluster.rest();
    assertThat(cluster.inadmissible("q")).containsExactly("w");
    holder.priority(1).put();
    assertThat(victims(cluster.cycle(), "w")).containsExactly("holder InClusterQueue");
  }

  @Test
  void whatIsReleasedRightAfterAVerdictIsNotMissed() {
    cluster.queue("q", cpu("4")).running("holder", "q", 0, "4").waiting("w", "q", 0, "4");
    cluster.cycle();
    cluster.delete("holder");
    assertThat(cluster.pending("q")).containsExactly("w");
  }

  @Test
  void theParentOfVariantsIsQueuedOnlyWhereThereAreNoVariants() {
    String label = "kueue.x-k8s.io/concurrent-admission-parent";
    var concurrent =
        new TestCluster(
                EngineConfiguration.defaults()
                    .withGates(FeatureGates.DEFAULT.with(FeatureGate.CONCURRENT_ADMISSION, true)))
            .flavor("default");
    for (TestCluster each : List.of(cluster, concurrent)) {
      each.queue("q", cpu("4"));
      each.workload("parent", "q").labelled(label, "true").cpu("1").put();
      each.rest();
    }
    assertThat(cluster.reserved("parent")).isTrue();
    assertThat(concurrent.reserved("parent")).isFalse();
  }

  @Test
  void aReleaseOfPodsWakesWhoWaitsForRoomForItsPods() {
    String pods =
        TestCluster.groups(TestCluster.quota("cpu", "a 9"), TestCluster.quota("pods", "b 1"));
    var cluster = TestCluster.classical().flavor("a").flavor("b").queue("q", pods);
    cluster
        .workload("holder", "q")
        .pods(1, "{}")
        .status(
            """
            'admission':{'clusterQueue':'q','podSetAssignments':[{'name':'main','count':1,
            'flavors':{'pods':'b'},'resourceUsage':{'pods':'1'}}]},
            'conditions':[{'type':'QuotaReserved','status':'True','reason':'QuotaReserved',
            'message':'','lastTransitionTime':'2026-01-01T11:00:00Z'}]\
            """)
        .put();
    cluster.waiting("w", "q", 0, "1");
    cluster.rest();
    assertThat(cluster.inadmissible("q")).containsExactly("w");

    cluster.delete("holder");

    assertThat(cluster.pending("q")).containsExactly("w");
  }
}
