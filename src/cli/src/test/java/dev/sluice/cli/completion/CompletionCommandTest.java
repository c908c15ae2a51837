package dev.sluice.cli.completion;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.Commands;
import dev.sluice.cli.Commands.Ran;
import dev.sluice.cli.process.Shell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CompletionCommandTest {
  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({
    "conv, convert",
    "dev-, dev-cluster",
    "reh, ''", // it is hidden
    "convert --fi, --filename",
    "validate --out, --output"
  })
  void bashCompletesCommandsAndTheirFlags(String typed, String completed) throws Exception {
    assertThat(completions(typed.split(" ")))
        .isEqualTo(completed.isEmpty() ? List.of() : List.of(completed));
  }

  @Test
  void zshLoadsTheSameScriptThroughItsBashCompletion() {
    Ran bash = Commands.run("completion", "bash");
    Ran zsh = Commands.run("completion", "zsh");

    assertThat(zsh.code()).isZero();
    assertThat(zsh.out()).isEqualTo(bash.out()).contains("bashcompinit");
  }

  @ParameterizedTest
  @CsvSource({"completion fish, BASH", "completion, SHELL"})
  void anotherShellOrNoneIsWrongUsage(String line, String expected) {
    Ran ran = Commands.run(line.split(" "));

    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.out()).isEmpty();
    assertThat(ran.err()).contains(expected, "See sluice completion --help.");
  }

  @ParameterizedTest
  @CsvSource({
    "conv, convert, :4",
    "dev-, dev-cluster, :4",
    "convert --fi, --filename, :4",
    "convert no-such, '', :0"
  })
  void kubectlCompletesCommandsAndTheirFlags(String typed, String completed, String last) {
    List<String> words = new ArrayList<>(List.of("candidates", "--"));
    words.addAll(List.of(typed.split(" ")));

    Ran ran = Commands.run(words.toArray(String[]::new));

    assertThat(ran.code()).as(ran.err()).isZero();
    assertThat(ran.out().lines().filter(line -> !line.isEmpty()))
        .isEqualTo(completed.isEmpty() ? List.of(last) : List.of(completed, last));
  }

  @Test
  void kubectlGetsTheCommandsBeforeAnythingIsTyped() {
    Ran ran = Commands.run("candidates", "--", "");

    assertThat(ran.out().lines()).contains("queue", "explain", ":4").doesNotContain("rehearse");
  }

  /** What bash offers after these words, as it asks the function of the script. */
  private List<String> completions(String... words) throws IOException, InterruptedException {
    Path script =
        Files.writeString(folder.resolve("completion"), Commands.run("completion", "bash").out());
    String ask =
        """
        source %s
        COMP_WORDS=(sluice %s); COMP_CWORD=%d; COMP_LINE="${COMP_WORDS[*]}"; COMP_POINT=${#COMP_LINE}
        _complete_sluice
        printf '%%s\\n' "${COMPREPLY[@]}"
        """
            .formatted(script, String.join(" ", words), words.length);
    Shell.Ran ran = Shell.run(Map.of(), folder, "bash", "-c", ask);
    return ran.out().lines().map(String::strip).filter(line -> !line.isEmpty()).toList();
  }
}
