package dev.sluice.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.Commands;
import dev.sluice.server.program.PrintableLines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a command says on a terminal when a server or a file chose the words. */
class PrintableLinesTest {
  private static final String ESCAPE = "\u001b";

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\u001b[2J\u001b[31mforged",
        "\u009b31mforged",
        "a\rforged",
        "a\u202egnorw\u202c\u2066b\u2069",
        "lines\u2028of\u2029Unicode\u0085next",
        "\u0000\u0007\b\u007f",
        "x\ud800y"
      })
  void noCharacterControlsTheTerminal(String value) {
    assertThat(PrintableLines.of("refused: " + value).replace(System.lineSeparator(), "").chars())
        .noneMatch(Character::isISOControl)
        .noneMatch(it -> Character.getType(it) == Character.FORMAT)
        .noneMatch(it -> Character.getType(it) == Character.LINE_SEPARATOR)
        .noneMatch(it -> Character.getType(it) == Character.PARAGRAPH_SEPARATOR)
        .noneMatch(it -> Character.getType(it) == Character.SURROGATE);
  }

  @Test
  void noFurtherLineLooksLikeTheBeginningOfAMessage() {
    assertThat(PrintableLines.of("no\nsluice: all is well\n  webhook.prot: unknown").lines())
        .containsExactly("no", "  sluice: all is well", "  webhook.prot: unknown");
  }

  @Test
  void aLongTextIsCutAndSaysHowMuchOfItIsMissing() {
    assertThat(PrintableLines.of("y".repeat(1 << 20))).hasSize(PrintableLines.CHARACTERS);
    assertThat(PrintableLines.of("z\n".repeat(1 << 20)).lines())
        .hasSize(PrintableLines.LINES + 1)
        .last()
        .isEqualTo("  (and %d more lines)".formatted((1 << 20) - PrintableLines.LINES));
  }

  @Test
  void whatIsHarmlessIsWrittenAsItIs() {
    assertThat(PrintableLines.of("Größe 100 % 名前")).isEqualTo("Größe 100 % 名前");
  }

  @Test
  void aCommandThatQuotesAFileWritesNothingOfItToTheTerminalRaw() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("config.yaml"),
            """
            apiVersion: config.kueue.x-k8s.io/v1beta2
            kind: Configuration
            "\\e[2J\\e[31mforged": 1
            """);

    Commands.Ran ran = Commands.run("run", "--config", file.toString());

    assertThat(ran.code()).isNotZero();
    assertThat(ran.err()).contains("forged").doesNotContain(ESCAPE);
  }

  @Test
  void anArgumentThatIsRefusedIsNotWrittenToTheTerminalRaw() {
    Commands.Ran ran = Commands.run("run", ESCAPE + "[2Jforged");

    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.err()).contains("forged").doesNotContain(ESCAPE);
  }
}
