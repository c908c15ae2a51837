package dev.sluice.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.configuration.CustomKind;
import dev.sluice.api.configuration.ObjectPath;
import dev.sluice.jobs.integration.JobIntegration;
import dev.sluice.jobs.remote.Mirror;
import dev.sluice.jobs.remote.RemoteJobs;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a copy of a job on another cluster keeps and drops, and what comes back. */
class RemoteJobsTest {
  private static final ObjectMapper JSON = new ObjectMapper();
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

  private static ObjectNode tree(String text) {
    try {
      return (ObjectNode) JSON.readTree(text.replace('\'', '"'));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(text, e);
    }
  }

  private static RemoteJobs of(String kind) {
    return JobKinds.standard().stream()
        .filter(it -> it.kind().kind().equals(kind))
        .findFirst()
        .flatMap(JobIntegration::remote)
        .orElseThrow();
  }

  private static ObjectNode job(String kind, String spec) {
    return tree(
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
          """)
  void aCopyIsHeldBackAndWithoutWhatBelongsToThisCluster(
      String kind, String spec, String policy, String template) {
    JsonNode copy = of(kind).copy(job(kind, spec.formatted(TEMPLATE)), tree(WORKLOAD));

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
  void theSelectorOfAUserStaysWithTheLabelsThatItSelects() {
    String manual = BATCH.replace("'suspend': false", "'suspend': true, 'manualSelector': true");

    JsonNode copy = of("Job").copy(job("Job", manual), tree(WORKLOAD));

    assertThat(copy.at("/spec/selector/matchLabels/x").asText()).isEqualTo("y");
    assertThat(of("Job").copy(job("Job", BATCH), tree(WORKLOAD)).path("spec").has("selector"))
        .isFalse();
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
            .flatMap(JobIntegration::remote)
            .orElseThrow();

    JsonNode copy =
        remote.copy(
            job(
                "Train",
                "{'hold': false, 'who': 'm', 'ttl': 1, 'template': %s}".formatted(TEMPLATE)),
            tree(WORKLOAD));

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
                tree(WORKLOAD));

    assertThat(copy.path("spec"))
        .isEqualTo(
            tree(
                """
                {'priorityClassName': 'p', 'volumes': [{'name': 'data'}],
                 'schedulingGates': [{'name': 'kueue.x-k8s.io/admission'}],
                 'containers': [{'name': 'c', 'volumeMounts': [{'name': 'data'}]}]}
                """));
  }

  private static ObjectNode batch(boolean isSuspended, String status) {
    return tree("{'spec': {'suspend': %s}, 'status': %s}".formatted(isSuspended, status));
  }

  @Test
  void aRunningJobIsMirroredWhole() {
    Mirror mirror = of("Job").mirror(batch(false, "{'ready': 1}"), batch(false, "{'active': 2}"));

    assertThat(mirror.isWhole()).isTrue();
    assertThat(mirror.patch()).isEqualTo(tree("{'ready': null, 'active': 2}"));
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
            tree(
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
        .isEqualTo(tree("{'restarts': 1}"));
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

    JsonNode waiting = of("Pod").mirror(tree(gated), tree(remote.formatted("False"))).patch();
    assertThat(waiting).isEqualTo(tree("{'phase': 'Pending'}"));
    JsonNode scheduled = of("Pod").mirror(tree(gated), tree(remote.formatted("True"))).patch();
    assertThat(scheduled.at("/conditions/0/status").asText()).isEqualTo("True");
    ObjectNode leaving = tree(gated);
    leaving.withObjectProperty("metadata").put("deletionTimestamp", "2026-11-24T09:00:00Z");
    assertThat(of("Pod").mirror(leaving, tree(remote.formatted("True"))).patch()).isEmpty();
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
          """)
  void podsThatRunOrEndHoldAStopBack(String kind, String spec, String status, boolean mayRun) {
    assertThat(of(kind).mayRun(tree("{'spec': %s, 'status': %s}".formatted(spec, status))))
        .isEqualTo(mayRun);
  }
}
