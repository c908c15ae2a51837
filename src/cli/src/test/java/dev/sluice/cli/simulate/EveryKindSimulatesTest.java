package dev.sluice.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.api.configuration.Framework;
import dev.sluice.cli.Commands;
import dev.sluice.cli.Commands.Ran;
import dev.sluice.jobs.JobKinds;
import dev.sluice.jobs.integration.JobIntegration;
import dev.sluice.manifests.yaml.YamlReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Jobs of all kinds in simulated clusters. */
class EveryKindSimulatesTest {
  private static final Path SAMPLES = Path.of("../../manifests/samples/jobs");
  private static final String POD =
      """
      {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "%s", "namespace": "default",
         "labels": {"kueue.x-k8s.io/queue-name": "user-queue"%s}, "annotations": {%s}},
       "spec": {"containers": [{"name": "c", "resources": {"requests": {"cpu": 1}}}]}}
      """;
  private static final String JOB =
      """
      {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "job", "namespace": "default",
         "labels": {"kueue.x-k8s.io/queue-name": "user-queue"}},
       "spec": {"parallelism": 2, "template": {"spec": {"containers": [
         {"name": "c", "resources": {"requests": {"cpu": 1}}}]}}}}
      """;

  private static JsonNode simulated(String input, Path... files) throws IOException {
    List<String> call =
        Stream.of("simulate", "--now", "2026-01-31T12:00:00Z", "-o", "json")
            .collect(Collectors.toList());
    for (Path file : files) {
      call.addAll(List.of("-f", file.toString()));
    }
    call.addAll(List.of("-f", SAMPLES.resolve("queues.yaml").toString(), "-f", "-"));
    Ran ran = Commands.runWith(input, call.toArray(String[]::new));
    assertThat(ran.code()).as(ran.err()).isZero();
    return new ObjectMapper().readTree(ran.out());
  }

  /** The admitted Workloads: each a list of PodSets with their numbers of pods. */
  private static List<String> admitted(JsonNode report) {
    return report
        .path("workloads")
        .valueStream()
        .filter(it -> it.path("state").asText().equals("Admitted"))
        .map(
            it ->
                it.at("/admission/podSetAssignments")
                    .valueStream()
                    .map(pods -> pods.path("name").asText() + " " + pods.path("count").asText())
                    .collect(Collectors.joining(", ")))
        .toList();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          appwrapper.yaml             | job-and-pod-0 2, job-and-pod-1 1
          deployment.yaml             | main 1; main 1
          jaxjob.yaml                 | worker 2
          job.yaml                    | main 2
          job-partial.yaml            | main 4
          jobset.yaml                 | driver 1, workers 4
          leaderworkerset.yaml        | leader 1, worker 2; leader 1, worker 2
          mpijob.yaml                 | launcher 1, worker 2
          paddlejob.yaml              | worker 2
          pod.yaml                    | main 1
          custom                      | engine 1, coach 2
          pytorchjob.yaml             | master 1, worker 2
          raycluster.yaml             | head 1, workers 2
          raycluster-autoscaling.yaml | head 1, workers 1
          rayjob.yaml                 | head 1, workers 2, submitter 1
          rayservice.yaml             | head 1, workers 1
          sparkapplication.yaml       | driver 1, executor 2
          statefulset.yaml            | main 2
          tfjob.yaml                  | ps 1, worker 2
          trainjob.yaml               | node 2
          xgboostjob.yaml             | master 1, worker 2
          """)
  void theSampleOfEachKindIsAdmittedWithAllItsPods(String file, String podSets) throws IOException {
    assertThat(String.join("; ", admitted(simulated("", SAMPLES.resolve(file)))))
        .isEqualTo(podSets);
  }

  @Test
  void eachKindHasASampleThatSimulates() throws IOException {
    Set<String> kinds = new TreeSet<>();
    try (Stream<Path> files = Files.list(SAMPLES)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        new YamlReader()
            .readAll(file.toString(), Files.readString(file))
            .forEach(it -> kinds.add(it.path("kind").asText()));
      }
    }
    assertThat(JobKinds.standard().stream().map(JobIntegration::kind).map(it -> it.kind()))
        .isSubsetOf(kinds)
        .hasSameSizeAs(Framework.values());
  }

  @Test
  void jobsAndPodsAloneAndInGroupsAreAdmitted() throws IOException {
    String group = ", \"kueue.x-k8s.io/pod-group-name\": \"group\"";
    String total = "\"kueue.x-k8s.io/pod-group-total-count\": \"2\"";
    String pods =
        POD.formatted("alone", "", "")
            + POD.formatted("one", group, total)
            + POD.formatted("two", group, total);

    assertThat(admitted(simulated(JOB + pods)))
        .extracting(it -> it.substring(it.indexOf(' ') + 1))
        .containsExactlyInAnyOrder("2", "1", "2");
  }

  @Test
  void thePodsOfAGroupAreAdmittedTogether() throws IOException {
    assertThat(admitted(simulated("", SAMPLES.resolve("pod-group.yaml"))))
        .singleElement()
        .asString()
        .matches("[0-9a-f]{8} 1, [0-9a-f]{8} 1");
  }

  private static String fleet(int small, int large) {
    String template =
        """
        {"spec": {"containers": [{"name": "c", "resources": {"requests": {"cpu": %d}}}]}}
        """;
    return """
    {"apiVersion": "rail.example/v1", "kind": "Fleet",
     "metadata": {"name": "fleet", "namespace": "default",
       "labels": {"kueue.x-k8s.io/queue-name": "user-queue"}},
     "spec": {"groups": [{"replicas": %d, "template": %s}, {"replicas": %d, "template": %s}]}}
    """
        .formatted(small, template.formatted(1), large, template.formatted(2));
  }

  @Test
  void aCustomKindWithoutASwitchHasEachOfItsPodsQueued() throws IOException {
    String extensions =
        """
        {"apiVersion": "config.sluice.dev/v1alpha1", "kind": "Extensions", "customKinds": [
          {"group": "rail.example", "version": "v1", "kind": "Fleet",
           "podTemplatePaths": ["spec.groups[*].template"]}]}
        """;

    JsonNode report = simulated(extensions + fleet(2, 1));

    assertThat(admitted(report)).containsExactly("main 1", "main 1", "main 1");
    assertThat(report.path("workloads").valueStream().map(it -> it.path("name").asText()))
        .allMatch(it -> it.contains("pod-fleet-"));
  }

  @Test
  void anUnknownKindIsNoJob() throws IOException {
    assertThat(simulated(fleet(2, 1)).path("workloads")).isEmpty();
  }

  @Test
  void aJobOfACustomKindNeedsAName() {
    Ran ran =
        Commands.runWith(
            "{\"apiVersion\": \"rail.example/v1\", \"kind\": \"Train\", \"metadata\": {}}",
            "simulate",
            "-f",
            SAMPLES.resolve("custom/extensions.yaml").toString(),
            "-f",
            "-");

    assertThat(ran.err()).contains("Train: metadata.name: missing (expected: a name)");
    assertThat(ran.code()).isNotZero();
  }

  @Test
  void explainAndTestKnowACustomKindToo(@TempDir Path folder) throws IOException {
    String queues = SAMPLES.resolve("queues.yaml").toString();
    String custom = SAMPLES.resolve("custom").toString();

    Ran explained = Commands.run("explain", "default/express", "-f", queues, "-f", custom);

    assertThat(explained.code()).as(explained.err()).isZero();
    assertThat(explained.out()).contains("train-express");
    Path scenario = folder.resolve("scenario.yaml");
    Files.writeString(
        scenario,
        """
        apiVersion: sluice.dev/v1alpha1
        kind: Scenario
        metadata: {name: a kind of our own}
        spec:
          extensions:
            customKinds:
            - {group: rail.example, version: v1, kind: Train, suspendPath: spec.suspend,
               podTemplatePaths: ["spec.cars[*].template"]}
          objects:
          - {apiVersion: v1, kind: Namespace, metadata: {name: default}}
          - {apiVersion: kueue.x-k8s.io/v1beta2, kind: ResourceFlavor, metadata: {name: f}}
          - apiVersion: kueue.x-k8s.io/v1beta2
            kind: ClusterQueue
            metadata: {name: q}
            spec:
              namespaceSelector: {}
              resourceGroups:
              - coveredResources: [cpu]
                flavors: [{name: f, resources: [{name: cpu, nominalQuota: 4}]}]
          - apiVersion: kueue.x-k8s.io/v1beta2
            kind: LocalQueue
            metadata: {name: user-queue, namespace: default}
            spec: {clusterQueue: q}
          - apiVersion: rail.example/v1
            kind: Train
            metadata:
              name: express
              namespace: default
              labels: {kueue.x-k8s.io/queue-name: user-queue}
            spec:
              cars:
              - name: coach
                replicas: 3
                template:
                  spec:
                    containers: [{name: c, resources: {requests: {cpu: 1}}}]
          untilQuiet: true
          expect:
            workloads:
            - {namespace: default, name: express, state: Admitted, counts: {coach: 3}}
        """);

    Ran played = Commands.run("test", scenario.toString());

    assertThat(played.out() + played.err()).contains("1 passed, 0 failed");
  }
}
