package dev.sluice.jobs;

import static dev.sluice.jobs.KindJobs.TEMPLATE;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.configuration.Framework;
import dev.sluice.jobs.plan.JobKey;
import dev.sluice.jobs.reconcile.Job;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JobSetTest {
  private static final JobKey KEY = KindJobs.key(Framework.JOB_SET);

  /** A driver, and three Jobs of two workers each. */
  private static final String TWO_JOBS =
      spec(
          "{'name': 'Driver', %s}, {'name': 'worker', 'replicas': 3, %s}", "", "'parallelism': 2,");

  private static String spec(String jobs, String first, String second) {
    String template = "'template': {'spec': {%s 'template': %s}}";
    return "{'suspend': true, 'replicatedJobs': [%s]}"
        .formatted(
            jobs.formatted(
                template.formatted(first, TEMPLATE), template.formatted(second, TEMPLATE)));
  }

  @ParameterizedTest(name = "replicas {0}, {1}: {2} Pods")
  @CsvSource(
      delimiter = '|',
      value = {
        "'' | '' | 1",
        "3 | '' | 3",
        "0 | '' | 0",
        "3 | {'parallelism': 4} | 12",
        "3 | {'parallelism': 4, 'completions': 2} | 6",
        "3 | {'parallelism': 2, 'completions': 4} | 6",
        "2 | {'completions': 4} | 2",
        "50000 | {'parallelism': 100000} | 2147483647"
      })
  void aJobHasAsManyPodsAsRunAtATimeInEachReplica(String replicas, String job, int count) {
    String spec =
        "{'replicatedJobs': [{'name': 'a' %s, 'template': {'spec': %s}}]}"
            .formatted(
                replicas.isEmpty() ? "" : ", 'replicas': " + replicas, job.isEmpty() ? "{}" : job);
    Job set = KindJobs.read(Framework.JOB_SET, KindJobs.object(Framework.JOB_SET, spec));

    assertThat(KindJobs.counts(set.podSets())).containsExactly("a=" + count);
    assertThat(set.podSets().getFirst().topology().path("subGroupCount").asText())
        .isEqualTo(replicas.isEmpty() ? "1" : replicas);
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "{} | inactive",
        "{'replicatedJobsStatus': [{'name': 'Driver', 'active': 1}]} | active",
        "{'replicatedJobsStatus': [{'name': 'Driver', 'active': 0}, {'name': 'worker'}]} |"
            + " inactive",
        "{'replicatedJobsStatus': [{'name': 'Driver', 'ready': 1},"
            + " {'name': 'worker', 'ready': 2, 'succeeded': 1}]} | inactive ready",
        "{'replicatedJobsStatus': [{'name': 'Driver', 'ready': 1},"
            + " {'name': 'worker', 'ready': 2}]} | inactive",
        "{'replicatedJobsStatus': [{'name': 'worker', 'failed': 4}]} | inactive",
        "{'conditions': [{'type': 'Completed', 'status': 'True', 'message': 'all done'}]}"
            + " | inactive succeeded: all done",
        "{'conditions': [{'type': 'Failed', 'status': 'True', 'message': 'a Job failed'}]}"
            + " | inactive failed: a Job failed",
        "{'conditions': [{'type': 'Suspended', 'status': 'True', 'message': 'm'}]} | inactive",
        "{'conditions': [{'type': 'Completed', 'status': 'False', 'message': 'm'}]} | inactive"
      })
  void readsItsProgressFromItsStatus(String status, String state) {
    assertThat(KindJobs.state(KindJobs.read(Framework.JOB_SET, TWO_JOBS, status))).isEqualTo(state);
  }

  @ParameterizedTest(name = "{0} of 3 workers succeeded: {1}")
  @CsvSource({"0, {}", "1, {worker=2}", "3, {worker=6}", "4, {}"})
  void podsOfReplicasThatSucceededAreNotNeeded(int succeeded, String reclaimable) {
    String status =
        "{'replicatedJobsStatus': [{'name': 'worker', 'succeeded': %d}]}".formatted(succeeded);

    assertThat(KindJobs.read(Framework.JOB_SET, TWO_JOBS, status).reclaimable())
        .hasToString(reclaimable);
  }

  @Test
  void itIsPutBackExactlyAlsoWhereATemplateHasNoMetadata() {
    TestCluster cluster = KindJobs.cluster(Framework.JOB_SET);
    String plain = TWO_JOBS.replace("'metadata': {'labels': {'a': 'b'}}, ", "");
    cluster.add(KindJobs.object(Framework.JOB_SET, plain).toString());
    cluster.settle(KEY);
    JsonNode before = cluster.get(KEY).path("spec");
    assertThat(before.findValue("metadata")).isNull();

    cluster.changeWorkload(cluster.onlyWorkloadName(), Admissions::admit);
    cluster.settle(KEY);
    assertThat(cluster.get(KEY).path("spec").findValue("metadata")).isNotNull();
    cluster.changeWorkload(
        cluster.onlyWorkloadName(), it -> Admissions.evict(it, "Preempted", "m"));
    cluster.settle(KEY);

    assertThat(cluster.get(KEY).path("spec").toString()).isEqualTo(before.toString());
  }
}
