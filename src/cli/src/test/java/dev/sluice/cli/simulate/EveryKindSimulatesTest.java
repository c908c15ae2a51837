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
          jobset.yaml                 | driver 1, workers 4
          leaderworkerset.yaml        | leader 1, worker 2; leader 1, worker 2
          mpijob.yaml                 | launcher 1, worker 2
          paddlejob.yaml              | worker 2
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
    Set<String> kinds = new TreeSet<>(Set.of("Job", "Pod")); // beside the samples
    try (Stream<Path> files = Files.list(SAMPLES)) {
      for (Path file : files.toList()) {
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
}
