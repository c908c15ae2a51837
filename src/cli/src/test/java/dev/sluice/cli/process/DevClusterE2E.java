package dev.sluice.cli.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code sluice dev-cluster} as a process. */
@FullTier
@NeedsControlPlane
class DevClusterE2E {
  @TempDir Path folder;

  @Test
  void printsAKubeconfigThatWorksAndLeavesNoProcessBehind() throws Exception {
    Path data = folder.resolve("data");
    try (var cluster =
        SluiceProcess.start(folder, "dev-cluster", "--api-only", "--data", data.toString())) {
      cluster.awaitOut("health ");
      assertThat(cluster.out())
          .containsPattern("dashboard +http://127\\.0\\.0\\.1:[0-9]+/ui/#/\\?key=");
      String kubeconfig = cluster.printedKubeconfig();
      var children = cluster.descendants();

      assertThat(kubeconfig).startsWith(data.toString());
      assertThat(Files.isReadable(Path.of(kubeconfig))).isTrue();
      assertThat(children).hasSizeGreaterThanOrEqualTo(2);
      if (Shell.has("kubectl")) {
        Shell.Ran listed =
            Shell.run(Map.of("KUBECONFIG", kubeconfig), folder, "kubectl", "get", "topologies");
        assertThat(listed.code()).as(listed.err()).isZero();
      }
      cluster.terminate();
      await("what it started has ended")
          .until(() -> children.stream().noneMatch(ProcessHandle::isAlive));
    }
  }
}
