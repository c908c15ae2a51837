package dev.sluice.jobs;

import static dev.sluice.jobs.Jobs.KEY;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.meta.Conditions;
import dev.sluice.jobs.plan.JobKey;
import dev.sluice.jobs.plan.Plan;
import dev.sluice.jobs.workload.WorkloadView;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a Job gives back as it ends, and when it or its Workload is gone. */
class EndedJobTest {
  private final TestCluster cluster = Jobs.cluster();
  private final OneJob one = new OneJob(cluster);

  @Test
  void continuesWhileTheApiServerDoesNotServeItsKindForAMoment() {
    one.run(2, 2, 2);
    cluster.serve(Jobs.KIND, false);

    cluster.settle(KEY);
    assertThat(Conditions.find(cluster.onlyWorkload(), "Finished")).isEmpty();
    assertThat(cluster.plan(KEY).again()).as("it is looked at again").isPresent();

    cluster.serve(Jobs.KIND, true);
    cluster.settle(KEY);
    assertThat(Conditions.find(cluster.onlyWorkload(), "Finished")).isEmpty();
  }

  @Test
  void freesQuotaBySayingFinishedAndLetsTheWorkloadGoOnlyThen() {
    one.run(2, 4, 9);
    cluster.forgetEvents();
    cluster.change(KEY, Jobs::complete);

    Plan first = cluster.plan(KEY);
    first.writes().forEach(cluster::send);
    assertThat(one.condition("Finished").path("reason").asText()).isEqualTo("Succeeded");
    assertThat(one.condition("Finished").path("message").asText())
        .isEqualTo("Reached expected number");
    assertThat(cluster.onlyWorkload().path("metadata").path("finalizers")).hasSize(1);

    cluster.settle(KEY);
    assertThat(cluster.onlyWorkload().path("metadata").path("finalizers")).isEmpty();
    assertThat(cluster.eventMessages())
        .containsExactly(
            "FinishedWorkload: Workload 'ns/"
                + cluster.onlyWorkloadName()
                + "' is declared finished");
  }

  @Test
  void distinguishesAFailedJobFromASuccessfulOne() {
    one.run(1, 1, 9);
    cluster.change(
        KEY, it -> Admissions.condition(it, "Failed", true, "BackoffLimitExceeded", "too often"));

    cluster.settle(KEY);

    assertThat(one.condition("Finished").path("reason").asText()).isEqualTo("Failed");
    assertThat(one.condition("Finished").path("message").asText()).isEqualTo("too often");
  }

  @ParameterizedTest
  @CsvSource({
    // parallelism, completions, succeeded, expected
    "3, 9, 5, 0",
    "3, 9, 7, 1",
    "3, 9, 8, 2",
    "1, 9, 8, 0",
    "4, 4, 1, 1",
    "10, 4, 1, 1",
    "3, 9, 0, 0"
  })
  void releasesQuotaThatTheLastPodsOfAJobDoNotNeed(
      int parallelism, int completions, int succeeded, int expected) {
    one.run(parallelism, completions, 99);
    cluster.change(KEY, it -> it.withObject("/status").put("succeeded", succeeded));

    cluster.settle(KEY);

    JsonNode reclaimable = cluster.onlyWorkload().path("status").path("reclaimablePods");
    assertThat(reclaimable.path(0).path("count").asInt(0)).isEqualTo(expected);
  }

  @Test
  void countsIndexesThatSucceededOrFailedOnce() {
    one.run(5, 10, 99);
    cluster.change(
        KEY,
        it -> {
          it.withObject("/spec").put("completionMode", "Indexed");
          it.withObject("/status")
              .put("completedIndexes", "0-4,6,oops")
              .put("failedIndexes", "4-5,99");
        });

    cluster.settle(KEY);

    assertThat(cluster.onlyWorkload().at("/status/reclaimablePods/0/count").asInt()).isEqualTo(2);
  }

  @Test
  void neverTakesBackPodsThatItGaveBack() {
    one.run(4, 4, 99);
    cluster.change(KEY, it -> it.withObject("/status").put("succeeded", 3));
    cluster.settle(KEY);

    cluster.change(KEY, it -> it.withObject("/status").put("succeeded", 1));
    cluster.settle(KEY);

    assertThat(cluster.onlyWorkload().at("/status/reclaimablePods/0/count").asInt()).isEqualTo(3);
  }

  @Test
  void takesBackPodsThatItGaveBackOnceItHasNoQuota() {
    one.run(4, 4, 99);
    cluster.change(KEY, it -> it.withObject("/status").put("succeeded", 3));
    cluster.settle(KEY);
    cluster.changeWorkload(
        cluster.onlyWorkloadName(), it -> Admissions.evict(it, "Preempted", "m"));
    cluster.settle(KEY);
    cluster.change(KEY, Jobs::control);
    cluster.settle(KEY);

    cluster.change(KEY, it -> it.withObject("/status").put("succeeded", 2));
    cluster.settle(KEY);

    assertThat(one.condition("QuotaReserved").path("status").asText()).isEqualTo("False");
    assertThat(cluster.onlyWorkload().at("/status/reclaimablePods/0/count").asInt()).isEqualTo(2);
  }

  @Test
  void freesTheQuotaOfADeletedJobAtOnce() {
    one.run(2, 2, 9);
    cluster.change(
        KEY,
        it ->
            it.withObject("/metadata")
                .put("deletionTimestamp", "2026-11-21T12:00:00Z")
                .putArray("finalizers")
                .add("foregroundDeletion"));

    cluster.settle(KEY);

    assertThat(one.condition("Finished").path("reason").asText()).isEqualTo("OwnerNotFound");
    assertThat(cluster.onlyWorkload().path("metadata").path("finalizers")).isEmpty();
  }

  @Test
  void finishesTheWorkloadOfADeletedJob() {
    one.run(2, 2, 9);
    cluster.delete(KEY);

    cluster.settle(KEY);

    assertThat(one.condition("Finished").path("message").asText())
        .isEqualTo("The workload's owner no longer exists");
    assertThat(cluster.onlyWorkload().path("metadata").path("finalizers")).isEmpty();
  }

  @Test
  void distinguishesAJobFromAnEarlierOneOfItsName() {
    one.run(2, 2, 9);
    String before = cluster.onlyWorkloadName();
    cluster.delete(KEY);
    cluster.add(Jobs.job("j", 2, 2));

    cluster.settle(KEY);

    assertThat(cluster.workloads()).hasSize(2);
    assertThat(Conditions.isTrue(cluster.workload(before), "Finished")).isTrue();
    assertThat(cluster.workloads()).filteredOn(it -> !Conditions.isTrue(it, "Finished")).hasSize(1);
    assertThat(one.job().path("spec").path("suspend").asBoolean()).isTrue();
  }

  @Test
  void stopsAJobWhoseWorkloadIsDeletedBeforeItsQuotaIsReleased() {
    one.run(2, 2, 9);
    String uid = cluster.onlyWorkload().path("metadata").path("uid").asText();
    cluster.delete(JobKey.of(WorkloadView.KIND, "ns", cluster.onlyWorkloadName()));

    cluster.settle(KEY);
    assertThat(one.job().path("spec").path("suspend").asBoolean()).isTrue();
    assertThat(cluster.onlyWorkload().path("metadata").path("uid").asText()).isEqualTo(uid);
    assertThat(cluster.eventMessages()).contains("Stopped: Workload is deleted");

    cluster.change(KEY, Jobs::control);
    cluster.settle(KEY);
    assertThat(cluster.onlyWorkload().path("metadata").path("uid").asText()).isNotEqualTo(uid);
  }
}
