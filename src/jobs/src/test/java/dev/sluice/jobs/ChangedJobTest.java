package dev.sluice.jobs;

import static dev.sluice.jobs.Jobs.KEY;
import static dev.sluice.testkit.json.SingleQuoted.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.jobs.plan.Plan;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of the Workload of a Job that somebody changes. */
class ChangedJobTest {
  private final TestCluster cluster = Jobs.cluster();
  private final OneJob one = new OneJob(cluster);

  @Test
  void replacesTheWorkloadOfAJobThatWasChangedWhileItRan() {
    one.run(3, 3, 9);
    String uid = cluster.onlyWorkload().path("metadata").path("uid").asText();
    cluster.forgetEvents();
    cluster.change(KEY, it -> it.withObject("/spec").put("parallelism", 1));

    cluster.settle(KEY);
    assertThat(cluster.onlyWorkload().path("metadata").path("uid").asText())
        .as("keeps the quota of Pods that still run")
        .isEqualTo(uid);

    cluster.change(KEY, Jobs::control);
    cluster.settle(KEY);

    assertThat(cluster.onlyWorkload().path("metadata").path("uid").asText()).isNotEqualTo(uid);
    assertThat(cluster.onlyWorkload().at("/spec/podSets/0/count").asInt()).isEqualTo(1);
    assertThat(one.job().at("/spec/parallelism").asInt()).isEqualTo(1);
    assertThat(one.job().at("/spec/template/spec/nodeSelector")).isEqualTo(json("{'disk': 'ssd'}"));
    String name = "ns/" + cluster.onlyWorkloadName();
    assertThat(cluster.eventMessages())
        .containsExactly(
            "Stopped: No matching Workload; restoring pod templates according to existent Workload",
            "DeletedWorkload: Deleted not matching Workload: " + name,
            "CreatedWorkload: Created Workload: " + name);
  }

  @Test
  void rewritesTheWorkloadOfAWaitingJobThatWasChanged() {
    one.add(3, 3);
    String uid = cluster.onlyWorkload().path("metadata").path("uid").asText();
    cluster.changeWorkload(
        cluster.onlyWorkloadName(), it -> it.withObject("/spec").put("active", false));
    cluster.change(KEY, it -> it.withObject("/spec").put("parallelism", 2));

    cluster.settle(KEY);

    assertThat(cluster.onlyWorkload().path("metadata").path("uid").asText()).isEqualTo(uid);
    assertThat(cluster.onlyWorkload().at("/spec/podSets/0/count").asInt()).isEqualTo(2);
    assertThat(cluster.onlyWorkload().at("/spec/active").asBoolean()).isFalse();
    assertThat(cluster.eventReasons()).contains("UpdatedWorkload");
  }

  @ParameterizedTest
  @ValueSource(strings = {"nodeSelector", "labels", "volumes"})
  void keepsTheWorkloadWhenWhatItDoesNotNeedToKnowChanges(String what) {
    one.add(3, 3);
    cluster.change(
        KEY,
        it -> {
          ObjectNode template = it.withObject("/spec/template");
          switch (what) {
            case "nodeSelector" -> template.withObject("/spec/nodeSelector").put("a", "b");
            case "labels" -> template.withObject("/metadata/labels").put("a", "b");
            default ->
                template.withObject("/spec").putArray("volumes").addObject().put("name", "v");
          }
        });

    assertThat(cluster.plan(KEY)).isEqualTo(Plan.REST);
  }

  @Test
  void rewritesTheWorkloadOfAWaitingJobThatHasAMemberMore() {
    one.add(1, 1);
    cluster.change(
        KEY,
        it -> it.withObject("/spec/template/spec/containers/0/resources/limits").put("cpu", "1"));

    cluster.settle(KEY);

    assertThat(
            cluster
                .onlyWorkload()
                .at("/spec/podSets/0/template/spec/containers/0/resources/limits"))
        .isEqualTo(json("{'cpu': '1'}"));
  }

  @Test
  void followsTheQueueOfAJobThatWaits() {
    one.add(1, 1);
    cluster.change(
        KEY, it -> it.withObject("/metadata/labels").put("kueue.x-k8s.io/queue-name", "other"));

    cluster.settle(KEY);

    assertThat(cluster.onlyWorkload().at("/spec/queueName").asText()).isEqualTo("other");
  }
}
