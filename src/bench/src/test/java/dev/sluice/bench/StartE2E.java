package dev.sluice.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The benchmark of starts plays to its end; how fast is no matter here. */
@FullTier
@NeedsControlPlane
@Timeout(300)
class StartE2E {
  @TempDir Path folder;

  @Test
  void startsTwiceAndPrintsTimesAndMemory() throws IOException {
    String said =
        Ran.well(
            new StartCommand(),
            "--starts=2",
            "--workloads=20",
            "--rate=20",
            "--seconds=2",
            "--warm-up=1",
            "--rest=1",
            "--sluice=" + LoadE2E.program(folder));

    assertThat(said)
        .containsPattern("ready, ms: median \\d+, \\d+ to \\d+ of 2 starts")
        .containsPattern("idle with 20 Workloads in view: \\d+ MiB")
        .contains(" 0 of ");
  }
}
