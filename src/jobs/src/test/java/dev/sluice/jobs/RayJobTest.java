package dev.sluice.jobs;

import static dev.sluice.jobs.Rays.JOB;
import static dev.sluice.testkit.json.SingleQuoted.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.meta.Conditions;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A RayJob: a Ray cluster for one task. */
class RayJobTest {
  private TestCluster world = Rays.world();

  private void add(ObjectNode job) {
    world.add(job.toString());
    world.settle(JOB);
  }

  private void admit() {
    world.changeWorkload(world.onlyWorkloadName(), Admissions::admit);
    world.settle(JOB);
  }

  private void evict() {
    world.changeWorkload(world.onlyWorkloadName(), it -> Admissions.evict(it, "Preempted", "m"));
    world.settle(JOB);
  }

  private void says(String status) {
    world.change(JOB, it -> it.set("status", json(status)));
    world.settle(JOB);
  }

  private JsonNode job() {
    return world.get(JOB);
  }

  private boolean isTrue(String condition) {
    return Conditions.isTrue(world.onlyWorkload(), condition);
  }

  private String text(String condition) {
    return Conditions.find(world.onlyWorkload(), condition)
        .map(it -> it.path("reason").asText() + ": " + it.path("message").asText())
        .orElse("");
  }

  private static ObjectNode submitted(String mode) {
    ObjectNode job = Rays.job();
    if (mode == null) {
      job.withObject("/spec").remove("submissionMode");
    } else {
      job.withObject("/spec").put("submissionMode", mode);
    }
    return job;
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "K8sJobMode,head small hosts submitter",
    ",head small hosts submitter",
    "HTTPMode,head small hosts",
    "InteractiveMode,head small hosts",
    "SidecarMode,head small hosts"
  })
  void asksForThePodsOfItsClusterAndForItsSubmitter(String mode, String names) {
    add(submitted(mode));

    assertThat(world.onlyWorkloadName()).startsWith("rayjob-j-");
    assertThat(Rays.names(world.onlyWorkload())).containsExactly(names.split(" "));
    assertThat(Rays.counts(world.onlyWorkload()).subList(0, 3)).containsExactly(1, 2, 8);
  }

  private static final String SUBMITTER =
      """
      {'name': 'ray-job-submitter', 'image': 'ray:2', 'resources': {
        'requests': {'cpu': '500m', 'memory': '200Mi'}, 'limits': {'cpu': '1', 'memory': '1Gi'}}}
      """;

  @Test
  void asksForTheSubmitterThatItsOperatorWouldMake() {
    add(submitted("K8sJobMode"));

    JsonNode submitter = world.onlyWorkload().at("/spec/podSets/3");
    assertThat(submitter.path("count").asInt()).isEqualTo(1);
    assertThat(submitter.at("/template/spec/containers/0")).isEqualTo(json(SUBMITTER));
    assertThat(submitter.at("/template/spec/restartPolicy").asText()).isEqualTo("Never");
  }

  @Test
  void asksForTheSubmitterBesideTheHead() {
    add(submitted("SidecarMode"));

    JsonNode containers = world.onlyWorkload().at("/spec/podSets/0/template/spec/containers");
    assertThat(containers).hasSize(2);
    assertThat(containers.path(1)).isEqualTo(json(SUBMITTER));
  }

  @Test
  void asksForTheSubmitterThatTheJobDescribes() {
    ObjectNode job = submitted("K8sJobMode");
    job.withObject("/spec/submitterPodTemplate/spec")
        .putArray("containers")
        .addObject()
        .put("name", "mine");
    add(job);

    assertThat(world.onlyWorkload().at("/spec/podSets/3/template/spec/containers/0"))
        .isEqualTo(json("{'name': 'mine'}"));
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(strings = {"K8sJobMode", "SidecarMode", "HTTPMode"})
  void startsWithTheSettingsOfItsFlavorsAndIsRestoredExactly(String mode) {
    add(submitted(mode));
    JsonNode before = job().path("spec");
    admit();
    JsonNode running = job().path("spec");

    assertThat(running.path("suspend").asBoolean()).isFalse();
    assertThat(running.at("/rayClusterSpec/headGroupSpec/template/spec/nodeSelector/pool").asText())
        .isEqualTo("p1");
    assertThat(running.has("submitterPodTemplate")).isEqualTo(mode.equals("K8sJobMode"));
    evict();

    assertThat(job().path("spec")).isEqualTo(before);
    assertThat(isTrue("QuotaReserved")).isFalse();
  }

  @Test
  void placesItsSubmitter() {
    add(submitted("K8sJobMode"));
    admit();

    JsonNode submitter = job().at("/spec/submitterPodTemplate");
    assertThat(submitter.at("/spec/nodeSelector/pool").asText()).isEqualTo("p1");
    assertThat(submitter.at("/spec/containers/0")).isEqualTo(json(SUBMITTER));
    assertThat(submitter.at("/metadata/labels").path("kueue.x-k8s.io/podset").asText())
        .isEqualTo("submitter");
    world.settle(JOB);
    assertThat(job().at("/spec/suspend").asBoolean()).as("it is what it asked for").isFalse();
  }

  @Test
  void putsTheSubmitterBackThatTheJobDescribes() {
    ObjectNode job = submitted("K8sJobMode");
    job.withObject("/spec/submitterPodTemplate/spec")
        .putArray("containers")
        .addObject()
        .put("name", "mine");
    add(job);
    JsonNode before = job().path("spec");
    admit();
    evict();

    assertThat(job().path("spec").path("submitterPodTemplate"))
        .isEqualTo(before.path("submitterPodTemplate"));
  }

  @Test
  void waitsForNothingWhereItUsesAClusterOfOthers() {
    ObjectNode job = Rays.job();
    job.withObject("/spec").remove("rayClusterSpec");
    job.withObject("/spec/clusterSelector").put("ray.io/cluster", "c");
    add(job);

    assertThat(world.workloads()).isEmpty();
    assertThat(world.plan(JOB).again()).isEmpty();
  }

  @ParameterizedTest(name = "{0} {1}")
  @CsvSource({
    "Complete,SUCCEEDED,Succeeded: m",
    "Complete,STOPPED,Failed: m",
    "Complete,FAILED,Failed: m",
    "Failed,FAILED,Failed: m",
    "Failed,'',Failed: m",
    "Running,SUCCEEDED,''",
    "Retrying,FAILED,''",
    "'','',''"
  })
  void endsWithTheWordsOfItsOperator(String deployment, String task, String finished) {
    add(Rays.job());
    admit();
    says(
        "{'jobDeploymentStatus': '%s', 'jobStatus': '%s', 'message': 'm'}"
            .formatted(deployment, task));

    assertThat(text("Finished")).isEqualTo(finished);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "'',false",
    "New,false",
    "Suspended,false",
    "Initializing,true",
    "Running,true",
    "Suspending,true",
    "Retrying,true",
    "Waiting,true"
  })
  void keepsItsQuotaAfterAnEvictionWhileItsPodsMayRun(String deployment, boolean keeps) {
    add(Rays.job());
    admit();
    says("{'jobDeploymentStatus': 'Running'}");
    evict();
    assertThat(isTrue("QuotaReserved")).isTrue();
    says("{'jobDeploymentStatus': '%s'}".formatted(deployment));

    assertThat(isTrue("QuotaReserved")).isEqualTo(keeps);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({"ready,true", "suspended,false", "'',false"})
  void isReadyWhenItsClusterIs(String state, boolean ready) {
    add(Rays.job());
    admit();
    says(
        "{'jobDeploymentStatus': 'Running', 'rayClusterStatus': {'state': '%s'}}".formatted(state));

    assertThat(isTrue("PodsReady")).isEqualTo(ready);
  }

  @Test
  void isOnHoldWithoutQuotaWhileItsOperatorFindsItInvalid() {
    add(Rays.job());
    JsonNode before = job().path("spec");
    admit();
    says("{'jobDeploymentStatus': 'ValidationFailed', 'message': 'm'}");

    assertThat(text("QuotaReserved")).isEqualTo("OnHold: Job is on hold");
    assertThat(world.onlyWorkload().at("/status").has("admission")).isFalse();
    assertThat(job().path("spec")).as("it must not start when it recovers").isEqualTo(before);

    says("{'jobDeploymentStatus': 'Suspended'}");
    assertThat(text("QuotaReserved"))
        .isEqualTo("PendingEvaluation: Workload no longer on hold; waiting for quota reservation");
  }

  @Test
  void isOnHoldBeforeItHasQuota() {
    ObjectNode job = Rays.job();
    job.set("status", json("{'jobDeploymentStatus': 'ValidationFailed'}"));
    add(job);

    assertThat(text("QuotaReserved")).isEqualTo("OnHold: Job is on hold");
  }

  @Test
  void keepsItsQuotaWhereItIsFoundInvalidWhileItsClusterRuns() {
    add(Rays.job());
    admit();
    ObjectNode child = Rays.child(job(), job().at("/spec/rayClusterSpec"));
    world.add(child.toString());
    says("{'jobDeploymentStatus': 'ValidationFailed', 'rayClusterName': 'c'}");

    assertThat(isTrue("Admitted")).isTrue();
  }

  @Test
  void says18PodSetsAreTheMostWhereItsSubmitterIsOneTooMany() {
    ObjectNode job = submitted("K8sJobMode");
    var groups = job.withObject("/spec/rayClusterSpec").putArray("workerGroupSpecs");
    IntStream.range(0, 17)
        .forEach(
            i ->
                groups
                    .addObject()
                    .put("groupName", "g" + i)
                    .putObject("template")
                    .putObject("spec"));
    add(job);

    assertThat(world.workloads()).isEmpty();
    assertThat(world.eventReasons()).containsExactly("ErrWorkloadCompose");
  }

  private void grow(int replicas) {
    world.change(
        Rays.CLUSTER,
        it -> ((ObjectNode) it.at("/spec/workerGroupSpecs/0")).put("replicas", replicas));
    world.settle(JOB);
  }

  private void runWithCluster(ObjectNode job) {
    add(job);
    admit();
    world.add(Rays.child(job(), job().at("/spec/rayClusterSpec")).toString());
    says("{'jobDeploymentStatus': 'Running', 'rayClusterName': 'c'}");
  }

  @Test
  void growsWithItsClusterUnderANameOfItsOwn() {
    runWithCluster(Rays.elastic(submitted("K8sJobMode")));
    String first = world.onlyWorkloadName();
    grow(5);
    grow(6);

    assertThat(job().at("/spec/suspend").asBoolean()).isFalse();
    List<JsonNode> others =
        world.workloads().stream()
            .filter(it -> !it.at("/metadata/name").asText().equals(first))
            .toList();
    assertThat(others).hasSize(1);
    assertThat(Rays.counts(others.getFirst())).containsExactly(1, 6, 8, 1);
    assertThat(
            others
                .getFirst()
                .at("/metadata/annotations")
                .path("kueue.x-k8s.io/raycluster-generation")
                .asText())
        .isEqualTo("2");
    assertThat(Rays.counts(world.workload(first))).containsExactly(1, 2, 8, 1);
  }

  @Test
  void shrinksWithItsClusterInPlace() {
    runWithCluster(Rays.elastic(submitted("K8sJobMode")));
    grow(1);

    assertThat(Rays.counts(world.onlyWorkload())).containsExactly(1, 1, 8, 1);
  }

  @Test
  void holdsAllItsPodsBackWhereItMayGrow() {
    add(Rays.elastic(submitted("K8sJobMode")));
    admit();

    for (String at :
        List.of(
            "/spec/rayClusterSpec/headGroupSpec/template",
            "/spec/rayClusterSpec/workerGroupSpecs/0/template",
            "/spec/rayClusterSpec/workerGroupSpecs/1/template",
            "/spec/submitterPodTemplate")) {
      assertThat(job().at(at + "/spec/schedulingGates/0/name").asText()).isEqualTo(Rays.ELASTIC);
      assertThat(job().at(at + "/metadata/annotations").path("kueue.x-k8s.io/workload-slice-name"))
          .hasToString("\"" + world.onlyWorkloadName() + "\"");
    }
  }

  @Test
  void isSizedByItselfWhereItIsNotElastic() {
    runWithCluster(Rays.job());
    grow(5);

    assertThat(Rays.counts(world.onlyWorkload())).containsExactly(1, 2, 8);
    assertThat(job().at("/spec/suspend").asBoolean()).isFalse();
  }

  @Test
  void isSizedByItselfAgainOnceItWasStopped() {
    runWithCluster(Rays.elastic(Rays.job()));
    grow(1);
    evict();
    says("{'jobDeploymentStatus': 'Suspended', 'rayClusterName': 'c'}");
    world.delete(Rays.CLUSTER);
    world.settle(JOB);

    assertThat(Rays.counts(world.onlyWorkload())).containsExactly(1, 2, 8);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({"true", "false"})
  void keepsItsQuotaUntilTheDataOfItsClusterInRedisAreDeleted(boolean waits) {
    world = Rays.world(FeatureGate.DEFER_RAY_SERVICE_FINALIZATION_FOR_REDIS_CLEANUP, waits);
    ObjectNode job = Rays.job();
    job.withObject("/metadata").putArray("finalizers").add("ray.io/rayjob-finalizer");
    runWithCluster(job);
    world.change(
        Rays.CLUSTER,
        it -> it.withObject("/metadata").putArray("finalizers").add(Rays.REDIS_CLEANUP));
    world.delete(JOB);
    world.settle(JOB);
    assertThat(isTrue("Finished")).isEqualTo(!waits);

    world.delete(Rays.CLUSTER);
    world.change(Rays.CLUSTER, it -> it.withObject("/metadata").remove("finalizers"));
    world.settle(JOB);
    assertThat(isTrue("Finished")).isTrue();
  }
}
