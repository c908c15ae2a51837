package dev.sluice.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The benchmark of starts plays to its end; how fast is no matter here. */
@FullTier
@NeedsControlPlane
@Timeout(300)
class StartE2E {
  @TempDir Path folder;

  @Test
  void startsTwiceAndPrintsTimesAndMemory() throws IOException {
    var said = new StringWriter();
    CommandLine line = new CommandLine(new StartCommand());
    line.setOut(new PrintWriter(said, true));
    line.setErr(new PrintWriter(said, true));

    int code =
        line.execute(
            "--starts=2",
            "--workloads=20",
            "--rate=20",
            "--seconds=2",
            "--warm-up=1",
            "--rest=1",
            "--sluice=" + LoadE2E.program(folder));

    assertThat(code).as(said::toString).isZero();
    assertThat(said.toString())
        .containsPattern("ready, ms: median \\d+, \\d+ to \\d+ of 2 starts")
        .containsPattern("idle with 20 Workloads in view: \\d+ MiB")
        .contains(" 0 of ");
  }
}
