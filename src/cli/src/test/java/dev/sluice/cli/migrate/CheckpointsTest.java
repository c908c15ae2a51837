package dev.sluice.cli.migrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.api.ApiKind;
import dev.sluice.cli.migrate.Checkpoint.Definition;
import dev.sluice.server.program.CommandException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CheckpointsTest {
  private static final Definition DEFINITION = new Definition("uid", 3, "v1beta2");
  private static final Checkpoint HALF_WAY =
      Checkpoint.start(DEFINITION)
          .after(new Counts(5, 1, 1, 2), List.of(new Failure("a/b", "no")), "a/c", "token");

  @TempDir private Path data;

  @Test
  void goesOnWhereAnEarlierRunWas() {
    try (Checkpoints first = Checkpoints.open(data, "cluster")) {
      first.save(ApiKind.COHORT, HALF_WAY);
    }

    try (Checkpoints second = Checkpoints.open(data, "cluster")) {
      assertThat(second.load(ApiKind.COHORT, DEFINITION)).contains(HALF_WAY);
      assertThat(HALF_WAY.seen()).isEqualTo(8);
    }
  }

  @Test
  void doesNotBelieveWhatWasSeenUnderAnotherStateOfTheDefinition() {
    try (Checkpoints checkpoints = Checkpoints.open(data, "cluster")) {
      checkpoints.save(ApiKind.COHORT, HALF_WAY);

      assertThat(checkpoints.load(ApiKind.COHORT, new Definition("uid", 4, "v1beta2"))).isEmpty();
      assertThat(checkpoints.load(ApiKind.COHORT, new Definition("other", 3, "v1beta2"))).isEmpty();
      assertThat(checkpoints.load(ApiKind.TOPOLOGY, DEFINITION)).isEmpty();
    }
  }

  @Test
  void startsAnewWhenTheFileIsDamaged() throws IOException {
    try (Checkpoints checkpoints = Checkpoints.open(data, "cluster")) {
      for (String damaged : List.of("", "{", "{}", "null", "[]")) {
        Files.writeString(data.resolve("migrate/cluster/cohorts.json"), damaged);

        assertThat(checkpoints.load(ApiKind.COHORT, DEFINITION)).as(damaged).isEmpty();
      }
    }
  }

  @Test
  void letsOneProcessAtATimeWorkOnACluster() {
    try (Checkpoints checkpoints = Checkpoints.open(data, "cluster");
        Checkpoints other = Checkpoints.open(data, "other cluster")) {
      assertThat(other).isNotSameAs(checkpoints);
      assertThatThrownBy(() -> Checkpoints.open(data, "cluster"))
          .isInstanceOf(CommandException.class)
          .hasMessageContaining("another migrate command is running");
    }
  }
}
