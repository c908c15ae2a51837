package dev.sluice.jobs;

import static dev.sluice.jobs.Jobs.KEY;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.meta.Conditions;
import dev.sluice.api.write.Write;
import dev.sluice.jobs.plan.Plan;
import dev.sluice.jobs.plan.RemoteStop;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A Job that has to give way, until its Workload holds nothing any more. */
class EvictedJobTest {
  private final TestCluster cluster = Jobs.cluster();
  private final OneJob one = new OneJob(cluster);

  @Test
  void putsBackAnEvictedJobExactlyAsItWas() {
    one.add(2, 4);
    JsonNode before = one.job().path("spec");
    cluster.changeWorkload(cluster.onlyWorkloadName(), Admissions::admit);
    cluster.settle(KEY);
    cluster.change(KEY, Jobs::control);
    cluster.changeWorkload(
        cluster.onlyWorkloadName(), it -> Admissions.evict(it, "Preempted", "m"));

    cluster.settle(KEY);

    assertThat(one.job().path("spec").path("suspend").asBoolean()).isTrue();
    assertThat(one.job().path("spec")).as("its Pods are still there").isNotEqualTo(before);

    cluster.change(KEY, Jobs::control);
    cluster.settle(KEY);

    assertThat(one.job().path("spec")).isEqualTo(before);
    assertThat(
            one.job().path("metadata").has("annotations")
                && !one.job().at("/metadata/annotations").isEmpty())
        .isFalse();
    assertThat(cluster.eventMessages()).contains("Stopped: m");
  }

  @Test
  void holdsQuotaUntilNoPodOfAnEvictedJobRuns() {
    one.run(2, 2, 9);
    cluster.changeWorkload(
        cluster.onlyWorkloadName(), it -> Admissions.evict(it, "Preempted", "m"));

    cluster.settle(KEY);

    assertThat(one.condition("QuotaReserved").path("status").asText()).isEqualTo("True");

    cluster.change(KEY, Jobs::control);
    cluster.pass(Duration.ofSeconds(5)); // it was admitted two seconds before
    cluster.settle(KEY);

    assertThat(one.condition("QuotaReserved").path("status").asText()).isEqualTo("False");
    assertThat(one.condition("QuotaReserved").path("reason").asText())
        .isEqualTo("PendingEvaluation");
    assertThat(one.condition("Admitted").path("reason").asText()).isEqualTo("NoReservation");
    assertThat(cluster.onlyWorkload().path("status").has("admission")).isFalse();
    assertThat(
            cluster
                .onlyWorkload()
                .path("status")
                .path("accumulatedPastExecutionTimeSeconds")
                .asInt())
        .isEqualTo(7);
  }

  /** Otherwise its Pods would have less time to start, if it is admitted before the next plan. */
  @Test
  void countsAsNotStartedFromTheWriteThatReleasesItsQuota() {
    one.run(2, 2, 9);
    cluster.changeWorkload(
        cluster.onlyWorkloadName(), it -> Admissions.evict(it, "Preempted", "m"));
    cluster.settle(KEY);
    assertThat(one.condition("PodsReady").path("reason").asText()).isEqualTo("Started");
    cluster.change(KEY, Jobs::control);
    while (Conditions.isTrue(cluster.onlyWorkload(), "QuotaReserved")) {
      assertThat(cluster.sendOne(KEY)).isTrue();
    }

    assertThat(one.condition("PodsReady").path("reason").asText()).isEqualTo("WaitForStart");
  }

  @Test
  void keepsTheQuotaOfAJobThatRunsElsewhereUntilItHasSurelyStoppedThere() {
    one.add(2, 4);
    JsonNode before = one.job().path("spec");
    cluster.changeWorkload(cluster.onlyWorkloadName(), Admissions::admit);
    cluster.settle(KEY);
    cluster.change(KEY, EvictedJobTest::runElsewhere);
    cluster.remoteStop = RemoteStop.MAY_RUN;
    cluster.changeWorkload(
        cluster.onlyWorkloadName(), it -> Admissions.evict(it, "Preempted", "m"));

    cluster.settle(KEY);

    assertThat(one.job().at("/status").has("startTime")).isFalse();
    assertThat(one.job().at("/status").has("active")).as("nobody here takes it back").isFalse();
    assertThat(one.job().at("/spec/template")).isEqualTo(before.path("template"));
    assertThat(one.condition("QuotaReserved").path("status").asText()).isEqualTo("True");

    cluster.remoteStop = RemoteStop.CERTAIN;
    cluster.settle(KEY);

    assertThat(one.condition("QuotaReserved").path("status").asText()).isEqualTo("False");
  }

  /** What the manager of several clusters writes into a Job that a worker runs. */
  private static void runElsewhere(ObjectNode job) {
    job.withObjectProperty("spec").put("managedBy", "kueue.x-k8s.io/multikueue");
    job.withObjectProperty("status")
        .put("active", 2)
        .put("ready", 1)
        .put("startTime", "2026-11-21T12:00:00Z");
  }

  @Test
  void tellsItInAFewWordsWhereThatIsAskedFor() {
    TestCluster coarse = Jobs.cluster(FeatureGate.UNADMITTED_WORKLOADS_OBSERVABILITY, false);
    var job = new OneJob(coarse);
    job.run(1, 1, 9);
    coarse.changeWorkload(coarse.onlyWorkloadName(), it -> Admissions.evict(it, "Preempted", "m"));
    coarse.settle(KEY);
    coarse.change(KEY, Jobs::control);
    coarse.settle(KEY);

    assertThat(job.condition("QuotaReserved").path("reason").asText()).isEqualTo("Pending");
    assertThat(job.condition("Admitted").path("status").asText()).isEqualTo("False");
  }

  @Test
  void givesAJobThatUsedUpItsTimeAllOfItAgain() {
    one.run(2, 2, 9);
    cluster.changeWorkload(
        cluster.onlyWorkloadName(),
        it -> Admissions.evict(it, "DeactivatedDueToMaximumExecutionTimeExceeded", "m"));
    cluster.settle(KEY);
    cluster.change(KEY, Jobs::control);
    cluster.pass(Duration.ofSeconds(5));
    cluster.settle(KEY);

    assertThat(one.condition("QuotaReserved").path("status").asText()).isEqualTo("False");
    assertThat(cluster.onlyWorkload().path("status").has("accumulatedPastExecutionTimeSeconds"))
        .isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "kubernetes.io/job-controller"})
  void holdsQuotaUntilTheJobControllerHasSeenThatAnEvictedJobIsSuspended(String managedBy) {
    one.add(1, 1);
    if (!managedBy.isEmpty()) {
      cluster.change(KEY, job -> job.withObjectProperty("spec").put("managedBy", managedBy));
    }
    cluster.changeWorkload(cluster.onlyWorkloadName(), Admissions::admit);
    cluster.settle(KEY);
    cluster.change(KEY, job -> Jobs.say(job, "Suspended", "False")); // its Pod is being made
    cluster.changeWorkload(
        cluster.onlyWorkloadName(), it -> Admissions.evict(it, "Preempted", "m"));

    cluster.settle(KEY);

    assertThat(one.job().path("spec").path("suspend").asBoolean()).isTrue();
    assertThat(one.job().at("/status/startTime").isTextual()).isTrue();
    assertThat(one.condition("QuotaReserved").path("status").asText()).isEqualTo("True");

    cluster.change(KEY, job -> Jobs.say(job, "Suspended", "True"));
    cluster.settle(KEY);

    assertThat(one.job().at("/status/startTime").isTextual()).isFalse();
    assertThat(one.condition("QuotaReserved").path("status").asText()).isEqualTo("False");
  }

  @ParameterizedTest
  @ValueSource(strings = {"SuccessCriteriaMet", "FailureTarget"})
  void letsAnEvictedJobEndThatIsAboutTo(String said) {
    one.run(1, 1, 9);
    cluster.change(
        KEY,
        job -> {
          Jobs.say(job, said, "True");
          job.withObject("/status").put("active", 0);
        });
    cluster.changeWorkload(
        cluster.onlyWorkloadName(), it -> Admissions.evict(it, "Preempted", "m"));

    cluster.settle(KEY);

    assertThat(one.job().path("spec").path("suspend").asBoolean()).isFalse();
    assertThat(one.condition("QuotaReserved").path("status").asText()).isEqualTo("True");
  }

  @ParameterizedTest
  @CsvSource({
    "Preempted, True",
    "NodeFailures, True",
    "PodsReadyTimeout, False",
    "AdmissionCheck, False",
    "ClusterQueueStopped, False",
    "Deactivated, False",
    "DeactivatedDueToAdmissionCheck, False"
  })
  void saysWhetherAnEvictedWorkloadMayBeTriedAgainAtOnce(String reason, String requeued) {
    one.run(1, 1, 9);
    cluster.changeWorkload(cluster.onlyWorkloadName(), it -> Admissions.evict(it, reason, "m"));
    cluster.settle(KEY);
    cluster.change(KEY, Jobs::control);

    cluster.settle(KEY);

    assertThat(one.condition("Requeued").path("status").asText()).isEqualTo(requeued);
    assertThat(one.condition("Requeued").path("reason").asText()).isEqualTo(reason);
  }

  @Test
  void deletesAJobThatWasGivenUpOnceItWasKeptLongEnough() {
    one.add(1, 1);
    cluster.changeWorkload(
        cluster.onlyWorkloadName(),
        it -> {
          it.withObject("/spec").put("active", false);
          Admissions.evict(it, "DeactivatedDueToRequeuingLimitExceeded", "m");
        });

    assertThat(cluster.plan(KEY))
        .isEqualTo(new Plan(List.of(), Optional.of(cluster.now().plusSeconds(3598))));

    cluster.pass(Duration.ofHours(1));
    assertThat(cluster.plan(KEY).writes().getFirst()).isInstanceOf(Write.Delete.class);
  }
}
