package dev.sluice.jobs;

import static dev.sluice.testkit.json.SingleQuoted.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.configuration.Framework;
import dev.sluice.api.write.MergePatch;
import dev.sluice.jobs.plan.JobKey;
import dev.sluice.jobs.plan.JobSettings;
import dev.sluice.jobs.reconcile.Job;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class SparkApplicationTest {
  private static final JobKey KEY = KindJobs.key(Framework.SPARK_APPLICATION);
  private static final String DRIVER = "/driver";

  private static JobSettings settings(boolean gate) {
    JobSettings plain = Jobs.settings(List.of(Framework.SPARK_APPLICATION), false);
    return new JobSettings(
        plain.management(),
        plain.gates().with(FeatureGate.SPARK_APPLICATION_INTEGRATION, gate),
        plain.watchesReadiness(),
        plain.afterDeactivated(),
        plain.customKinds());
  }

  private static Job read(String spec) {
    return KindJobs.read(
        Framework.SPARK_APPLICATION, KindJobs.object(Framework.SPARK_APPLICATION, spec));
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "{'driver': {}, 'executor': {'instances': 3}} | driver=1 executor=3",
        "{'driver': {}, 'executor': {}} | driver=1 executor=1",
        "{'sparkConf': {'spark.executor.instances': '4'}, 'executor': {}} | driver=1 executor=4",
        "{'sparkConf': {'spark.executor.instances': '4'}, 'executor': {'instances': 2}}"
            + " | driver=1 executor=2"
      })
  void itHasADriverAndItsExecutors(String spec, String podSets) {
    assertThat(String.join(" ", KindJobs.counts(read(spec).podSets()))).isEqualTo(podSets);
  }

  @ParameterizedTest(name = "{0}: {1} and {2}")
  @CsvSource(
      delimiter = '|',
      value = {
        "{} | 1, 1408Mi | 1, 1408Mi",
        "{'driver': {'cores': 2, 'memory': '4g'}, 'executor': {'cores': 4, 'memory': '512m'}}"
            + " | 2, 4505Mi | 4, 896Mi",
        "{'driver': {'cores': 2, 'coreRequest': '500m'}, 'executor': {'coreRequest': '1.5'}}"
            + " | 500m, 1408Mi | 1.5, 1408Mi",
        "{'driver': {'memory': '10g', 'memoryOverhead': '1g'}, 'executor': {'memoryOverhead':"
            + " '100'}} | 1, 11264Mi | 1, 1124Mi",
        "{'memoryOverheadFactor': '0.5', 'driver': {'memory': '2048'}, 'executor': {'memory':"
            + " '2gb'}} | 1, 3072Mi | 1, 3072Mi",
        "{'type': 'Python', 'driver': {'memory': '2g'}, 'executor': {'memory': '2g'}}"
            + " | 1, 2867Mi | 1, 2867Mi",
        "{'type': 'Python', 'sparkConf': {'spark.executor.pyspark.memory': '1g',"
            + " 'spark.kubernetes.memoryOverheadFactor': '0'}} | 1, 1408Mi | 1, 2432Mi",
        "{'sparkConf': {'spark.memory.offHeap.enabled': 'true',"
            + " 'spark.memory.offHeap.size': '1073741824'}} | 1, 1408Mi | 1, 2432Mi",
        "{'sparkConf': {'spark.memory.offHeap.size': '1g'}} | 1, 1408Mi | 1, 1408Mi",
        "{'sparkConf': {'spark.driver.memory': '1t', 'spark.driver.cores': '8',"
            + " 'spark.driver.memoryOverhead': '0', 'spark.executor.cores': '3',"
            + " 'spark.kubernetes.executor.request.cores': '2500m'}}"
            + " | 8, 1048576Mi | 2500m, 1408Mi",
        "{'sparkConf': {'spark.driver.memory': '2g'}, 'driver': {'memory': '1g'}}"
            + " | 1, 1408Mi | 1, 1408Mi",
        "{'driver': {'memory': 'much'}, 'executor': {'memory': '99999999999999p'}}"
            + " | 1, 1408Mi | 1, 4837851162214Mi"
      })
  void itRequestsWhatSparkRequests(String spec, String driver, String executor) {
    Job job = read(spec);

    assertThat(requests(job, 0)).isEqualTo(driver);
    assertThat(requests(job, 1)).isEqualTo(executor);
  }

  private static String requests(Job job, int podSet) {
    JsonNode container = job.podSets().get(podSet).template().at("/spec/containers/0");
    JsonNode requests = container.at("/resources/requests");
    assertThat(container.at("/resources/limits/memory")).isEqualTo(requests.path("memory"));
    return requests.path("cpu").asText() + ", " + requests.path("memory").asText();
  }

  @Test
  void itsPodsAreThoseOfRoleAndTemplate() {
    Job job =
        read(
            """
            {'image': 'spark', 'driver': {
              'labels': {'a': 'b'}, 'annotations': {'kueue.x-k8s.io/podset-required-topology': 'r'},
              'coreLimit': '2', 'gpu': {'name': 'nvidia.com/gpu', 'quantity': 1},
              'priorityClassName': 'high', 'tolerations': [{'key': 'role'}],
              'nodeSelector': {'of': 'role'},
              'sidecars': [{'name': 'side'}], 'initContainers': [{'name': 'init'}],
              'template': {'metadata': {'labels': null}, 'spec': {
                'nodeSelector': {'in': 'template'}, 'tolerations': [{'key': 'template'}],
                'containers': [{'name': 'first'}, {'name': 'spark-kubernetes-driver',
                  'resources': {'limits': {'example.com/card': '1'}}}]}}}}
            """);

    assertThat(job.podSets().getFirst().template())
        .isEqualTo(
            json(
                """
                {'metadata': {'labels': {'a': 'b'},
                   'annotations': {'kueue.x-k8s.io/podset-required-topology': 'r'}},
                 'spec': {'priorityClassName': 'high',
                   'nodeSelector': {'in': 'template', 'of': 'role'},
                   'tolerations': [{'key': 'template'}, {'key': 'role'}],
                   'initContainers': [{'name': 'init'}],
                   'containers': [{'name': 'first'},
                     {'name': 'spark-kubernetes-driver', 'image': 'spark', 'resources': {
                       'requests': {'cpu': '1', 'memory': '1408Mi', 'nvidia.com/gpu': '1'},
                       'limits': {'example.com/card': '1', 'cpu': '2', 'memory': '1408Mi',
                         'nvidia.com/gpu': '1'}}},
                     {'name': 'side'}]}}
                """));
    assertThat(job.podSets().getFirst().topology()).isEqualTo(json("{'required': 'r'}"));
    assertThat(job.podSets().getLast().topology()).isEmpty();
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "{} | inactive",
        "{'applicationState': {'state': 'SUBMITTED'}} | active",
        "{'applicationState': {'state': 'RUNNING'}} | active",
        "{'applicationState': {'state': 'RUNNING'}, 'executorState': {'a': 'RUNNING',"
            + " 'b': 'PENDING'}} | active",
        "{'applicationState': {'state': 'RUNNING'}, 'executorState': {'a': 'RUNNING',"
            + " 'b': 'COMPLETED'}} | active ready",
        "{'applicationState': {'state': 'SUBMITTED'}, 'executorState': {'a': 'RUNNING',"
            + " 'b': 'RUNNING'}} | active",
        "{'applicationState': {'state': 'SUSPENDING'}} | active",
        "{'applicationState': {'state': 'PENDING_RERUN'}} | active",
        "{'applicationState': {'state': 'SUSPENDED'}} | inactive",
        "{'applicationState': {'state': 'COMPLETED'}}"
            + " | inactive succeeded: The application is COMPLETED",
        "{'applicationState': {'state': 'FAILED', 'errorMessage': 'exit 1'}}"
            + " | inactive failed: exit 1",
        "{'applicationState': {'state': 'SUBMISSION_FAILED', 'errorMessage': 'no image'}}"
            + " | inactive failed: no image"
      })
  void readsItsProgressFromItsStatus(String status, String state) {
    String spec = "{'executor': {'instances': 2}}";

    assertThat(KindJobs.state(KindJobs.read(Framework.SPARK_APPLICATION, spec, status)))
        .isEqualTo(state);
  }

  private static TestCluster waiting(String spec) {
    var cluster = new TestCluster(settings(true));
    cluster.add(Jobs.FLAVOR);
    cluster.add(KindJobs.object(Framework.SPARK_APPLICATION, spec).toString());
    cluster.settle(KEY);
    return cluster;
  }

  private static void evict(TestCluster cluster) {
    cluster.changeWorkload(
        cluster.onlyWorkloadName(), it -> Admissions.evict(it, "Preempted", "m"));
    cluster.settle(KEY);
  }

  private static void admit(TestCluster cluster) {
    cluster.changeWorkload(cluster.onlyWorkloadName(), Admissions::admit);
    cluster.settle(KEY);
  }

  @Test
  void aNodeSelectorOfTheApplicationBecomesThatOfBothRolesWhileItRuns() {
    TestCluster cluster =
        waiting("{'suspend': true, 'nodeSelector': {'disk': 'ssd'}, 'driver': {}, 'executor': {}}");
    assertThat(cluster.onlyWorkload().at("/spec/podSets/1/template/spec/nodeSelector"))
        .isEqualTo(json("{'disk': 'ssd'}"));

    admit(cluster);

    JsonNode running = cluster.get(KEY).path("spec");
    assertThat(running.has("nodeSelector")).isFalse();
    for (String role : List.of(DRIVER, "/executor")) {
      assertThat(running.at(role + "/nodeSelector"))
          .isEqualTo(json("{'disk': 'ssd', 'pool': 'p1'}"));
    }
    assertThat(running.at("/driver/labels/kueue.x-k8s.io~1podset").asText()).isEqualTo("driver");
    assertThat(running.at("/executor/tolerations/0/key").asText()).isEqualTo("spot");
    assertThat(running.path("driver").has("template")).isFalse();
  }

  /** Specs in which an admission finds and adds something in each place that it writes to. */
  private static List<String> specs() {
    return List.of(
        "{'suspend': true, 'nodeSelector': {'disk': 'ssd'}, 'driver': {}, 'executor': {}}",
        "{'suspend': true, 'driver': {'nodeSelector': {'disk': 'ssd'}},"
            + " 'executor': {'nodeSelector': {'disk': 'ssd'}}}",
        "{'suspend': true, 'driver': {'labels': {'a': 'b'}, 'annotations': {}, 'tolerations': ["
            + "{'key': 'x'}]}, 'executor': {'tolerations': []}}",
        "{'suspend': true, 'driver': {'template': {'spec': {'containers': [{'name': 'c'}],"
            + " 'nodeSelector': {'disk': 'ssd'}}}}, 'executor': {}}");
  }

  @ParameterizedTest
  @MethodSource("specs")
  void itIsPutBackExactly(String spec) {
    TestCluster cluster = waiting(spec);

    admit(cluster);
    assertThat(cluster.get(KEY).at("/spec/suspend").asBoolean()).isFalse();
    evict(cluster);

    assertThat(cluster.get(KEY).path("spec")).isEqualTo(json(spec));
    assertThat(cluster.get(KEY).path("metadata").has("annotations")).isFalse();
  }

  @ParameterizedTest
  @MethodSource("specs")
  void itIsPutBackExactlyThoughItWasSuspendedByHandAndStartedTwice(String spec) {
    TestCluster cluster = waiting(spec);
    admit(cluster);
    JsonNode running = cluster.get(KEY).path("spec");

    cluster.change(KEY, it -> it.withObject("/spec").put("suspend", true));
    cluster.settle(KEY);
    assertThat(cluster.get(KEY).path("spec")).isEqualTo(running);
    evict(cluster);

    assertThat(cluster.get(KEY).path("spec")).isEqualTo(json(spec));
  }

  /** As {@code kubectl apply} does, which leaves what the manifest does not name. */
  @ParameterizedTest
  @MethodSource("specs")
  void itIsPutBackExactlyThoughItsManifestWasAppliedWhileItRan(String spec) {
    TestCluster cluster = waiting(spec);
    admit(cluster);

    cluster.change(KEY, it -> it.set("spec", MergePatch.applied(it.path("spec"), json(spec))));
    cluster.settle(KEY);
    assertThat(cluster.get(KEY).at("/spec/suspend").asBoolean()).isFalse();
    evict(cluster);

    assertThat(cluster.get(KEY).path("spec")).isEqualTo(json(spec));
  }

  @Test
  void aLabelThatItsUserAddedBetweenTwoStartsIsKept() {
    TestCluster cluster =
        waiting("{'suspend': true, 'nodeSelector': {'disk': 'ssd'}, 'driver': {}, 'executor': {}}");
    admit(cluster);

    cluster.change(
        KEY,
        it -> {
          it.withObject("/spec").put("suspend", true);
          it.withObject("/spec/driver/labels").put("team", "a");
        });
    cluster.settle(KEY);
    evict(cluster);

    assertThat(cluster.get(KEY).at("/spec/driver/labels")).isEqualTo(json("{'team': 'a'}"));
    assertThat(cluster.get(KEY).at("/spec/nodeSelector/disk").asText()).isEqualTo("ssd");
  }

  @Test
  void itsOwnTemplateGetsWhatTheRoleGets() {
    TestCluster cluster =
        waiting(
            "{'suspend': true, 'driver': {'template': {'spec': {'containers': []}}},"
                + " 'executor': {}}");

    admit(cluster);

    JsonNode driver = cluster.get(KEY).at("/spec/driver");
    assertThat(driver.at("/template/spec/nodeSelector/pool").asText()).isEqualTo("p1");
    assertThat(driver.at("/nodeSelector/pool").asText()).isEqualTo("p1");
  }

  @Test
  void itsPodsWaitForTheirPlacesBehindAGateInATemplate() {
    TestCluster cluster = waiting("{'suspend': true, 'driver': {}, 'executor': {}}");
    cluster.changeWorkload(
        cluster.onlyWorkloadName(),
        workload -> {
          Admissions.admit(workload);
          ((ObjectNode) workload.at("/status/admission/podSetAssignments/1"))
              .putObject("topologyAssignment");
        });
    cluster.settle(KEY);

    JsonNode running = cluster.get(KEY).path("spec");
    assertThat(running.at("/executor/template/spec/schedulingGates/0/name").asText())
        .isEqualTo("kueue.x-k8s.io/topology");
    assertThat(running.at("/driver").has("template")).isFalse();

    evict(cluster);
    assertThat(cluster.get(KEY).at("/spec/executor")).isEmpty();
  }

  @Test
  void oneThatAnotherSystemStartedIsPutBackByItsWorkload() {
    TestCluster cluster =
        waiting("{'suspend': true, 'driver': {'nodeSelector': {'a': 'b'}}, 'executor': {}}");
    admit(cluster);
    cluster.change(KEY, it -> it.withObject("/metadata").remove("annotations"));

    evict(cluster);

    assertThat(cluster.get(KEY).path("spec"))
        .isEqualTo(
            json("{'suspend': true, 'driver': {'nodeSelector': {'a': 'b'}}, 'executor': {}}"));
  }

  @Test
  void itIsLeftAloneWithoutItsFeatureGate() {
    var cluster = new TestCluster(settings(false));
    cluster.add(
        KindJobs.object(Framework.SPARK_APPLICATION, "{'driver': {}, 'executor': {}}").toString());
    cluster.settle(KEY);

    assertThat(cluster.planner().kinds()).isEmpty();
    assertThat(cluster.workloads()).isEmpty();
  }
}
