package dev.sluice.jobs;

import static dev.sluice.jobs.Jobs.KEY;
import static dev.sluice.testkit.json.SingleQuoted.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.GroupKind;
import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.meta.Conditions;
import dev.sluice.jobs.plan.JobKey;
import dev.sluice.jobs.plan.Plan;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an admitted Job is started with, and what may not run. */
class StartedJobTest {
  private final TestCluster cluster = Jobs.cluster();
  private final OneJob one = new OneJob(cluster);

  @Test
  void saysThatPodsAreNotReadyOnlyIfTheyAreNotReadySoon() {
    cluster.add(Jobs.job("j", 2, 4));
    cluster.settle(KEY);
    assertThat(Conditions.find(cluster.onlyWorkload(), "PodsReady")).isEmpty();
    assertThat(cluster.plan(KEY).again()).contains(cluster.now().plusSeconds(2));

    cluster.pass(Duration.ofSeconds(2));
    cluster.settle(KEY);
    assertThat(one.condition("PodsReady").path("reason").asText()).isEqualTo("WaitForStart");
  }

  @Test
  void waitsAsLongForThePodsOfAnAdmittedOne() {
    cluster.add(Jobs.job("j", 2, 4));
    cluster.settle(KEY);
    cluster.pass(Duration.ofSeconds(1));
    cluster.changeWorkload(
        cluster.onlyWorkloadName(),
        it -> {
          Admissions.admit(it);
          ((ObjectNode) Conditions.find(it, "Admitted").orElseThrow())
              .put("lastTransitionTime", cluster.now().toString());
        });
    cluster.settle(KEY);
    cluster.pass(Duration.ofSeconds(1));
    cluster.settle(KEY);
    assertThat(Conditions.find(cluster.onlyWorkload(), "PodsReady")).isEmpty();
    assertThat(cluster.plan(KEY).again()).contains(cluster.now().plusSeconds(1));

    cluster.pass(Duration.ofSeconds(1));
    cluster.settle(KEY);
    assertThat(one.condition("PodsReady").path("reason").asText()).isEqualTo("WaitForStart");
  }

  @Test
  void leavesAJobSuspendedThatHasQuotaButIsNotAdmitted() {
    one.add(2, 4);
    cluster.changeWorkload(cluster.onlyWorkloadName(), it -> Admissions.reserve(it, 9));

    assertThat(cluster.plan(KEY)).isEqualTo(Plan.REST);
  }

  @Test
  void startsAnAdmittedJobWithTheSettingsOfItsFlavor() {
    one.run(2, 4, 9);

    JsonNode template = one.job().path("spec").path("template");
    assertThat(one.job().path("spec").path("suspend").asBoolean()).isFalse();
    assertThat(template.path("spec").path("nodeSelector"))
        .isEqualTo(json("{'disk': 'ssd', 'pool': 'p1'}"));
    assertThat(template.path("spec").path("tolerations").path(0).path("key").asText())
        .isEqualTo("spot");
    assertThat(template.path("metadata").path("labels"))
        .isEqualTo(
            json(
                """
                {'batch.kubernetes.io/controller-uid': 'u', 'batch.kubernetes.io/job-name': 'j',
                 'controller-uid': 'u', 'job-name': 'j', 'app': 'a',
                 'kueue.x-k8s.io/podset': 'main', 'kueue.x-k8s.io/local-queue-name': 'lq',
                 'kueue.x-k8s.io/cluster-queue-name': 'cq'}
                """));
    assertThat(template.path("metadata").path("annotations"))
        .isEqualTo(
            json("{'note': 'n', 'kueue.x-k8s.io/workload': '" + cluster.onlyWorkloadName() + "'}"));
    assertThat(one.job().path("spec").path("parallelism").asInt()).isEqualTo(2);
    assertThat(cluster.eventMessages()).contains("Started: Admitted by clusterQueue cq");
    assertThat(one.condition("PodsReady").path("reason").asText()).isEqualTo("Started");
  }

  @Test
  void addsWhatAdmissionChecksSayAndHoldsPodsForATopology() {
    one.add(2, 2);
    cluster.changeWorkload(
        cluster.onlyWorkloadName(),
        it -> {
          Admissions.admit(it);
          it.withObject("/status")
              .set(
                  "admissionChecks",
                  json("""
                  {'l': [{'name': 'ac', 'state': 'Ready', 'podSetUpdates': [{'name': 'main',
                    'labels': {'zone': 'z'}, 'annotations': {'why': 'w'}, 'nodeSelector': {'node': 'n'}}]}]}
                  """)
                      .path("l"));
          ((ObjectNode) it.at("/status/admission/podSetAssignments/0"))
              .putObject("topologyAssignment");
        });

    cluster.settle(KEY);

    JsonNode template = one.job().path("spec").path("template");
    assertThat(template.at("/metadata/labels/zone").asText()).isEqualTo("z");
    assertThat(template.at("/metadata/annotations/why").asText()).isEqualTo("w");
    assertThat(template.at("/spec/nodeSelector/node").asText()).isEqualTo("n");
    assertThat(template.at("/spec/schedulingGates/0/name").asText())
        .isEqualTo("kueue.x-k8s.io/topology");
    assertThat(
            template
                .path("metadata")
                .path("annotations")
                .has("kueue.x-k8s.io/podset-unconstrained-topology"))
        .isTrue();
  }

  @Test
  void finishesAWorkloadWhoseJobContradictsItsFlavor() {
    cluster.add(Jobs.job("j", 1, 1).replace("'disk': 'ssd'", "'pool': 'p2'"));
    cluster.settle(KEY);
    cluster.changeWorkload(cluster.onlyWorkloadName(), Admissions::admit);

    cluster.settle(KEY);

    assertThat(one.condition("Finished").path("reason").asText()).isEqualTo("FailedToStart");
    assertThat(one.condition("Finished").path("message").asText())
        .isEqualTo("Pod set main: nodeSelector[pool] is p2 already and cannot become p1");
    assertThat(one.job().path("spec").path("suspend").asBoolean()).isTrue();
  }

  @Test
  void waitsForAFlavorThatIsNotSeenYet() {
    one.add(1, 1);
    cluster.delete(JobKey.of(new GroupKind("kueue.x-k8s.io", "ResourceFlavor"), "", "rf"));
    cluster.changeWorkload(cluster.onlyWorkloadName(), Admissions::admit);

    Plan plan = cluster.plan(KEY);

    assertThat(plan.writes()).isEmpty();
    assertThat(plan.again()).contains(cluster.now().plusSeconds(2));
  }

  @Test
  void stopsAJobThatAUserStartedBeforeItWasAdmitted() {
    one.add(2, 2);
    cluster.forgetEvents();
    cluster.change(KEY, it -> it.withObject("/spec").put("suspend", false));
    cluster.change(KEY, Jobs::control);

    cluster.settle(KEY);

    assertThat(one.job().path("spec").path("suspend").asBoolean()).isTrue();
    assertThat(
            one.job().path("metadata").has("annotations")
                && one.job().at("/metadata/annotations").has("kueue.x-k8s.io/stopping"))
        .isFalse();
    assertThat(one.job().path("status").has("startTime")).isFalse();
    assertThat(cluster.eventMessages()).containsExactly("Stopped: Not admitted by cluster queue");
  }

  @Test
  void restartsAnAdmittedJobThatAUserSuspended() {
    one.run(2, 2, 9);
    cluster.change(KEY, it -> it.withObject("/spec").put("suspend", true));
    cluster.change(KEY, Jobs::control);

    cluster.settle(KEY);
    cluster.change(KEY, Jobs::control);
    cluster.settle(KEY);

    assertThat(one.job().path("spec").path("suspend").asBoolean()).isFalse();
    assertThat(one.condition("PodsReady").path("reason").asText()).isEqualTo("Recovered");
  }

  @Test
  void keepsTheNumberOfPodsWherePartialAdmissionIsOff() {
    TestCluster whole = Jobs.cluster(FeatureGate.PARTIAL_ADMISSION, false);
    ObjectNode job = json(Jobs.job("j", 4, 4));
    job.withObject("/metadata/annotations").put("kueue.x-k8s.io/job-min-parallelism", "2");
    whole.add(job.toString());
    whole.settle(KEY);
    String name = whole.onlyWorkloadName();

    // one Pod has succeeded before, and needs no quota
    whole.changeWorkload(name, it -> Admissions.admit(it, 3));
    whole.settle(KEY);
    whole.change(KEY, Jobs::control);
    whole.settle(KEY);

    assertThat(whole.get(KEY).at("/spec/parallelism").asInt()).isEqualTo(4);
    assertThat(whole.get(KEY).at("/spec/suspend").asBoolean()).isFalse();
    assertThat(whole.eventReasons()).containsExactly("CreatedWorkload", "Started");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void runsAJobWithFewerPodsAndPutsTheirNumberBack(boolean withCompletions) {
    ObjectNode job = json(Jobs.job("j", 6, 6));
    ObjectNode annotations =
        job.withObject("/metadata/annotations").put("kueue.x-k8s.io/job-min-parallelism", "3");
    if (withCompletions) {
      annotations.put("kueue.x-k8s.io/job-completions-equal-parallelism", "true");
    }
    cluster.add(job.toString());
    cluster.settle(KEY);
    assertThat(cluster.onlyWorkload().at("/spec/podSets/0/minCount").asInt()).isEqualTo(3);
    cluster.changeWorkload(cluster.onlyWorkloadName(), it -> Admissions.admit(it, 4));

    cluster.settle(KEY);
    cluster.change(KEY, Jobs::control);
    cluster.settle(KEY);

    assertThat(one.job().at("/spec/parallelism").asInt()).isEqualTo(4);
    assertThat(one.job().at("/spec/completions").asInt()).isEqualTo(withCompletions ? 4 : 6);
    assertThat(one.condition("PodsReady").path("status").asText()).isEqualTo("True");

    cluster.changeWorkload(
        cluster.onlyWorkloadName(), it -> Admissions.evict(it, "ClusterQueueStopped", "m"));
    cluster.settle(KEY);
    cluster.change(KEY, Jobs::control);
    cluster.settle(KEY);

    assertThat(one.job().at("/spec/parallelism").asInt()).isEqualTo(6);
    assertThat(one.job().at("/spec/completions").asInt()).isEqualTo(6);
  }
}
