package dev.sluice.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The benchmarks of dispatches play to their ends; how fast is no matter here. */
@FullTier
@NeedsControlPlane
@Timeout(300)
class DispatchE2E {
  @TempDir Path folder;

  @Test
  void dispatchesAFewJobsAndPrintsTheRatio() throws IOException {
    String said =
        Ran.well(new DispatchCommand(), "--jobs=20", "--sluice=" + LoadE2E.program(folder));

    assertThat(said)
        .containsPattern("ratio to one cluster alone \\| \\d+\\.\\d+")
        .containsPattern("worker POST workloads \\| \\d+\\.\\d+")
        .contains("20 Jobs");
  }

  @Test
  void endsAFewJobsOnWorkersAndPrintsHowLongTheyWaited() throws IOException {
    String said =
        Ran.well(
            new FleetCommand(),
            "--jobs=6",
            "--rate=2",
            "--workers=1",
            "--sluice=" + LoadE2E.program(folder));

    assertThat(said)
        .containsPattern("workers: created to started there \\| [\\d,]+ \\| [\\d,]+ \\|")
        .contains("6 Jobs at 2.0 a second, 1 workers")
        .containsPattern("workers POST jobs \\| \\d+\\.\\d+")
        .containsPattern("ratio \\| \\d+\\.\\d+");
  }

  @Test
  void endsAFewJobsBesideAWorkerWhoseAnswersAreLate() throws IOException {
    String said =
        Ran.well(
            new BesideCommand(),
            "--jobs=3",
            "--rate=2",
            "--workers=1",
            "--turns=1",
            "--late=1",
            "--sluice=" + LoadE2E.program(folder));

    assertThat(said)
        .containsPattern(
            "Jobs that waited, a second \\| +\\d+\\.\\d \\| +\\d+\\.\\d \\| +\\d+\\.\\d+ \\|")
        .containsPattern("[1-9]\\d* requests for Workloads and Jobs reached that one");
  }
}
