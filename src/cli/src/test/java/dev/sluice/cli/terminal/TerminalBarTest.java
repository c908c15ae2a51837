package dev.sluice.cli.terminal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import org.junit.jupiter.api.Test;

final class TerminalBarTest {
  private static final String CLEARED = "\r\u001b[K";

  private final ByteArrayOutputStream shown = new ByteArrayOutputStream();

  private TerminalBar bar(long already, long total) {
    return new TerminalBar(new PrintStream(shown, true, UTF_8), "task", " files", already, total);
  }

  @Test
  void putsASentenceInThePlaceOfTheBarAndLeavesNothingOfIt() {
    try (TerminalBar bar = bar(0, 10)) {
      bar.say("a sentence");
      bar.clear();
    }

    assertThat(shown.toString(UTF_8))
        .contains(CLEARED + "a sentence" + System.lineSeparator() + CLEARED);
  }

  @Test
  void goesOnFromWhatWasDoneBeforeAndEndsAsALine() {
    try (TerminalBar bar = bar(4, 5)) {
      bar.expect(10);
      bar.step();
    }

    assertThat(shown.toString(UTF_8)).contains("task  50%", "5/10 files").endsWith("\n");
  }
}
