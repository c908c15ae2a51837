package dev.sluice.cli.doctor.multikueue;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.configuration.ConfigurationReader;
import dev.sluice.api.configuration.Extensions;
import dev.sluice.cli.cluster.ApiServer;
import dev.sluice.cli.doctor.check.Cluster;
import dev.sluice.cli.doctor.check.Findings;
import dev.sluice.cluster.access.ClusterAccess;
import dev.sluice.jobs.plan.JobSettings;
import dev.sluice.multicluster.copy.Identity;
import dev.sluice.testkit.PlainServer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What doctor says of the kinds that a worker serves. */
class WorkerCheckTest {
  private static final Map<String, String> SERVED =
      Map.of(
          "/apis/kueue.x-k8s.io", "{\"versions\":[{\"version\":\"v1beta2\"}]}",
          "/api/v1", "{\"resources\":[{\"name\":\"pods\"}]}",
          "/apis/batch/v1", "{\"resources\":[{\"name\":\"jobs\"}]}",
          "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
              "{\"status\":{\"allowed\":true}}");

  @Test
  void aKindThatIsNotServedIsNamedAndPodsAreServed(@TempDir Path folder) throws IOException {
    ObjectNode configuration = JsonNodeFactory.instance.objectNode();
    ArrayNode frameworks = configuration.putObject("integrations").putArray("frameworks");
    List.of("batch/job", "pod", "ray.io/rayjob").forEach(frameworks::add);
    JobSettings jobs =
        JobSettings.of(ConfigurationReader.excerpt(configuration), Extensions.DEFAULT);
    Findings findings = new Findings();
    try (PlainServer worker = PlainServer.start(path -> SERVED.getOrDefault(path, "{}"));
        ApiServer server = ApiServer.to(ClusterAccess.of(worker.kubeconfig(folder)))) {
      new WorkerCheck(
              new Cluster(server, Duration.ofSeconds(30)),
              "a",
              new Identity("multikueue", "m"),
              jobs)
          .check(Set.of(), Optional.of(Set.of()), findings);
    }

    assertThat(findings.text())
        .contains("does not serve RayJob of ray.io/v1: ")
        .contains("gives the account its rights");
  }
}
