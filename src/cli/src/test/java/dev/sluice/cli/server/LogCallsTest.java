package dev.sluice.cli.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** No source writes a value of a caller into the log past the place that makes it printable. */
class LogCallsTest {
  private static final Path ROOT = root();
  private static final List<String> MODULES =
      List.of(
          "src/api",
          "src/quota",
          "src/cluster",
          "src/scheduler",
          "src/cli",
          "conversion",
          "certs",
          "webhook",
          "manifests");

  /** Writes to the terminal at which a command was given, when the log may be closed. */
  private static final Set<String> MAY_PRINT =
      Set.of("Serving.java", "Logging.java", "FileProgress.java", "MigrateCommand.java");

  private static Path root() {
    Path folder = Path.of("").toAbsolutePath();
    while (!Files.exists(folder.resolve("sluice"))) {
      folder = folder.getParent();
    }
    return folder;
  }

  private static Stream<Path> sources() {
    return MODULES.stream()
        .map(module -> ROOT.resolve(module).resolve("src/main/java"))
        .flatMap(LogCallsTest::walk)
        .filter(file -> file.toString().endsWith(".java"));
  }

  private static Stream<Path> walk(Path folder) {
    try {
      return Files.walk(folder);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void everyMessageIsALiteralSoThatEveryValueIsAnArgument() {
    List<String> faults =
        sources()
            .filter(file -> !MAY_PRINT.contains(file.getFileName().toString()))
            .flatMap(
                file ->
                    LogCalls.faults(text(file)).stream().map(it -> file.getFileName() + ": " + it))
            .toList();

    assertThat(faults).isEmpty();
    assertThat(sources().mapToInt(file -> LogCalls.count(text(file))).sum())
        .as("calls that were looked at")
        .isGreaterThan(50);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "LOG.warn(\"refused: \" + uid);",
        "LOG.warn(uid + \" was refused\");",
        "LOG.warn(message);",
        "LOG.error(e.getMessage(), e);",
        "LOG.info(\"refused: %s\".formatted(uid));",
        "LOG.info(String.format(\"refused: %s\", uid));",
        "LOG\n    .debug(\n        text(uid));",
        "log.warn(name);",
        "LOG.atWarn().addKeyValue(\"uid\", uid).log(message);",
        "LOG.atWarn()\n    .addKeyValue(\"uid\", uid)\n    .log(\"refused \" + uid);",
        "LOG.atWarn().addKeyValue(uid, 1).log(\"refused\");",
        "System.err.println(uid);",
        "System.out.print(uid);",
        "e.printStackTrace();",
        "java.util.logging.Logger.getLogger(uid);",
      })
  void findsAValueThatWouldPassBy(String source) {
    assertThat(LogCalls.faults("class A { void a() { " + source + " } }")).isNotEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "LOG.warn(\"refused: {}\", uid);",
        "LOG.warn(\"refused: \\\"{}\\\" (expected: {})\", uid, 1);",
        "LOG.warn(\"a long sentence\"\n    + \" in two parts: {}\", uid);",
        "LOG.error(\"failed\", e);",
        "LOG.atWarn().addKeyValue(\"uid\", uid).log(\"refused: {}\", uid);",
        "LOG.atError().setCause(e).addKeyValue(TraceId.KEY, id).log(\"failed\");",
        "// LOG.warn(uid);",
        "/* System.err.println(uid); */",
        "String s = \"a // b\" + '\"' + \"/* c\";",
        "Math.log(x);",
      })
  void leavesAloneWhatIsSeen(String source) {
    assertThat(LogCalls.faults("class A { void a() { " + source + " } }")).isEmpty();
  }
}
