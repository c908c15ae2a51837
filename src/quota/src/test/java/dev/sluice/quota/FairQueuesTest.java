package dev.sluice.quota;

import static dev.sluice.quota.TestCluster.cpu;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.configuration.Scheduling.AdmissionFairSharing;
import dev.sluice.api.queue.LocalQueue;
import dev.sluice.quota.configuration.EngineConfiguration;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** LocalQueues that take turns by what they have used. */
class FairQueuesTest {
  /** One cpu, for which LocalQueues are asked by what they used. */
  private static TestCluster fairByUsage() {
    var sharing = new AdmissionFairSharing(Duration.ofHours(1), Duration.ofMinutes(5), Map.of());
    return new TestCluster(EngineConfiguration.defaults().withAdmissionFairSharing(sharing))
        .flavor("default")
        .queue(
            "q", cpu("1") + ",'admissionScope':{'admissionMode':'UsageBasedAdmissionFairSharing'}");
  }

  /** The same with two LocalQueues. */
  private static TestCluster busyAndQuiet() {
    TestCluster fair = fairByUsage();
    fair.localQueue("busy", "q");
    fair.localQueue("quiet", "q");
    return fair;
  }

  @Test
  void theLocalQueueThatUsedLessGoesFirstWhateverThePriorities() {
    TestCluster fair = busyAndQuiet();
    fair.waiting("earlier", "busy", 9, "1");
    fair.rest();
    fair.waiting("more", "busy", 9, "1").waiting("modest", "quiet", 0, "1");

    fair.delete("earlier");
    fair.rest();

    assertThat(fair.reserved("modest")).isTrue();
    assertThat(fair.reserved("more")).isFalse();
  }

  @Test
  void whatWasNeverStoredCostsItsLocalQueueNothing() {
    TestCluster fair = busyAndQuiet();
    fair.waiting("brief", "quiet", 0, "1");
    fair.rest();
    fair.delete("brief");
    fair.workload("unlucky", "busy").metadata("'resourceVersion':'1'").cpu("1").put();
    for (int i = 0; i < 5; i++) {
      fair.rest();
      assertThat(fair.reserved("unlucky")).isTrue();
      fair.apply(new Change.StatusWriteFailed(TestCluster.key("unlucky")));
    }
    fair.delete("unlucky");

    fair.waiting("unused", "busy", 0, "1").waiting("used", "quiet", 9, "1");
    fair.rest();

    assertThat(fair.reserved("unused")).isTrue();
    assertThat(fair.reserved("used")).isFalse();
  }

  @Test
  void whatWasSeenToBeStoredStillCostsWhenItsEvictionCannotBe() {
    TestCluster fair = busyAndQuiet();
    fair.queue(
        "q",
        cpu("1")
            + ",'admissionScope':{'admissionMode':'UsageBasedAdmissionFairSharing'}"
            + ",'preemption':{'withinClusterQueue':'LowerPriority'}");
    fair.workload("runs", "busy").metadata("'resourceVersion':'1'").cpu("1").put();
    fair.rest();
    fair.apply(Change.upserted(ObjectKind.WORKLOAD, TestCluster.version(fair.get("runs"), "2")));
    fair.waiting("boss", "busy", 9, "1");
    fair.cycle();
    assertThat(fair.conditions("runs")).containsKey("Evicted");

    fair.apply(new Change.StatusWriteFailed(TestCluster.key("runs")));
    assertThat(fair.conditions("runs")).doesNotContainKey("Evicted");
    fair.delete("boss");
    fair.delete("runs");
    fair.waiting("more", "busy", 9, "1").waiting("modest", "quiet", 0, "1");
    fair.rest();

    assertThat(fair.reserved("modest")).isTrue();
  }

  @Test
  void whatRanForLongCountsAlsoWhereNobodyWaitedMeanwhile() {
    TestCluster fair = busyAndQuiet();
    fair.waiting("long", "busy", 0, "1");
    fair.rest();
    fair.pass(Duration.ofHours(1));
    fair.delete("long");
    for (String brief : List.of("one", "two")) {
      fair.waiting(brief, "quiet", 0, "1");
      fair.rest();
      fair.delete(brief);
    }

    fair.waiting("more", "busy", 9, "1").waiting("modest", "quiet", 0, "1");
    fair.rest();

    assertThat(fair.reserved("modest")).isTrue();
    assertThat(fair.reserved("more")).isFalse();
  }

  @Test
  void ofAnotherQueueTheLocalQueueThatUsedMoreGivesWayFirstWhateverThePriorities() {
    TestCluster fair = lenderOf("2");
    used("busy", 8, fair);
    used("quiet", 2, fair);
    fair.waiting("important", "busy", 9, "1").waiting("modest", "quiet", 0, "1");
    fair.rest();
    assertThat(fair.reserved("important")).isTrue();
    assertThat(fair.reserved("modest")).isTrue();

    fair.waiting("owner", "lender", 0, "1");

    assertThat(TestCluster.victims(fair.cycle(), "owner"))
        .containsExactly("important InCohortReclamation");
  }

  /** In a ClusterQueue where nothing waits, usage goes on all the same. */
  @Test
  void theLocalQueueThatUsedMoreUntilNowGivesWayFirst() {
    TestCluster fair = lenderOf("8");
    used("busy", 0, fair);
    used("quiet", 3, fair);
    fair.waiting("large", "busy", 0, "4").waiting("small", "quiet", 0, "1");
    fair.rest();
    assertThat(fair.reserved("large")).isTrue();
    assertThat(fair.reserved("small")).isTrue();

    fair.pass(Duration.ofHours(3));
    fair.waiting("owner", "lender", 0, "4");

    assertThat(TestCluster.victims(fair.cycle(), "owner"))
        .containsExactly("large InCohortReclamation");
  }

  /** A ClusterQueue with that much cpu, and one without any that borrows it. */
  private static TestCluster lenderOf(String cpu) {
    String top = ",'cohortName':'top'";
    String byUsage = ",'admissionScope':{'admissionMode':'UsageBasedAdmissionFairSharing'}";
    return fairByUsage()
        .queue("lender", cpu(cpu) + top + ",'preemption':{'reclaimWithinCohort':'Any'}")
        .queue("borrower", cpu("0") + top + byUsage);
  }

  /** A LocalQueue of the ClusterQueue "borrower" with a history. */
  private static void used(String name, int cpu, TestCluster fair) {
    fair.apply(
        Change.upserted(
            ObjectKind.LOCAL_QUEUE,
            TestCluster.read(
                LocalQueue.class,
                """
                {'metadata':{'name':'%s','namespace':'default'},'spec':{'clusterQueue':'borrower'},
                'status':{'fairSharing':{'weightedShare':0,'admissionFairSharingStatus':
                {'consumedResources':{'cpu':'%d'},'lastUpdate':'2026-01-01T11:59:00Z'}}}}\
                """
                    .formatted(name, cpu))));
  }

  @ParameterizedTest
  @ValueSource(strings = {"'0001-01-01T00:00:00Z'", "'2026-01-01T11:59:00Z'"})
  void whatALocalQueueUsedBeforeWeWereStartedCountsWhateverItsDate(String lastUpdate) {
    TestCluster fair = fairByUsage();
    for (String consumed : List.of("busy 8", "quiet 2")) {
      String name = consumed.split(" ", -1)[0];
      fair.apply(
          Change.upserted(
              ObjectKind.LOCAL_QUEUE,
              TestCluster.read(
                  LocalQueue.class,
                  """
                  {'metadata':{'name':'%s','namespace':'default'},'spec':{'clusterQueue':'q'},
                  'status':{'fairSharing':{'weightedShare':0,'admissionFairSharingStatus':
                  {'consumedResources':{'cpu':'%s'},'lastUpdate':%s}}}}\
                  """
                      .formatted(name, consumed.split(" ", -1)[1], lastUpdate))));
    }
    fair.waiting("old", "busy", 9, "1").waiting("new", "quiet", 0, "1");
    fair.cycle();
    assertThat(fair.reserved("new")).isTrue();
  }
}
