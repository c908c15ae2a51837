package dev.sluice.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.browser.NeedsChromium;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The benchmark of the dashboard plays to its end; how fast is no matter here. */
@FullTier
@NeedsControlPlane
@NeedsChromium
@Timeout(600)
class DashboardBenchE2E {
  @TempDir Path folder;

  @Test
  void turnsThePagesOfASmallClusterAndPrintsWhatTheyCost() throws IOException {
    String said =
        Ran.well(
            new DashboardCommand(),
            "--minutes=1",
            "--stay=1",
            "--waiting=30",
            "--queues=10",
            "--nodes=10",
            "--changes=5",
            "--open=3",
            "--sluice=" + LoadE2E.program(folder));

    assertThat(said)
        .containsPattern("first rows, ms: median, most \\| +\\d+\\.\\d \\| +\\d+\\.\\d")
        .containsPattern("heap of the page, MiB: first, last third \\| +\\d")
        .containsPattern(
            "answers, failures: 3 more, changes \\| +0\\.\\d+ \\| +[1-9]\\d* \\(\\d+ unchanged\\),"
                + " 0")
        .contains("30 Workloads wait in 10 queues, 10 nodes");
  }
}
