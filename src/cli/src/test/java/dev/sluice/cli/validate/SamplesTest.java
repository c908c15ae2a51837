package dev.sluice.cli.validate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.Commands;
import dev.sluice.cli.Commands.Ran;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The manifests that users are told to start with, validated as a user does. */
class SamplesTest {
  private static final Path SAMPLES = Path.of("..", "..", "manifests", "samples");

  @ParameterizedTest
  @ValueSource(strings = {".", "jobs", "jobs/custom", "simulation"})
  void aFolderOfSamplesHasNothingToWarnOf(String folder) {
    Ran ran = Commands.run("validate", "-f", SAMPLES.resolve(folder).toString());

    assertThat(ran.out()).as(ran.err()).isEmpty();
    assertThat(ran.code()).isZero();
  }
}
