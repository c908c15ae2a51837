package dev.sluice.server.rehearse;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the launcher starts to record a start-up cache for roles. */
class RehearseServerCommandIT {
  private static final long PATIENCE_SECONDS = 300;

  @TempDir private Path folder;

  /** The launcher goes on without a start-up cache if the rehearsal fails, and says nothing. */
  @ParameterizedTest
  @ValueSource(strings = {"rehearse", "rehearse --scheduler"})
  void aRoleDoesItsWorkBesideTheClusterOfTheRehearsalAndNoFileIsLeft(String command)
      throws IOException, InterruptedException {
    Path log = folder.resolve("log");
    Path temporary = Files.createDirectory(folder.resolve("temporary"));
    Process process =
        new ProcessBuilder(
                Stream.concat(
                        Stream.of(
                            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                            "-XX:TieredStopAtLevel=1",
                            "-Djava.io.tmpdir=" + temporary,
                            "-cp",
                            System.getProperty("java.class.path"),
                            "dev.sluice.server.Main"),
                        Stream.of(command.split(" ", -1)))
                    .toList())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    try {
      assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
    } finally {
      process.destroyForcibly();
    }

    assertThat(process.exitValue()).as(Files.readString(log)).isZero();
    assertThat(log).content().doesNotContain(RehearseServerCommand.UNFINISHED);
    assertThat(rehearsals(temporary)).as("folders that are left").isEmpty();
  }

  private static List<Path> rehearsals(Path temporary) throws IOException {
    try (Stream<Path> files = Files.list(temporary)) {
      return files.filter(it -> it.getFileName().toString().startsWith("sluice-rehearse")).toList();
    }
  }
}
