package dev.sluice.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.browser.NeedsChromium;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The benchmark of the dashboard plays to its end; how fast is no matter here. */
@FullTier
@NeedsControlPlane
@NeedsChromium
@Timeout(600)
class DashboardBenchE2E {
  @TempDir Path folder;

  @Test
  void turnsThePagesOfASmallClusterAndPrintsWhatTheyCost() throws IOException {
    var said = new StringWriter();
    CommandLine line = new CommandLine(new DashboardCommand());
    line.setOut(new PrintWriter(said, true));
    line.setErr(new PrintWriter(said, true));

    int code =
        line.execute(
            "--minutes=1",
            "--stay=1",
            "--waiting=30",
            "--queues=10",
            "--nodes=10",
            "--changes=5",
            "--open=3",
            "--sluice=" + LoadE2E.program(folder));

    assertThat(code).as(said::toString).isZero();
    assertThat(said.toString())
        .containsPattern("first rows, ms: median, most \\| +\\d+\\.\\d \\| +\\d+\\.\\d")
        .containsPattern("heap of the page, MiB: first, last third \\| +\\d")
        .containsPattern(
            "answers, failures: 3 more, changes \\| +0\\.\\d+ \\| +[1-9]\\d* \\(\\d+ unchanged\\),"
                + " 0")
        .contains("30 Workloads wait in 10 queues, 10 nodes");
  }
}
