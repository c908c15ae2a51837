package dev.sluice.server.see;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cluster.view.WatchedKind;
import dev.sluice.quota.configuration.EngineConfiguration;
import java.util.List;
import org.junit.jupiter.api.Test;

class SeeKindsTest {
  private final List<WatchedKind> kinds = SeeKinds.of(EngineConfiguration.defaults());

  @Test
  void allThatTheSchedulersEngineDecidesByIsWatchedAndNoKindOfJobs() {
    assertThat(kinds)
        .extracting(it -> it.type().kind())
        .contains("Namespace", "LimitRange", "RuntimeClass", "Node", "Pod", "ClusterQueue")
        .contains("Cohort", "LocalQueue", "ResourceFlavor", "AdmissionCheck", "Topology")
        .contains("WorkloadPriorityClass", "PriorityClass")
        .doesNotContain("Job", "ProvisioningRequest", "MultiKueueCluster")
        .doesNotHaveDuplicates()
        .endsWith("Workload");
  }
}
