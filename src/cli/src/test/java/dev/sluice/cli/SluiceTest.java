package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** A start reads the flags of the command it is given, and answers as if it had read all. */
class SluiceTest {
  static Stream<List<String>> arguments() {
    return Stream.concat(
        Sluice.commandLine().getSubcommands().keySet().stream()
            .map(name -> List.of(name, "--help")),
        Stream.of(
            List.of(),
            List.of("--help"),
            List.of("-h"),
            List.of("--version"),
            List.of("-V"),
            List.of("--help", "queue"),
            List.of("valdate"),
            List.of("valdate", "--help"),
            List.of("--nosuch"),
            List.of("validate", "--nosuch"),
            List.of("multikueue", "nosuch"),
            List.of("completion", "bash"),
            List.of("candidates", "--", "que")));
  }

  @ParameterizedTest
  @MethodSource("arguments")
  void answersAsIfItHadReadAllCommands(List<String> arguments) {
    String[] args = arguments.toArray(String[]::new);

    assertThat(answer(Sluice.forArguments(args), args))
        .isEqualTo(answer(Sluice.commandLine(), args));
  }

  @Test
  void readsNoFlagsForTheGeneralHelp() {
    CommandLine program = Sluice.forArguments("--help");

    assertThat(program.getSubcommands().values())
        .flatExtracting(command -> command.getCommandSpec().options())
        .extracting(OptionSpec::longestName)
        .containsOnly("--help", "--version");
  }

  @Test
  void readsOneCommandOnly() {
    assertThat(Sluice.forArguments("queue", "-A").getSubcommands()).containsOnlyKeys("queue");
  }

  private static List<Object> answer(CommandLine program, String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code = program.setOut(new PrintWriter(out)).setErr(new PrintWriter(err)).execute(args);
    return List.of(code, out.toString(), err.toString());
  }
}
