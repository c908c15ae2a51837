package dev.sluice.server.history;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SegmentStoreTest {
  private static final long BOUND = 64 << 10;

  @TempDir private Path folder;

  private static byte[] line(int number) {
    return "line %06d %s%n".formatted(number, "x".repeat(80)).getBytes(UTF_8);
  }

  private String text() throws IOException {
    StringBuilder text = new StringBuilder();
    for (long number : HistoryFiles.numbers(folder)) {
      text.append(Files.readString(HistoryFiles.path(folder, number)));
    }
    return text.toString();
  }

  @Test
  void goesOnWhereItEnded() throws IOException {
    try (SegmentStore store = SegmentStore.open(folder, BOUND)) {
      store.append(List.of(line(1), line(2)));
    }
    try (SegmentStore store = SegmentStore.open(folder, BOUND)) {
      store.append(List.of(line(3)));
    }

    assertThat(text().lines().map(it -> it.substring(0, 11)))
        .containsExactly("line 000001", "line 000002", "line 000003");
  }

  @Test
  void cutsALineThatACrashLeftHalfWritten() throws IOException {
    try (SegmentStore store = SegmentStore.open(folder, BOUND)) {
      store.append(List.of(line(1)));
    }
    Files.writeString(HistoryFiles.path(folder, 1), "half a li", StandardOpenOption.APPEND);

    try (SegmentStore store = SegmentStore.open(folder, BOUND)) {
      assertThat(store.cut()).isEqualTo(9);
      store.append(List.of(line(2)));
    }

    assertThat(text()).hasLineCount(2).doesNotContain("half");
  }

  @Test
  void aFileWithoutOneWholeLineBecomesEmpty() throws IOException {
    Files.writeString(HistoryFiles.path(folder, 7), "x".repeat(200_000));

    try (SegmentStore store = SegmentStore.open(folder, BOUND)) {
      store.append(List.of(line(1)));
    }

    assertThat(text()).hasLineCount(1).startsWith("line 000001");
  }

  @Test
  void dropsTheOldestSegmentsAndKeepsTheBound() throws IOException {
    int dropped = 0;
    try (SegmentStore store = SegmentStore.open(folder, BOUND)) {
      for (int i = 0; i < 3_000; i++) {
        dropped += store.append(List.of(line(i)));
      }
    }

    assertThat(dropped).isPositive();
    assertThat((long) text().length()).isLessThanOrEqualTo(BOUND).isGreaterThan(BOUND / 2);
    assertThat(text()).contains("line 002999").doesNotContain("line 000000");
  }

  @Test
  void twoProcessesDoNotShareAFolder() throws IOException {
    try (SegmentStore first = SegmentStore.open(folder, BOUND)) {
      assertThat(first.segments()).isEmpty();
      assertThatThrownBy(() -> SegmentStore.open(folder, BOUND).close())
          .isInstanceOf(IOException.class)
          .hasMessageContaining("another process keeps its history there");
    }
  }
}
