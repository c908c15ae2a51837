package dev.sluice.bench.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.bench.engine.Story.Kind;
import dev.sluice.bench.engine.Story.Plot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlotsTest {
  @TempDir private Path folder;

  @Test
  void theBaselineIsFifteenThousandWorkloadsThatNeedSixtySixSeconds() throws IOException {
    Plot plot = Plots.find("baseline", 1);

    assertThat(plot.workloads()).isEqualTo(15_000);
    assertThat(plot.quotaBound()).isEqualTo(Duration.ofSeconds(66));
  }

  @Test
  void scaleChangesHowManyThereAreAndNothingElse() throws IOException {
    Plot plot = Plots.find("baseline", 0.01);

    assertThat(plot.kinds()).extracting(Kind::count).containsExactly(4, 1, 1);
    assertThat(plot.kinds().getFirst().runs()).isEqualTo(Duration.ofMillis(200));
    assertThat(plot.queues()).isEqualTo(6);
  }

  @Test
  void aFileSaysTheSameInYaml() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("mine.yaml"),
            """
            cohorts: 2
            queues: 3
            kinds:
            - {name: tiny, count: 7, cpu: 2, runMillis: 30, priority: -1, everyMillis: 5}
            """);

    Plot plot = Plots.find(file.toString(), 1);

    assertThat(plot.name()).isEqualTo("mine.yaml");
    assertThat(plot.workloads()).isEqualTo(42);
    assertThat(plot.kinds())
        .containsExactly(new Kind("tiny", 7, 2, Duration.ofMillis(30), -1, Duration.ofMillis(5)));
  }

  @Test
  void saysWhatAFileLacks() throws IOException {
    Path none = Files.writeString(folder.resolve("a.yaml"), "{cohorts: 1, queues: 1}");
    Path less =
        Files.writeString(
            folder.resolve("b.yaml"), "{cohorts: 0, queues: 1, kinds: [{count: 1, cpu: 1}]}");

    assertThatThrownBy(() -> Plots.find(none.toString(), 1)).hasMessageContaining("kinds: []");
    assertThatThrownBy(() -> Plots.find(less.toString(), 1))
        .hasMessage("runMillis:  (expected: a whole number above 0)");
    assertThatThrownBy(() -> Plots.find("no such file", 1)).isInstanceOf(NoSuchFileException.class);
  }
}
