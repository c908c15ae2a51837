package dev.sluice.jobs;

import static dev.sluice.jobs.KindJobs.TEMPLATE;
import static dev.sluice.testkit.json.SingleQuoted.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.configuration.Framework;
import dev.sluice.jobs.plan.JobKey;
import dev.sluice.jobs.plan.RemoteStop;
import dev.sluice.jobs.workload.WorkloadView;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Jobs that MultiKueue runs on another cluster: their status is a copy, which says active. */
class JobElsewhereTest {
  /** The kinds that tell in their own way that Pods run. */
  enum Kind {
    JOB(
        Framework.JOB,
        "{'suspend': true, 'parallelism': 2, 'template': POD}",
        "{'active': 2, 'startTime': '2026-11-21T12:00:00Z'}",
        "/spec",
        "parallelism"),
    JOB_SET(
        Framework.JOB_SET,
        "{'suspend': true, 'replicatedJobs': [{'name': 'a', 'replicas': 2,"
            + " 'template': {'spec': {'template': POD}}}]}",
        "{'replicatedJobsStatus': [{'name': 'a', 'active': 2}]}",
        "/spec/replicatedJobs/0",
        "replicas"),
    PYTORCH_JOB(
        Framework.PYTORCH_JOB,
        "{'runPolicy': {'suspend': true},"
            + " 'pytorchReplicaSpecs': {'Worker': {'replicas': 2, 'template': POD}}}",
        "{'replicaStatuses': {'Worker': {'active': 2}}}",
        "/spec/pytorchReplicaSpecs/Worker",
        "replicas"),
    RAY_CLUSTER(
        Framework.RAY_CLUSTER,
        "{'suspend': true, 'headGroupSpec': {'template': POD},"
            + " 'workerGroupSpecs': [{'groupName': 'w', 'replicas': 2, 'template': POD}]}",
        "{'state': 'ready'}",
        "/spec/workerGroupSpecs/0",
        "replicas");

    private final Framework framework;
    private final String spec;
    private final String running;
    private final String sized;
    private final String size;

    Kind(Framework framework, String spec, String running, String sized, String size) {
      this.framework = framework;
      this.spec = spec.replace("POD", TEMPLATE);
      this.running = running;
      this.sized = sized;
      this.size = size;
    }

    TestCluster cluster() {
      TestCluster cluster = KindJobs.cluster(framework);
      ObjectNode job = KindJobs.object(framework, spec);
      boolean hasRunPolicy = this == PYTORCH_JOB;
      job.withObject(hasRunPolicy ? "/spec/runPolicy" : "/spec")
          .put("managedBy", "kueue.x-k8s.io/multikueue");
      cluster.remoteStop = RemoteStop.MAY_RUN;
      cluster.add(job.toString());
      cluster.settle(key());
      return cluster;
    }

    /** One whose copied status says that its Pods run. */
    TestCluster running() {
      TestCluster cluster = cluster();
      cluster.changeWorkload(cluster.onlyWorkloadName(), Admissions::admit);
      cluster.settle(key());
      cluster.change(key(), it -> it.set("status", json(running)));
      cluster.settle(key());
      return cluster;
    }

    JobKey key() {
      return KindJobs.key(framework);
    }

    void grow(TestCluster cluster) {
      cluster.change(key(), it -> ((ObjectNode) it.at(sized)).put(size, 3));
      cluster.settle(key());
    }
  }

  private static List<Integer> counts(JsonNode workload) {
    return workload.at("/spec/podSets").valueStream().map(it -> it.path("count").asInt()).toList();
  }

  private static boolean isBeingDeleted(JsonNode workload) {
    return workload.path("metadata").has("deletionTimestamp");
  }

  private static boolean holdsQuota(JsonNode workload) {
    return new WorkloadView(workload).hasReservation();
  }

  @ParameterizedTest
  @EnumSource
  void getsAWorkloadOfItsNewSizeOnceTheOldOneRunsNowhere(Kind kind) {
    TestCluster cluster = kind.running();

    kind.grow(cluster);

    assertThat(isBeingDeleted(cluster.onlyWorkload())).as("so that workers stop it").isTrue();
    assertThat(holdsQuota(cluster.onlyWorkload())).isTrue();

    cluster.remoteStop = RemoteStop.CERTAIN;
    cluster.settle(kind.key());

    assertThat(counts(cluster.onlyWorkload())).last().isEqualTo(3);
    assertThat(holdsQuota(cluster.onlyWorkload())).isFalse();
  }

  @ParameterizedTest
  @EnumSource
  void isQueuedAgainAfterItsWorkloadWasDeleted(Kind kind) {
    TestCluster cluster = kind.running();
    JsonNode first = cluster.onlyWorkload();
    cluster.delete(JobKey.of(WorkloadView.KIND, "ns", cluster.onlyWorkloadName()));

    cluster.settle(kind.key());
    assertThat(holdsQuota(cluster.onlyWorkload())).as("it may run there").isTrue();

    cluster.remoteStop = RemoteStop.CERTAIN;
    cluster.settle(kind.key());

    assertThat(cluster.onlyWorkload().at("/metadata/uid")).isNotEqualTo(first.at("/metadata/uid"));
    assertThat(holdsQuota(cluster.onlyWorkload())).isFalse();
  }

  /** It was moved to a queue whose Workloads stay here: nobody runs it. */
  @ParameterizedTest
  @EnumSource
  void givesItsQuotaBackAtOnceWhereItsWorkloadIsNotSentElsewhere(Kind kind) {
    TestCluster cluster = kind.running();
    cluster.remoteStop = RemoteStop.LOCAL;
    cluster.changeWorkload(
        cluster.onlyWorkloadName(), it -> Admissions.evict(it, "Preempted", "m"));

    cluster.settle(kind.key());

    assertThat(holdsQuota(cluster.onlyWorkload())).isFalse();
  }

  @ParameterizedTest
  @EnumSource
  void givesItsQuotaToAPreemptorThoughItWasChangedMeanwhile(Kind kind) {
    TestCluster cluster = kind.running();
    cluster.changeWorkload(
        cluster.onlyWorkloadName(), it -> Admissions.evict(it, "Preempted", "m"));
    cluster.settle(kind.key());

    kind.grow(cluster);
    cluster.remoteStop = RemoteStop.CERTAIN;
    cluster.settle(kind.key());

    assertThat(holdsQuota(cluster.onlyWorkload())).isFalse();
    assertThat(counts(cluster.onlyWorkload())).last().isEqualTo(3);
  }
}
