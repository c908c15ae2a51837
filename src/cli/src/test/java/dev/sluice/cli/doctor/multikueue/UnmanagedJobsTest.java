package dev.sluice.cli.doctor.multikueue;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.configuration.ConfigurationReader;
import dev.sluice.api.configuration.Extensions;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.cli.cluster.ApiServer;
import dev.sluice.cli.doctor.check.Cluster;
import dev.sluice.cli.doctor.check.Findings;
import dev.sluice.cluster.access.ClusterAccess;
import dev.sluice.jobs.plan.JobSettings;
import dev.sluice.testkit.PlainServer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jobs of any kind that no worker ever gets are found, with the reason and the remedy. */
class UnmanagedJobsTest {
  private static final String MULTI_KUEUE = "kueue.x-k8s.io/multikueue";

  @TempDir private Path folder;

  private static String job(String name, String queue, String spec, String status) {
    return """
    {"metadata":{"name":"%s","namespace":"ns","labels":{"kueue.x-k8s.io/queue-name":"%s"}},
    "spec":{%s},"status":{%s}}\
    """
        .formatted(name, queue, spec, status);
  }

  private static String items(String... jobs) {
    return "{\"items\":[" + String.join(",", jobs) + "]}";
  }

  private String found(Map<String, String> served) throws IOException {
    ObjectNode configuration = JsonNodeFactory.instance.objectNode();
    ArrayNode frameworks = configuration.putObject("integrations").putArray("frameworks");
    List.of("batch/job", "jobset.x-k8s.io/jobset", "kubeflow.org/mpijob", "ray.io/rayjob", "pod")
        .forEach(frameworks::add);
    JobSettings jobs =
        JobSettings.of(ConfigurationReader.excerpt(configuration), Extensions.DEFAULT);
    Findings findings = new Findings();
    try (PlainServer manager = PlainServer.start(path -> served.getOrDefault(path, "{}"));
        ApiServer server = ApiServer.to(ClusterAccess.of(manager.kubeconfig(folder)))) {
      new UnmanagedJobs(new Cluster(server, Duration.ofSeconds(30)), jobs)
          .check(Set.of(new ObjectKey("ns", "far")), findings);
    }
    return findings.text();
  }

  @Test
  void jobsWithoutManagedByAreNamedByKind() throws IOException {
    String found =
        found(
            Map.of(
                "/apis/batch/v1/jobs", items(job("early", "far", "", "")),
                "/apis/jobset.x-k8s.io/v1alpha2/jobsets", items(job("set", "far", "", "")),
                "/apis/kubeflow.org/v2beta1/mpijobs",
                    items(job("mpi", "far", "\"runPolicy\":{}", ""))));

    assertThat(found)
        .contains("Jobs without managedBy")
        .contains("ns/early cannot go to a worker: spec.managedBy is not set")
        .contains("JobSets without managedBy")
        .contains("ns/set cannot go to a worker")
        .contains("MPIJobs without managedBy")
        .contains("ns/mpi cannot go to a worker: spec.runPolicy.managedBy is not set")
        .contains("delete them and make them again");
  }

  @Test
  void jobsOfAnotherControllerAreNamedWithIt() throws IOException {
    String found =
        found(
            Map.of(
                "/apis/batch/v1/jobs",
                items(job("theirs", "far", "\"managedBy\":\"example.com/robot\"", ""))));

    assertThat(found)
        .contains("ns/theirs (example.com/robot) cannot go to a worker")
        .doesNotContain("without managedBy");
  }

  @Test
  void jobsThatGoThatHaveEndedOrStayHereAreNotNamed() throws IOException {
    String complete = "\"conditions\":[{\"type\":\"Complete\",\"status\":\"True\"}]";
    String found =
        found(
            Map.of(
                "/apis/batch/v1/jobs",
                items(
                    job("goes", "far", "\"managedBy\":\"" + MULTI_KUEUE + "\"", ""),
                    job("over", "far", "", complete),
                    job("local", "near", "", "")),
                "/apis/ray.io/v1/rayjobs",
                items(job("ray", "far", "", "\"jobDeploymentStatus\":\"Complete\""))));

    assertThat(found).doesNotContain("managedBy");
  }
}
