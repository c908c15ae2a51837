package dev.sluice.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The benchmark with a real API server plays to its end; how fast is no matter here. */
@FullTier
@NeedsControlPlane
@Timeout(300)
class LoadE2E {
  /** What the build before this module made; the launcher would build it once more. */
  private static final Path JAR =
      Path.of("..", "cli", "target", "sluice", "sluice.jar").toAbsolutePath().normalize();

  @TempDir Path folder;

  /** A launcher of that jar. */
  static Path program(Path folder) throws IOException {
    Path program = folder.resolve("sluice");
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    Files.writeString(program, "#!/bin/sh\nexec '%s' -jar '%s' \"$@\"\n".formatted(java, JAR));
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
    return program;
  }

  @Test
  void playsASmallPlotThroughOurWebhooks() throws IOException {
    Path plot = folder.resolve("plot.yaml");
    Path numbers = folder.resolve("numbers.json");
    Files.writeString(
        plot,
        """
        cohorts: 1
        queues: 2
        kinds:
        - {name: small, count: 5, cpu: 1, runMillis: 50, priority: 50, everyMillis: 10}
        """);
    String said =
        Ran.well(
            new LoadCommand(),
            "--webhooks",
            "--probe=1",
            "--config=" + plot,
            "--sluice=" + program(folder),
            "--json=" + numbers);

    assertThat(said).contains("with webhooks and conversion").containsPattern("small \\| +10 \\|");
    assertThat(new ObjectMapper().readTree(Files.readString(numbers)).isObject()).isTrue();
  }
}
