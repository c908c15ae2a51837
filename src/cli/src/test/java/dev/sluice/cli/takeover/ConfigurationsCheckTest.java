package dev.sluice.cli.takeover;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.cluster.ApiServer;
import dev.sluice.cli.doctor.check.Cluster;
import dev.sluice.cli.doctor.check.Findings;
import dev.sluice.cluster.access.ClusterAccess;
import dev.sluice.testkit.PlainServer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigurationsCheckTest {
  private static final Side KUEUE = Side.kueue("kueue-system");
  private static final String CONFIG_MAP =
      """
      {"data":{"controller_manager_config.yaml":
      "apiVersion: config.kueue.x-k8s.io/v1beta2\\nkind: Configuration\\n"}}\
      """;

  @TempDir private Path folder;

  private static String deployment(String gates) {
    return """
    {"spec":{"template":{"spec":{"containers":[
      {"image":"example.com/kueue:v0.19.1","args":["--feature-gates=%s"]}]}}}}\
    """
        .formatted(gates);
  }

  /** What is found where Kueue is started with those gates. */
  private String found(String gates) throws IOException {
    Map<String, String> served =
        Map.of(
            KUEUE.path(),
            deployment(gates),
            "/api/v1/namespaces/kueue-system/configmaps/kueue-manager-config",
            CONFIG_MAP);
    Findings findings = new Findings();
    try (PlainServer kueue = PlainServer.start(path -> served.getOrDefault(path, "{}"));
        ApiServer server = ApiServer.to(ClusterAccess.of(kueue.kubeconfig(folder)))) {
      new ConfigurationsCheck(new Cluster(server, Duration.ofSeconds(30)), KUEUE, Optional.empty())
          .check(findings);
    }
    return findings.text();
  }

  @ParameterizedTest
  @ValueSource(strings = {"true", "True", "T", "1"})
  void aGateIsOnHoweverTheFlagSpellsIt(String on) throws IOException {
    assertThat(found("SchedulerLibraryIntegration=" + on + ", Unknown=" + on))
        .contains(
            "feature gate SchedulerLibraryIntegration: is on in Kueue and has no effect here",
            "feature gate Unknown: is on in Kueue and unknown here");
  }

  @Test
  void aGateThatIsOffNeedsNoEffect() throws IOException {
    assertThat(found("SchedulerLibraryIntegration=0")).doesNotContain("has no effect here");
  }
}
