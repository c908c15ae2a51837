package dev.sluice.server.logging;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
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
          "src/supervision",
          "conversion",
          "certs",
          "webhook",
          "manifests");

  /** Writes to the terminal at which a command was given, when the log may be closed. */
  private static final Set<String> MAY_PRINT =
      Set.of(
          "Serving.java", "Logging.java", "FileProgress.java", "MigrateCommand.java", "Halt.java");

  private static Path root() {
    Path folder = Path.of("").toAbsolutePath();
    while (!Files.exists(folder.resolve("sluice"))) {
      folder = requireNonNull(folder.getParent(), "a folder with the launcher");
    }
    return folder;
  }

  /** A source file: its name and its text. */
  private record Source(String name, String text) {
    static Source of(Path file) {
      try {
        return new Source(String.valueOf(file.getFileName()), Files.readString(file));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private static List<Source> sources() {
    return MODULES.stream().flatMap(module -> sources(module).stream()).toList();
  }

  private static List<Source> sources(String module) {
    try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src/main/java"))) {
      return files.filter(file -> file.toString().endsWith(".java")).map(Source::of).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void everyMessageIsALiteralSoThatEveryValueIsAnArgument() {
    List<Source> sources = sources();

    assertThat(sources)
        .filteredOn(source -> !MAY_PRINT.contains(source.name()))
        .flatMap(
            source ->
                LogCalls.faults(source.text()).stream()
                    .map(fault -> source.name() + ": " + fault)
                    .toList())
        .isEmpty();
    assertThat(sources.stream().mapToInt(source -> LogCalls.count(source.text())).sum())
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
