package dev.sluice.jobs;

import static dev.sluice.jobs.KindJobs.TEMPLATE;
import static dev.sluice.testkit.json.SingleQuoted.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.configuration.Framework;
import dev.sluice.jobs.plan.JobKey;
import dev.sluice.jobs.reconcile.Job;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The jobs of kubeflow.org/v1 and the MPIJob: roles with replicas. */
class ReplicaJobTest {
  private static final JobKey KEY = KindJobs.key(Framework.PYTORCH_JOB);
  private static final String TWO_ROLES = spec("pytorchReplicaSpecs", "Worker:2 Master:1");

  /**
   * A spec.
   *
   * @param roles such as {@code Worker:2 Master}; without a number replicas are absent
   */
  private static String spec(String field, String roles) {
    String entries =
        Arrays.stream(roles.split(" "))
            .map(it -> it.split(":"))
            .map(
                it ->
                    "'%s': {%s 'template': %s}"
                        .formatted(
                            it[0], it.length > 1 ? "'replicas': " + it[1] + "," : "", TEMPLATE))
            .collect(Collectors.joining(", "));
    return "{'runPolicy': {'suspend': true}, '%s': {%s}}".formatted(field, entries);
  }

  @ParameterizedTest(name = "{0} with {2}: {3}")
  @CsvSource({
    "PYTORCH_JOB, pytorchReplicaSpecs, Worker:2 Master:1, master=1 worker=2",
    "PYTORCH_JOB, pytorchReplicaSpecs, Worker, worker=1",
    "TF_JOB, tfReplicaSpecs, Evaluator:1 Worker:4 PS:2 Master:1 Chief:1, "
        + "chief=1 master=1 ps=2 worker=4 evaluator=1",
    "TF_JOB, tfReplicaSpecs, Worker:4 PS:2, ps=2 worker=4",
    "PADDLE_JOB, paddleReplicaSpecs, Worker:3 Master, master=1 worker=3",
    "XGBOOST_JOB, xgbReplicaSpecs, Worker:3 Master:1, master=1 worker=3",
    "JAX_JOB, jaxReplicaSpecs, Worker:3, worker=3",
    "JAX_JOB, jaxReplicaSpecs, Master:1 Worker:3, worker=3",
    "MPI_JOB, mpiReplicaSpecs, Worker:3 Launcher, launcher=1 worker=3",
    "MPI_JOB, mpiReplicaSpecs, Worker:0 Launcher:1, launcher=1 worker=0"
  })
  void aRoleIsAPodSetInTheOrderOfTheKind(
      Framework framework, String field, String roles, String podSets) {
    Job job = KindJobs.read(framework, KindJobs.object(framework, spec(field, roles)));

    assertThat(KindJobs.counts(job.podSets())).containsExactly(podSets.split(" "));
    assertThat(job.podSets())
        .extracting(it -> it.topology().toString())
        .containsOnly("{\"podIndexLabel\":\"training.kubeflow.org/replica-index\"}");
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "{} | inactive",
        "{'replicaStatuses': {'Master': {'active': 1}, 'Worker': {}}} | active",
        "{'replicaStatuses': {'Master': {'succeeded': 1}, 'Worker': {'active': 2}}} | active",
        "{'replicaStatuses': {'Master': {'active': 0, 'failed': 1}}} | inactive",
        "{'conditions': [{'type': 'Running', 'status': 'True'}]} | inactive ready",
        "{'conditions': [{'type': 'Running', 'status': 'False'}]} | inactive",
        "{'conditions': [{'type': 'Created', 'status': 'True', 'message': 'm'}]} | inactive",
        "{'conditions': [{'type': 'Succeeded', 'status': 'True', 'message': 'all done'}]}"
            + " | inactive succeeded: all done",
        "{'conditions': [{'type': 'Failed', 'status': 'True', 'message': 'exit 1'}]}"
            + " | inactive failed: exit 1",
        "{'conditions': [{'type': 'Failed', 'status': 'False', 'message': 'exit 1'}]} | inactive"
      })
  void readsItsProgressFromItsStatus(String status, String state) {
    for (Framework framework : List.of(Framework.PYTORCH_JOB, Framework.MPI_JOB)) {
      assertThat(KindJobs.state(KindJobs.read(framework, "{}", status))).isEqualTo(state);
    }
  }

  @ParameterizedTest(name = "policy {0}, master {1}, worker {2}: {3}")
  @CsvSource({"own, m, w, own", "'', m, w, m", "'', '', w, w", "'', '', '', ''"})
  void itsPriorityClassIsThatOfThePolicyElseOfTheFirstRole(
      String policy, String master, String worker, String expected) {
    TestCluster cluster = KindJobs.cluster(Framework.PYTORCH_JOB);
    for (String name : List.of("own", "m", "w")) {
      cluster.add(
          ("{'apiVersion': 'scheduling.k8s.io/v1', 'kind': 'PriorityClass',"
                  + " 'metadata': {'name': '%s'}, 'value': 7}")
              .formatted(name));
    }
    ObjectNode job = KindJobs.object(Framework.PYTORCH_JOB, TWO_ROLES);
    job.withObject("/spec/runPolicy/schedulingPolicy").put("priorityClass", policy);
    ObjectNode roles = job.withObject("/spec/pytorchReplicaSpecs");
    roles.withObject("/Master/template/spec").put("priorityClassName", master);
    roles.withObject("/Worker/template/spec").put("priorityClassName", worker);
    cluster.add(job.toString());

    cluster.settle(KEY);

    JsonNode spec = cluster.onlyWorkload().path("spec");
    assertThat(spec.at("/priorityClassRef/name").asText()).isEqualTo(expected);
    assertThat(spec.path("priority").asInt()).isEqualTo(expected.isEmpty() ? 0 : 7);
  }

  @Test
  void startsWithTheAssignmentAndIsRestoredExactly() {
    TestCluster cluster = KindJobs.cluster(Framework.PYTORCH_JOB);
    ObjectNode job = KindJobs.object(Framework.PYTORCH_JOB, TWO_ROLES);
    ObjectNode master = job.withObject("/spec/pytorchReplicaSpecs/Master/template");
    master.remove("metadata");
    master.withObject("/spec").putArray("tolerations");
    master.withObject("/spec").putObject("nodeSelector");
    cluster.add(job.toString());
    cluster.settle(KEY);
    JsonNode before = cluster.get(KEY).path("spec");

    cluster.changeWorkload(cluster.onlyWorkloadName(), Admissions::admit);
    cluster.settle(KEY);

    JsonNode running = cluster.get(KEY).path("spec");
    assertThat(running.at("/runPolicy/suspend").asBoolean()).isFalse();
    assertThat(running.has("suspend")).isFalse();
    assertThat(running.at("/pytorchReplicaSpecs/Worker/template"))
        .isEqualTo(
            json(
                """
                {'metadata': {'labels': {'a': 'b', 'kueue.x-k8s.io/podset': 'worker',
                   'kueue.x-k8s.io/local-queue-name': 'lq',
                   'kueue.x-k8s.io/cluster-queue-name': 'cq'},
                  'annotations': {'kueue.x-k8s.io/workload': '%s'}},
                 'spec': {'containers': [{'name': 'c', 'image': 'i'}],
                  'nodeSelector': {'pool': 'p1'},
                  'tolerations': [
                    {'key': 'spot', 'operator': 'Exists', 'effect': 'NoSchedule'}]}}
                """
                    .formatted(cluster.onlyWorkloadName())));

    cluster.changeWorkload(
        cluster.onlyWorkloadName(), it -> Admissions.evict(it, "Preempted", "m"));
    cluster.settle(KEY);

    assertThat(cluster.get(KEY).path("spec").toString()).isEqualTo(before.toString());
    assertThat(cluster.eventReasons()).containsExactly("CreatedWorkload", "Started", "Stopped");
  }
}
