package dev.sluice.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** Each flag of each command is given in a test. */
class TestedFlagsTest {
  private static final Path ROOT = Path.of("..", "..");

  @Test
  void eachFlagOfEachCommandIsGivenInATest() throws IOException {
    String tests = tests();

    assertThat(untested(Sluice.commandLine(), tests)).isEmpty();
  }

  private static List<String> untested(CommandLine command, String tests) {
    List<String> untested = new ArrayList<>();
    for (OptionSpec option : command.getCommandSpec().options()) {
      boolean isGiven =
          Stream.of(option.names())
              .map(it -> it.replace("[no-]", ""))
              .anyMatch(it -> tests.contains("\"" + it) || tests.contains(" " + it));
      if (!option.hidden() && !isGiven) {
        untested.add(command.getCommandSpec().qualifiedName() + " " + option.longestName());
      }
    }
    command.getSubcommands().values().forEach(it -> untested.addAll(untested(it, tests)));
    return untested;
  }

  /** The text of all tests but this one. */
  private static String tests() throws IOException {
    try (Stream<Path> files = Files.walk(ROOT)) {
      return files
          .filter(it -> it.toString().endsWith(".java"))
          .filter(it -> it.toString().contains("/src/test/"))
          .filter(it -> !it.endsWith("TestedFlagsTest.java"))
          .map(TestedFlagsTest::read)
          .collect(Collectors.joining());
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file, UTF_8);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
