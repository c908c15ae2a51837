package dev.sluice.jobs;

import static dev.sluice.testkit.json.SingleQuoted.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.configuration.CustomKind;
import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.configuration.ObjectPath;
import dev.sluice.jobs.plan.JobSettings;
import dev.sluice.jobs.remote.Mirror;
import dev.sluice.jobs.remote.RemoteJobs;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a copy of a job on another cluster keeps and drops, and what comes back. */
class RemoteJobsTest {
  private static final String WORKLOAD =
      """
      {'spec': {'podSets': [{'name': 'main', 'count': 1, 'template':
        {'metadata': {'labels': {'app': 'a'}}, 'spec': {'nodeSelector': {'own': '1'}}}}]}}
      """;
  private static final String TEMPLATE =
      """
      {'metadata': {'labels': {'app': 'a', 'kueue.x-k8s.io/podset': 'main'}},
       'spec': {'nodeSelector': {'own': '1', 'given': 'here'}, 'containers': [{'name': 'c'}]}}
      """;

  private static final JobSettings SETTINGS = Jobs.settings();

  private static JobSettings with(FeatureGate gate, boolean on) {
    return new JobSettings(
        SETTINGS.management(),
        SETTINGS.gates().with(gate, on),
        SETTINGS.watchesReadiness(),
        SETTINGS.afterDeactivated(),
        List.of());
  }

  private static RemoteJobs of(String kind, JobSettings settings) {
    return JobKinds.standard().stream()
        .filter(it -> it.kind().kind().equals(kind))
        .findFirst()
        .flatMap(it -> it.remote(settings))
        .orElseThrow();
  }

  private static RemoteJobs of(String kind) {
    return of(kind, SETTINGS);
  }

  private static ObjectNode job(String kind, String spec) {
    return json(
        """
        {'apiVersion': 'x/v1', 'kind': '%s',
         'metadata': {'name': 'j', 'namespace': 'ns', 'uid': 'u', 'resourceVersion': '1',
           'generation': 3, 'creationTimestamp': '2026-11-24T09:00:00Z',
           'labels': {'l': '1'}, 'annotations': {'a': '1'}, 'finalizers': ['f'],
           'ownerReferences': [{'kind': 'CronJob', 'name': 'c'}]},
         'spec': %s, 'status': {'active': 1}}
        """
            .formatted(kind, spec));
  }

  private static final String BATCH =
      """
      {'suspend': false, 'managedBy': 'kueue.x-k8s.io/multikueue', 'parallelism': 1,
       'ttlSecondsAfterFinished': 5, 'selector': {'matchLabels': {'x': 'y'}}, 'template': %s}
      """
          .formatted(TEMPLATE);

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          Job        | {'suspend': false, 'managedBy': 'm', 'ttlSecondsAfterFinished': 5, 'selector': {}, 'template': %s}                                        | /spec                | /spec/template
          JobSet     | {'suspend': false, 'managedBy': 'm', 'ttlSecondsAfterFinished': 5, 'replicatedJobs': [{'name': 'main', 'template': {'spec': {'template': %s}}}]} | /spec           | /spec/replicatedJobs/0/template/spec/template
          PyTorchJob | {'runPolicy': {'suspend': false, 'managedBy': 'm', 'ttlSecondsAfterFinished': 5}, 'pytorchReplicaSpecs': {'Master': {'template': %s}}}     | /spec/runPolicy      | /spec/pytorchReplicaSpecs/Master/template
          MPIJob     | {'runPolicy': {'suspend': false, 'managedBy': 'm', 'ttlSecondsAfterFinished': 5}, 'mpiReplicaSpecs': {'Worker': {'template': %s}}}         | /spec/runPolicy      | /spec/mpiReplicaSpecs/Worker/template
          RayJob     | {'suspend': false, 'managedBy': 'm', 'ttlSecondsAfterFinished': 5, 'submissionMode': 'HTTPMode', 'rayClusterSpec': {'headGroupSpec': {'template': %s}}} | /spec | /spec/rayClusterSpec/headGroupSpec/template
          RayCluster | {'suspend': false, 'managedBy': 'm', 'headGroupSpec': {'template': %s}}                                                                    | /spec                | /spec/headGroupSpec/template
          """)
  void aCopyIsSuspendedAndHasNoFieldsOfThisCluster(
      String kind, String spec, String policy, String template) {
    JsonNode copy = of(kind).copy(job(kind, spec.formatted(TEMPLATE)), json(WORKLOAD));

    assertThat(copy.path("metadata").toString())
        .isEqualTo(
            "{\"name\":\"j\",\"namespace\":\"ns\",\"labels\":{\"l\":\"1\"},"
                + "\"annotations\":{\"a\":\"1\"}}");
    assertThat(copy.has("status")).isFalse();
    assertThat(copy.at(policy).path("suspend").asBoolean()).isTrue();
    assertThat(copy.at(policy).has("managedBy")).isFalse();
    assertThat(copy.at(policy).has("ttlSecondsAfterFinished")).isFalse();
    assertThat(copy.at(template).at("/spec/nodeSelector").toString())
        .as("nothing of an admission here")
        .isEqualTo("{\"own\":\"1\"}");
    assertThat(copy.at(template).at("/metadata/labels").toString()).isEqualTo("{\"app\":\"a\"}");
    assertThat(copy.at(template).at("/spec/containers/0/name").asText()).isEqualTo("c");
  }

  @Test
  void theClusterOfARayServiceIsHeldBack() {
    JsonNode copy =
        of("RayService")
            .copy(
                job(
                    "RayService",
                    """
                    {'managedBy': 'm', 'serveConfigV2': 'x',
                     'rayClusterConfig': {'suspend': false, 'headGroupSpec': {'template': %s}}}
                    """
                        .formatted(TEMPLATE)),
                json(WORKLOAD));

    assertThat(copy.path("spec").has("managedBy")).isFalse();
    assertThat(copy.at("/spec/serveConfigV2").asText()).isEqualTo("x");
    assertThat(copy.at("/spec/rayClusterConfig/suspend").asBoolean()).isTrue();
    assertThat(copy.at("/spec/rayClusterConfig/headGroupSpec/template/spec/nodeSelector"))
        .isEqualTo(json("{'own': '1'}"));
  }

  @Test
  void aTrainJobLosesWhatAnAdmissionHereMadeOfItsRuntime() {
    JsonNode copy =
        of("TrainJob")
            .copy(
                job(
                    "TrainJob",
                    """
                    {'suspend': false, 'managedBy': 'm', 'runtimeRef': {'name': 'r'},
                     'runtimePatches': [
                       {'manager': 'kueue.x-k8s.io/manager', 'trainingRuntimeSpec': {'template':
                         {'spec': {'replicatedJobs': [{'name': 'node'}]}}}},
                       {'manager': 'team', 'trainingRuntimeSpec': {}}]}
                    """),
                json(WORKLOAD));

    assertThat(copy.path("spec"))
        .isEqualTo(
            json(
                """
                {'suspend': true, 'runtimeRef': {'name': 'r'},
                 'runtimePatches': [{'manager': 'team', 'trainingRuntimeSpec': {}}]}
                """));
  }

  @Test
  void anAppWrapperIsHeldBackAndIsNotRemovedByTheWorkerOnceItHasSucceeded() {
    ObjectNode wrapper =
        job(
            "AppWrapper",
            """
            {'suspend': false, 'managedBy': 'm', 'components': [{
              'podSets': [{'path': 'template.spec.template'}],
              'podSetInfos': [{'nodeSelector': {'given': 'here'}}],
              'template': {'apiVersion': 'batch/v1', 'kind': 'Job', 'spec': {'template': %s}}}]}
            """
                .formatted(TEMPLATE));
    wrapper
        .withObject("/metadata/annotations")
        .put("workload.codeflare.dev.appwrapper/successTTLDuration", "1m");

    JsonNode copy = of("AppWrapper").copy(wrapper, json(WORKLOAD));

    assertThat(copy.at("/metadata/annotations")).isEqualTo(json("{'a': '1'}"));
    assertThat(copy.at("/spec/suspend").asBoolean()).isTrue();
    assertThat(copy.path("spec").has("managedBy")).isFalse();
    assertThat(copy.toString()).doesNotContain("podSetInfos\":[{\"nodeSelector");
  }

  @ParameterizedTest
  @ValueSource(strings = {"StatefulSet", "LeaderWorkerSet"})
  void servingKindsNameTheirUidSoThatWorkloadsHaveTheSameNamesThere(String kind) {
    JsonNode copy = of(kind).copy(job(kind, "{'replicas': 2}"), json(WORKLOAD));

    assertThat(of(kind).managedBy()).isEmpty();
    assertThat(copy.path("metadata"))
        .isEqualTo(
            json(
                """
                {'name': 'j', 'namespace': 'ns', 'labels': {'l': '1'}, 'annotations':
                  {'a': '1', 'kueue.x-k8s.io/multikueue-origin-uid': 'u'}}
                """));
    assertThat(copy.path("spec")).isEqualTo(json("{'replicas': 2}"));
    assertThat(of(kind).mirror(json("{}"), json("{'status': {'replicas': 2}}")).patch())
        .as("the controller here says how its gated Pods are")
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"2, 2, true", "2, 1, false", "2, , false"})
  void aSetThatServesIsReadyWithAllItsReplicas(
      int replicas, @Nullable Integer ready, boolean isReady) {
    ObjectNode there = json("{'spec': {'replicas': %d}, 'status': {}}".formatted(replicas));
    if (ready != null) {
      there.withObject("/status").put("readyReplicas", ready);
    }

    assertThat(of("StatefulSet").isReady(there)).isEqualTo(isReady);
    assertThat(of("LeaderWorkerSet").isReady(there)).isEqualTo(isReady);
    assertThat(of("Job").isReady(there)).as("its status is copied").isFalse();
  }

  @Test
  void theReplicasOfALeaderWorkerSetAreOneWorkloadEachAndFollowed() {
    RemoteJobs remote = of("LeaderWorkerSet");

    assertThat(remote.workloads(json("{'spec': {'replicas': 3}}"))).isEqualTo(3);
    assertThat(
            remote.index(
                json(
                    "{'metadata': {'annotations': {'kueue.x-k8s.io/component-workload-index':"
                        + " '2'}}}")))
        .isEqualTo(2);
    assertThat(remote.forwarded(json("{'spec': {'replicas': 3}}"), json("{'spec': {}}")))
        .isEqualTo(json("{'spec': {'replicas': 3}}"));
    assertThat(
            remote.forwarded(json("{'spec': {'replicas': 3}}"), json("{'spec': {'replicas': 3}}")))
        .isEmpty();
  }

  @Test
  void followsTheServeConfigOfARayServiceIfTheGateIsOn() {
    ObjectNode local = json("{'spec': {'serveConfigV2': 'new'}}");
    ObjectNode remote = json("{'spec': {'serveConfigV2': 'old'}}");
    FeatureGate gate = FeatureGate.MULTI_KUEUE_REMOTE_SPEC_SYNC;

    assertThat(of("RayService").forwarded(local, remote)).isEqualTo(local);
    assertThat(of("RayService").forwarded(local, local)).isEmpty();
    assertThat(of("RayService").forwarded(json("{'spec': {}}"), remote))
        .isEqualTo(json("{'spec': {'serveConfigV2': null}}"));
    assertThat(of("RayService", with(gate, false)).forwarded(local, remote)).isEmpty();
  }

  private static ObjectNode rays(String annotations, int replicas, int hosts) {
    return json(
        """
        {'metadata': {'annotations': {%1$s}}, 'spec': {'workerGroupSpecs': [
          {'groupName': 'a', 'replicas': %2$d, 'minReplicas': %2$d, 'maxReplicas': %2$d,
            'numOfHosts': %3$d, 'template': {}},
          {'groupName': 'b', 'replicas': 1}]}}
        """
            .formatted(annotations, replicas, hosts));
  }

  @ParameterizedTest
  @CsvSource({"true, true, true", "true, false, false", "false, true, false"})
  void theSizeOfAnElasticRayClusterIsFollowed(boolean isOn, boolean isElastic, boolean isSent) {
    RemoteJobs clusters =
        of("RayCluster", with(FeatureGate.ELASTIC_JOBS_VIA_WORKLOAD_SLICES, isOn));
    String elastic = isElastic ? "'kueue.x-k8s.io/elastic-job': 'true'" : "";

    JsonNode patch = clusters.forwarded(rays(elastic, 3, 2), rays("", 1, 1));

    assertThat(patch)
        .isEqualTo(
            isSent
                ? json(
                    """
                    {'spec': {'workerGroupSpecs': [
                      {'groupName': 'a', 'replicas': 3, 'minReplicas': 3, 'maxReplicas': 3,
                        'numOfHosts': 2, 'template': {}},
                      {'groupName': 'b', 'replicas': 1}]}}
                    """)
                : json("{}"));
    assertThat(clusters.forwarded(rays(elastic, 3, 2), rays("", 3, 2))).isEmpty();
  }

  private static ObjectNode elastic(int parallelism, int completions) {
    return json(
        """
        {'metadata': {'annotations': {'kueue.x-k8s.io/elastic-job': 'true'}},
         'spec': {'parallelism': %d, 'completions': %d}}
        """
            .formatted(parallelism, completions));
  }

  @Test
  void theSizeOfAnElasticJobIsFollowedIfTheGateIsOn() {
    FeatureGate gate = FeatureGate.ELASTIC_JOBS_VIA_WORKLOAD_SLICES;
    RemoteJobs jobs = of("Job", with(gate, true));

    assertThat(jobs.forwarded(elastic(3, 50), elastic(1, 50)))
        .isEqualTo(json("{'spec': {'parallelism': 3}}"));
    assertThat(jobs.forwarded(elastic(3, 3), elastic(2, 2)))
        .as("both change together, or the API server refuses it")
        .isEqualTo(json("{'spec': {'parallelism': 3, 'completions': 3}}"));
    assertThat(jobs.forwarded(elastic(3, 3), elastic(3, 3))).isEmpty();
    assertThat(jobs.forwarded(json("{'spec': {'parallelism': 3}}"), elastic(1, 1))).isEmpty();
    assertThat(of("Job", with(gate, false)).forwarded(elastic(3, 3), elastic(2, 2))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"3, 3, true", "3, 2, false", "2, 3, false"})
  void anElasticJobHasTheSizeOfItsWorkloadOnceThatHasFollowed(
      int pods, int counted, boolean isSame) {
    JsonNode workload =
        json("{'spec': {'podSets': [{'name': 'main', 'count': %d}]}}".formatted(counted));

    assertThat(of("Job").hasSizeOf(elastic(pods, 50), workload)).isEqualTo(isSame);
    assertThat(of("Job").hasSizeOf(json("{'spec': {'parallelism': 9}}"), workload))
        .as("partial admission is another thing")
        .isTrue();
  }

  @Test
  void theSelectorOfAUserStaysWithTheLabelsThatItSelects() {
    String manual = BATCH.replace("'suspend': false", "'suspend': true, 'manualSelector': true");

    JsonNode copy = of("Job").copy(job("Job", manual), json(WORKLOAD));

    assertThat(copy.at("/spec/selector/matchLabels/x").asText()).isEqualTo("y");
    assertThat(of("Job").copy(job("Job", BATCH), json(WORKLOAD)).path("spec").has("selector"))
        .isFalse();
  }

  @Test
  void aKindOfAnotherProgramLosesItsManagedByOnly() {
    GroupVersionKind wagon = new GroupVersionKind("example.com", "v1", "Wagon");
    JobSettings settings =
        new JobSettings(
            SETTINGS.management(),
            SETTINGS.gates(),
            false,
            Optional.empty(),
            List.of(),
            List.of(wagon),
            List.of());
    RemoteJobs remote =
        Optional.ofNullable(JobKinds.remoteOfEnabled(settings).get(wagon)).orElseThrow();
    JsonNode local = job("Wagon", "{'managedBy': 'kueue.x-k8s.io/multikueue', 'hold': false}");

    assertThat(remote.managedBy()).contains(List.of("spec", "managedBy"));
    assertThat(remote.copy(local, json(WORKLOAD)).path("spec").toString())
        .as("how to hold it back is not known")
        .isEqualTo("{\"hold\":false}");
    assertThat(remote.mirror(local, json("{'status': {'phase': 'Done'}}")).patch())
        .isEqualTo(json("{'active': null, 'phase': 'Done'}"));
    assertThat(new JobPlanner(settings).watched()).contains(wagon);
    assertThat(new JobPlanner(settings).kinds()).doesNotContain(wagon);
  }

  @Test
  void aCustomKindLosesItsManagedByOnly() {
    CustomKind kind =
        new CustomKind(
            new GroupVersionKind("example.com", "v1", "Train"),
            "trains",
            Optional.of(new ObjectPath(List.of("spec", "hold"))),
            List.of(new ObjectPath(List.of("spec", "template"))),
            Optional.of(new ObjectPath(List.of("spec", "who"))));
    RemoteJobs remote =
        JobKinds.with(List.of(kind)).stream()
            .filter(it -> it.kind().equals(kind.type()))
            .findFirst()
            .flatMap(it -> it.remote(SETTINGS))
            .orElseThrow();

    JsonNode copy =
        remote.copy(
            job(
                "Train",
                "{'hold': false, 'who': 'm', 'ttl': 1, 'template': %s}".formatted(TEMPLATE)),
            json(WORKLOAD));

    assertThat(remote.managedBy()).contains(List.of("spec", "who"));
    assertThat(copy.at("/spec/hold").asBoolean()).isTrue();
    assertThat(copy.path("spec").has("who")).isFalse();
    assertThat(copy.at("/spec/ttl").asInt()).isEqualTo(1);
  }

  @Test
  void aPodLosesItsNodeItsPriorityAndInjectedTokens() {
    JsonNode copy =
        of("Pod")
            .copy(
                job(
                    "Pod",
                    """
                    {'nodeName': 'n', 'priority': 7, 'priorityClassName': 'p',
                     'ephemeralContainers': [{}],
                     'volumes': [{'name': 'kube-api-access-x'}, {'name': 'data'}],
                     'schedulingGates': [{'name': 'kueue.x-k8s.io/admission'}],
                     'containers': [{'name': 'c',
                       'volumeMounts': [{'name': 'kube-api-access-x'}, {'name': 'data'}]}]}
                    """),
                json(WORKLOAD));

    assertThat(copy.path("spec"))
        .isEqualTo(
            json(
                """
                {'priorityClassName': 'p', 'volumes': [{'name': 'data'}],
                 'schedulingGates': [{'name': 'kueue.x-k8s.io/admission'}],
                 'containers': [{'name': 'c', 'volumeMounts': [{'name': 'data'}]}]}
                """));
  }

  private static ObjectNode batch(boolean isSuspended, String status) {
    return json("{'spec': {'suspend': %s}, 'status': %s}".formatted(isSuspended, status));
  }

  @Test
  void aRunningJobIsMirroredWhole() {
    Mirror mirror = of("Job").mirror(batch(false, "{'ready': 1}"), batch(false, "{'active': 2}"));

    assertThat(mirror.isWhole()).isTrue();
    assertThat(mirror.patch()).isEqualTo(json("{'ready': null, 'active': 2}"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"bothHeldBack", "ended"})
  void aSuspendedLocalJobIsMirroredWholeIfTheOtherIsHeldBackOrEnded(String how) {
    JsonNode remote =
        how.equals("ended")
            ? batch(false, "{'conditions': [{'type': 'Complete', 'status': 'True'}]}")
            : batch(true, "{'active': 0}");

    assertThat(of("Job").mirror(batch(true, "{}"), remote).isWhole()).isTrue();
  }

  @Test
  void aSuspendedLocalJobGetsOneConditionWhileTheOtherRuns() {
    JsonNode local = batch(true, "{'conditions': [{'type': 'Suspended', 'status': 'False'}]}");

    Mirror mirror = of("Job").mirror(local, batch(false, "{'active': 2}"));

    assertThat(mirror.isWhole()).isFalse();
    assertThat(mirror.patch())
        .isEqualTo(
            json(
                """
                {'conditions': [{'type': 'Suspended', 'status': 'True',
                  'reason': 'MultiKueueAdapter', 'message': 'Set by MultiKueue adapter'}]}
                """));
    assertThat(of("Job").mirror(batch(true, mirror.patch().toString()), batch(false, "{}")).patch())
        .as("once")
        .isEmpty();
  }

  @Test
  void otherKindsAreMirroredWholeAlways() {
    assertThat(of("JobSet").mirror(batch(true, "{}"), batch(false, "{'restarts': 1}")).patch())
        .isEqualTo(json("{'restarts': 1}"));
  }

  @Test
  void aGatedPodKeepsItsOwnConditionUntilTheOtherHasANode() {
    String gated =
        """
        {'metadata': {}, 'spec': {'schedulingGates': [{'name': 'kueue.x-k8s.io/admission'}]},
         'status': {'conditions': [
           {'type': 'PodScheduled', 'status': 'False', 'reason': 'SchedulingGated'}]}}
        """;
    String remote =
        """
        {'spec': {}, 'status': {'phase': 'Pending', 'conditions': [
           {'type': 'PodScheduled', 'status': '%s', 'reason': 'R'}]}}
        """;

    JsonNode waiting = of("Pod").mirror(json(gated), json(remote.formatted("False"))).patch();
    assertThat(waiting).isEqualTo(json("{'phase': 'Pending'}"));
    JsonNode scheduled = of("Pod").mirror(json(gated), json(remote.formatted("True"))).patch();
    assertThat(scheduled.at("/conditions/0/status").asText()).isEqualTo("True");
    ObjectNode stopped = json(remote.formatted("True").replace("'spec'", "'metadata': {}, 'spec'"));
    stopped.withObject("/metadata").put("deletionTimestamp", "2026-11-24T09:00:00Z");
    stopped
        .withObject("/status")
        .put("phase", "Failed")
        .putArray("conditions")
        .addObject()
        .put("type", "TerminationTarget")
        .put("status", "True");
    assertThat(of("Pod").mirror(json(gated), stopped).patch())
        .as("its queue there stopped it, and it is sent again")
        .isEmpty();
    ObjectNode leaving = json(gated);
    leaving.withObjectProperty("metadata").put("deletionTimestamp", "2026-11-24T09:00:00Z");
    assertThat(of("Pod").mirror(leaving, json(remote.formatted("True"))).patch()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          Job    | {'suspend': false} | {'active': 1}                                           | true
          Job    | {'suspend': true}  | {'active': 0, 'terminating': 1}                         | true
          Job    | {'suspend': true}  | {'active': 0}                                           | false
          JobSet | {}                 | {'replicatedJobsStatus': [{'name': 'a', 'active': 1}]}  | true
          JobSet | {}                 | {}                                                      | false
          Pod    | {'nodeName': 'n'}  | {'phase': 'Running'}                                    | true
          Pod    | {'nodeName': 'n'}  | {'phase': 'Succeeded'}                                  | false
          Pod    | {}                 | {'phase': 'Pending'}                                    | false
          RayJob | {}                 | {'jobDeploymentStatus': 'Running'}                      | true
          RayJob | {}                 | {'jobDeploymentStatus': 'Suspended'}                    | false
          RayCluster  | {}            | {'state': 'ready'}                                      | true
          RayCluster  | {}            | {'state': 'suspended'}                                  | false
          RayService  | {}            | {'conditions': [{'type': 'Ready', 'status': 'True'}]}   | true
          TrainJob    | {}            | {'jobsStatus': [{'name': 'a', 'active': 1}]}            | true
          TrainJob    | {}            | {'jobsStatus': [{'name': 'a', 'active': 0}]}            | false
          AppWrapper  | {}            | {'conditions': [{'type': 'QuotaReserved', 'status': 'True'}]} | true
          AppWrapper  | {}            | {'phase': 'Suspended'}                                  | false
          StatefulSet | {}            | {'replicas': 2, 'readyReplicas': 1}                     | true
          StatefulSet | {}            | {'replicas': 2}                                         | false
          """)
  void podsThatRunOrEndHoldAStopBack(String kind, String spec, String status, boolean mayRun) {
    assertThat(of(kind).mayRun(json("{'spec': %s, 'status': %s}".formatted(spec, status))))
        .isEqualTo(mayRun);
  }
}
