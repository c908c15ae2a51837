package dev.sluice.cli.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.devcluster.DevCluster;
import dev.sluice.cli.testcluster.NeedsDevCluster;
import dev.sluice.cli.testcluster.Pages;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.controlplane.Poll;
import dev.sluice.testkit.FullTier;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What the server sees of the cluster reaches its rules. */
@FullTier
@NeedsDevCluster
class ViewE2E {
  private static final Duration SOON = Duration.ofSeconds(40);
  private static final Duration PAUSE = Duration.ofMillis(100);

  private final ApiClient api;
  private final DevCluster cluster;

  ViewE2E(DevCluster cluster) {
    this.cluster = cluster;
    this.api = cluster.controlPlane().client();
  }

  @Test
  void aJobGetsTheDefaultQueueOfItsNamespaceOnceThatIsSeen() {
    api.create("/api/v1/namespaces", "{\"metadata\":{\"name\":\"sighted\"}}").orThrow();
    api.create(
            "/apis/kueue.x-k8s.io/v1beta2/namespaces/sighted/localqueues",
            """
            {"apiVersion":"kueue.x-k8s.io/v1beta2","kind":"LocalQueue",
            "metadata":{"name":"default"},"spec":{"clusterQueue":"any"}}\
            """)
        .orThrow();

    boolean queued = Poll.until(SOON, PAUSE, () -> dryRun().contains("queue-name\":\"default\""));

    assertThat(queued).as("%s", dryRun()).isTrue();
    assertThat(dryRun()).contains("\"suspend\":true");
  }

  private String dryRun() {
    return api.create(
            "/apis/batch/v1/namespaces/sighted/jobs?dryRun=All",
            """
            {"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"j"},"spec":{"template":{
            "spec":{"restartPolicy":"Never","containers":[{"name":"c","image":"i"}]}}}}\
            """)
        .body();
  }

  @Test
  void readinessAndMetricsTellHowWellTheClusterIsKnown() throws IOException, InterruptedException {
    assertThat(get("/readyz")).startsWith("ready; view: ").contains(" objects, heard of within ");
    assertThat(get("/metrics"))
        .contains("sluice_view_objects{kind=\"Namespace\"}")
        .contains("sluice_view_age_seconds{kind=\"ClusterQueue.kueue.x-k8s.io\"}");
  }

  private String get(String path) throws IOException, InterruptedException {
    return Pages.read(cluster.server().httpPort(), path);
  }
}
