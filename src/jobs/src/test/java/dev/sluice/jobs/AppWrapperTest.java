package dev.sluice.jobs;

import static dev.sluice.jobs.KindJobs.TEMPLATE;
import static dev.sluice.testkit.json.SingleQuoted.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.configuration.Framework;
import dev.sluice.api.meta.Conditions;
import dev.sluice.jobs.plan.JobKey;
import dev.sluice.jobs.reconcile.Job;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AppWrapperTest {
  private static final JobKey KEY = KindJobs.key(Framework.APP_WRAPPER);

  /** A Job with two Pods, then a Pod without metadata. */
  private static final String TWO_COMPONENTS =
      """
      {'suspend': true, 'components': [
        {'template': {'apiVersion': 'batch/v1', 'kind': 'Job', 'metadata': {'name': 'job'},
          'spec': {'parallelism': 2, 'template': %s}}},
        {'podSets': [{'path': 'template'}], 'template': {'apiVersion': 'v1', 'kind': 'Pod',
          'spec': {'restartPolicy': null, 'containers': [
            {'name': 'c', 'ports': [{'containerPort': 80}]}]}}}]}
      """
          .formatted(TEMPLATE);

  private static Job read(String component) {
    String spec = "{'components': [%s]}".formatted(component.replace("POD", TEMPLATE));
    return KindJobs.read(Framework.APP_WRAPPER, KindJobs.object(Framework.APP_WRAPPER, spec));
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "{'podSets': [{'path': 'template.spec.template', 'replicas': 3}],"
            + " 'template': {'spec': {'template': POD}}} | j-0=3",
        "{'podSets': [{'path': 'template.groups[1].template'}],"
            + " 'template': {'groups': [{}, {'template': POD}]}} | j-0=1",
        "{'podSets': [{'path': 'template.a'}, {'path': 'template.b', 'replicas': 2}],"
            + " 'template': {'a': POD, 'b': POD}} | j-0=1 j-1=2",
        "{'template': {'apiVersion': 'v1', 'kind': 'Pod', 'spec': {}}} | j-0=1",
        "{'template': {'apiVersion': 'apps/v1', 'kind': 'Deployment',"
            + " 'spec': {'replicas': 3, 'template': POD}}} | j-0=3",
        "{'template': {'apiVersion': 'apps/v1', 'kind': 'StatefulSet',"
            + " 'spec': {'template': POD}}} | j-0=1",
        "{'template': {'apiVersion': 'batch/v1', 'kind': 'Job',"
            + " 'spec': {'parallelism': 4, 'completions': 3, 'template': POD}}} | j-0=3",
        "{'template': {'apiVersion': 'kubeflow.org/v1', 'kind': 'PyTorchJob', 'spec': {"
            + "'pytorchReplicaSpecs': {'Worker': {'replicas': 2, 'template': POD},"
            + " 'Master': {'template': POD}}}}} | j-0=1 j-1=2",
        "{'template': {'apiVersion': 'jobset.x-k8s.io/v1alpha2', 'kind': 'JobSet', 'spec': {"
            + "'replicatedJobs': [{'replicas': 2, 'template': {'spec': {'parallelism': 3,"
            + " 'template': POD}}}]}}} | j-0=6",
        "{'template': {'apiVersion': 'ray.io/v1', 'kind': 'RayCluster', 'spec': {"
            + "'headGroupSpec': {'template': POD}, 'workerGroupSpecs': [{'replicas': 2,"
            + " 'numOfHosts': 2, 'template': POD}]}}} | j-0=1 j-1=4",
        "{'template': {'apiVersion': 'ray.io/v1', 'kind': 'RayJob', 'spec': {'rayClusterSpec': {"
            + "'headGroupSpec': {'template': POD}, 'workerGroupSpecs': [{'template': POD}]}}}"
            + "} | j-0=1 j-1=1",
        "{'template': {'apiVersion': 'v1', 'kind': 'ConfigMap'}} | ''"
      })
  void itsPodSetsAreThoseOfItsComponents(String component, String podSets) {
    Job job = read(component);

    assertThat(String.join(" ", KindJobs.counts(job.podSets()))).isEqualTo(podSets);
  }

  @Test
  void podSetsOfAnUnknownKindAreThoseThatItsControllerFound() {
    ObjectNode object =
        KindJobs.object(
            Framework.APP_WRAPPER,
            "{'components': [{'template': {'kind': 'Own', 'spec': {'pods': %s}}}]}"
                .formatted(TEMPLATE));
    object.set(
        "status",
        json(
            "{'componentStatus': [{'podSets': [{'path': 'template.spec.pods', 'replicas': 2}]}]}"));

    assertThat(KindJobs.counts(KindJobs.read(Framework.APP_WRAPPER, object).podSets()))
        .containsExactly("j-0=2");
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "{} | inactive",
        "{'phase': 'Running', 'conditions': [{'type': 'QuotaReserved', 'status': 'True'}]} |"
            + " active",
        "{'phase': 'Suspended', 'conditions': [{'type': 'QuotaReserved', 'status': 'False'}]}"
            + " | inactive",
        "{'conditions': [{'type': 'PodsReady', 'status': 'True'}]} | inactive ready",
        "{'phase': 'Succeeded', 'conditions': ["
            + "{'type': 'QuotaReserved', 'status': 'False', 'message': '2 pods succeeded'}]}"
            + " | inactive succeeded: 2 pods succeeded",
        "{'phase': 'Failed', 'conditions': [{'type': 'ResourcesDeployed', 'status': 'True'}]}"
            + " | inactive",
        "{'phase': 'Failed', 'conditions': [{'type': 'ResourcesDeployed', 'status': 'False'},"
            + " {'type': 'Unhealthy', 'status': 'True', 'message': 'Found 1 failed components'}]}"
            + " | inactive failed: Found 1 failed components",
        "{'phase': 'Failed', 'conditions': [{'type': 'ResourcesDeployed', 'status': 'False',"
            + " 'message': 'Resources deleted'}, {'type': 'Unhealthy', 'status': 'True',"
            + " 'message': ''}]} | inactive failed: Resources deleted"
      })
  void readsItsProgressFromItsStatus(String status, String state) {
    assertThat(KindJobs.state(KindJobs.read(Framework.APP_WRAPPER, "{}", status))).isEqualTo(state);
  }

  private static TestCluster waiting() {
    TestCluster cluster = KindJobs.cluster(Framework.APP_WRAPPER);
    cluster.add(KindJobs.object(Framework.APP_WRAPPER, TWO_COMPONENTS).toString());
    cluster.settle(KEY);
    return cluster;
  }

  @Test
  void itsWorkloadHasWhatAWorkloadMayHave() {
    JsonNode podSets = waiting().onlyWorkload().at("/spec/podSets");

    assertThat(podSets.at("/0/template")).isEqualTo(json(TEMPLATE));
    assertThat(podSets.at("/1/template"))
        .isEqualTo(
            json(
                "{'spec': {'containers': [{'name': 'c',"
                    + " 'ports': [{'containerPort': 80, 'protocol': 'TCP'}]}]}}"));
    assertThat(podSets.at("/0").has("topologyRequest")).isFalse();
  }

  @Test
  void itRunsThoughItsTemplateHasMembersThatAWorkloadCannotStore() {
    TestCluster cluster = KindJobs.cluster(Framework.APP_WRAPPER);
    ObjectNode object = KindJobs.object(Framework.APP_WRAPPER, TWO_COMPONENTS);
    ObjectNode spec = object.withObject("/spec/components/1/template/spec");
    spec.withObject("/containers/0/resources/limit").put("cpu", "1");
    spec.withObject("/containers/0/resources/requests").put("cpu", "1");
    spec.withArray("/tolerations").addObject().put("key", "a").put("operater", "Exists");
    cluster.add(object.toString());
    cluster.plan(KEY).writes().forEach(cluster::send);
    cluster.changeWorkload(
        cluster.onlyWorkloadName(),
        it -> {
          JsonNode stored = it.at("/spec/podSets/1/template/spec");
          ((ObjectNode) stored.at("/containers/0/resources")).remove("limit");
          ((ObjectNode) stored.at("/tolerations/0")).remove("operater");
        });
    cluster.settle(KEY);

    cluster.changeWorkload(cluster.onlyWorkloadName(), Admissions::admit);
    cluster.settle(KEY);

    assertThat(cluster.get(KEY).at("/spec/suspend").asBoolean()).isFalse();
    assertThat(cluster.eventReasons()).containsExactly("CreatedWorkload", "Started");
  }

  @Test
  void amountsThatAreFractionsAreTextInItsWorkload() {
    TestCluster cluster = KindJobs.cluster(Framework.APP_WRAPPER);
    ObjectNode object = KindJobs.object(Framework.APP_WRAPPER, TWO_COMPONENTS);
    ObjectNode spec = object.withObject("/spec/components/1/template/spec");
    spec.withObject("/overhead").put("memory", 1.5).put("cpu", 1);
    spec.withObject("/containers/0/resources/requests").put("cpu", 0.5);
    spec.withObject("/containers/0/resources/limits").put("cpu", 2.0).put("memory", "1Gi");
    cluster.add(object.toString());
    cluster.settle(KEY);

    JsonNode stored = cluster.onlyWorkload().at("/spec/podSets/1/template/spec");
    assertThat(stored.path("overhead")).isEqualTo(json("{'memory': '1500m', 'cpu': 1}"));
    assertThat(stored.at("/containers/0/resources"))
        .isEqualTo(json("{'requests': {'cpu': '500m'}, 'limits': {'cpu': '2', 'memory': '1Gi'}}"));
  }

  @Test
  void theAssignmentIsStoredBesideTheComponentsAndRemovedAgain() {
    TestCluster cluster = waiting();
    JsonNode before = cluster.get(KEY).path("spec");

    cluster.changeWorkload(cluster.onlyWorkloadName(), Admissions::admit);
    cluster.settle(KEY);

    JsonNode running = cluster.get(KEY).path("spec");
    assertThat(running.path("suspend").asBoolean()).isFalse();
    assertThat(running.at("/components/0/template")).isEqualTo(before.at("/components/0/template"));
    assertThat(running.at("/components/1/podSetInfos"))
        .singleElement()
        .isEqualTo(
            json(
                """
                {'labels': {'kueue.x-k8s.io/podset': 'j-1',
                   'kueue.x-k8s.io/local-queue-name': 'lq',
                   'kueue.x-k8s.io/cluster-queue-name': 'cq'},
                 'annotations': {'kueue.x-k8s.io/workload': '%s'},
                 'nodeSelector': {'pool': 'p1'},
                 'tolerations': [
                   {'key': 'spot', 'operator': 'Exists', 'effect': 'NoSchedule'}]}
                """
                    .formatted(cluster.onlyWorkloadName())));

    cluster.changeWorkload(
        cluster.onlyWorkloadName(), it -> Admissions.evict(it, "Preempted", "m"));
    cluster.settle(KEY);

    assertThat(cluster.get(KEY).path("spec").toString()).isEqualTo(before.toString());
  }

  @Test
  void aTemplateThatContradictsTheAssignmentFinishesIt() {
    TestCluster cluster = KindJobs.cluster(Framework.APP_WRAPPER);
    ObjectNode object = KindJobs.object(Framework.APP_WRAPPER, TWO_COMPONENTS);
    object.withObject("/spec/components/1/template/spec/nodeSelector").put("pool", "another");
    cluster.add(object.toString());
    cluster.settle(KEY);

    cluster.changeWorkload(cluster.onlyWorkloadName(), Admissions::admit);
    cluster.settle(KEY);

    JsonNode finished = Conditions.find(cluster.onlyWorkload(), "Finished").orElseThrow();
    assertThat(finished.path("reason").asText()).isEqualTo("FailedToStart");
    assertThat(finished.path("message").asText()).contains("Pod set j-1", "pool", "another");
    assertThat(cluster.get(KEY).at("/spec/suspend").asBoolean()).isTrue();
  }
}
