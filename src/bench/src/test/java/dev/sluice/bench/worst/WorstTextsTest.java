package dev.sluice.bench.worst;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class WorstTextsTest {
  @TempDir private Path folder;

  private static Stream<WorstText> few() {
    return WorstTexts.all().stream()
        .map(it -> new WorstText(it.name(), it.begin(), it.piece(), 3, it.end()));
  }

  @ParameterizedTest
  @MethodSource("few")
  void everyTextIsJson(WorstText text) throws IOException {
    Path file = folder.resolve("body");
    long bytes = text.writeTo(file);

    assertThat(file).hasSize(bytes);
    assertThat(new JsonMapper().readTree(file.toFile()).isContainerNode()).isTrue();
  }

  @Test
  void theSmallestHeapIsFoundToWithinAStep() throws Exception {
    for (int needed : List.of(5, 100, 399, 400)) {
      assertThat(SmallestHeap.find(4, 400, 6, size -> size >= needed))
          .isBetween(needed, needed + 6);
    }
    assertThatThrownBy(() -> SmallestHeap.find(4, 400, 6, _ -> false))
        .hasMessageContaining("400 MiB");
  }
}
