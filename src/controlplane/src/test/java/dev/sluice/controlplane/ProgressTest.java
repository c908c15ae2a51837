package dev.sluice.controlplane;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ProgressTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  @Test
  void addsALineEveryHalfMinuteWhereThereIsNoTerminal() {
    var progress = new Progress(new PrintStream(out, true, UTF_8), false);

    progress.begin("building");
    for (int second = 1; second <= 65; second++) {
      progress.report("building", Duration.ofSeconds(second));
    }
    progress.end();

    assertThat(out.toString(UTF_8))
        .hasLineCount(3)
        .contains("building, 0:00 elapsed", "building, 0:30 elapsed", "building, 1:00 elapsed");
  }

  @Test
  void rewritesOneLineOnATerminalAndWipesItAtTheEnd() {
    var progress = new Progress(new PrintStream(out, true, UTF_8), true);

    progress.begin("building");
    progress.report("building", Duration.ofSeconds(61));
    progress.end();

    assertThat(out.toString(UTF_8)).doesNotContain("\n").contains("1:01").endsWith("\r\u001b[K");
  }
}
