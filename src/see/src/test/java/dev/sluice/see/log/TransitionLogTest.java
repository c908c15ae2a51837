package dev.sluice.see.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.quota.amount.Usage;
import dev.sluice.see.history.Gap;
import dev.sluice.see.history.Held;
import dev.sluice.see.history.RunTimeHints;
import dev.sluice.see.history.Step;
import dev.sluice.see.history.Subject;
import dev.sluice.see.history.Transition;
import dev.sluice.see.names.Names;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TransitionLogTest {
  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

  private final TransitionLog log = new TransitionLog();

  /** A line about a Workload of that namespace, so many minutes after noon. */
  private static Transition line(
      int minute,
      Step step,
      String namespace,
      String name,
      String queue,
      String reason,
      String by) {
    Subject subject =
        new Subject(
            "uid-" + name, new ObjectKey(namespace, name), "team", "", "", 0, RunTimeHints.NONE);
    Held held = queue.isEmpty() ? null : new Held(queue, NOON, NOON, null, Usage.of(Map.of()));
    return new Transition(NOON.plusSeconds(60L * minute), step, subject, NOON, held, reason, by);
  }

  private void addStory() {
    log.add(line(0, Step.QUEUED, "a", "low", "", "", ""));
    log.add(line(1, Step.RESERVED, "a", "low", "cq", "", ""));
    log.add(line(2, Step.QUEUED, "b", "high", "", "", ""));
    log.add(line(3, Step.EVICTED, "a", "low", "cq", "Preempted", "uid-high"));
    log.add(line(4, Step.RESERVED, "b", "high", "other", "", ""));
  }

  private List<String> shown(LogFilter filter, Names names, @Nullable LogCursor from, int limit) {
    return page(filter, names, from, limit).entries().stream()
        .map(
            it ->
                "%s %s %s%s"
                    .formatted(
                        it.entry().step().text(),
                        it.entry().workload(),
                        it.clusterQueue(),
                        it.preemptor() == null ? "" : " for " + it.preemptor()))
        .toList();
  }

  private LogPage page(LogFilter filter, Names names, @Nullable LogCursor from, int limit) {
    return log.page(
        filter, names, "", from, limit, queue -> queue.namespace().equals("a") ? "cq" : "");
  }

  @Test
  void theLastEntryIsTheFirstAndAQueueIsTheOneThatIsWaitedFor() {
    addStory();

    assertThat(shown(LogFilter.ALL, Names.ALL, null, 100))
        .containsExactly(
            "Reserved b/high other",
            "Evicted a/low cq for b/high",
            "Queued b/high ",
            "Reserved a/low cq",
            "Queued a/low cq");
  }

  @Test
  void linesThatComeLateHaveThePlaceOfTheirTime() {
    log.add(line(5, Step.QUEUED, "a", "new", "", "", ""));
    log.add(line(1, Step.QUEUED, "a", "old", "", "", ""));

    assertThat(shown(LogFilter.ALL, Names.ALL, null, 1)).containsExactly("Queued a/new cq");
    assertThat(log.since()).isEqualTo(NOON.plusSeconds(60));
  }

  @Test
  void aReaderSeesNothingOfOthersNotEvenByAFilter() {
    addStory();
    Names onlyA = new Names("a"::equals);

    assertThat(shown(LogFilter.ALL, onlyA, null, 100))
        .containsExactly("Evicted a/low cq", "Reserved a/low cq", "Queued a/low cq");
    assertThat(shown(new LogFilter("", "", "", "high"), onlyA, null, 100)).isEmpty();
    assertThat(shown(new LogFilter("other", "", "", ""), onlyA, null, 100)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "cq, '', '', '', 3",
    "a/team, '', '', '', 3",
    "other, '', '', '', 1",
    "'', a/lo, '', '', 3",
    "'', '', Preempted, '', 1",
    "'', '', reserved, '', 2",
    "'', '', '', b/high, 1",
    "cq, low, evicted, high, 1",
    "cq, high, '', '', 0",
  })
  void filtersNarrowTheLog(
      String queue, String workload, String reason, String preemptor, int entries) {
    addStory();

    assertThat(shown(new LogFilter(queue, workload, reason, preemptor), Names.ALL, null, 100))
        .hasSize(entries);
  }

  @Test
  void theNextPageBeginsAfterTheLastEntryOfThisOneWhateverCameSince() {
    addStory();
    LogPage first = page(LogFilter.ALL, Names.ALL, null, 2);
    LogCursor last = LogCursor.of(LogCursor.after(first.entries().getLast().entry()).text());
    log.add(line(9, Step.GONE, "a", "low", "", "", ""));

    assertThat(first.more()).isTrue();
    assertThat(shown(LogFilter.ALL, Names.ALL, last, 2))
        .containsExactly("Queued b/high ", "Reserved a/low cq");
    assertThat(page(LogFilter.ALL, Names.ALL, last, 3).more()).isFalse();
    LogCursor forgotten = new LogCursor(NOON.plusSeconds(90), "0123");
    assertThat(shown(LogFilter.ALL, Names.ALL, forgotten, 2))
        .as("what is before it in time")
        .containsExactly("Reserved a/low cq", "Queued a/low cq");
  }

  @Test
  void onlyWhatHappenedToAWorkloadIsAnEntry() {
    log.add(new Gap(NOON, NOON, Gap.RESTART));
    log.add(line(0, Step.CHANGED, "a", "w", "cq", "", ""));
    log.add(line(0, Step.CONTINUED, "a", "w", "cq", "", ""));

    assertThat(shown(LogFilter.ALL, Names.ALL, null, 9)).containsExactly("Continued a/w cq");
  }

  @Test
  void theOldestEntriesAreForgottenBeyondANumberAndBeyondASize() {
    TransitionLog few = new TransitionLog(3, 1 << 20);
    TransitionLog small = new TransitionLog(1_000_000, 10_000);
    for (int i = 0; i < 100; i++) {
      Transition line = line(i, Step.QUEUED, "a", "w" + i + "x".repeat(200), "", "", "");
      few.add(line);
      small.add(line);
    }

    LogPage kept = few.page(LogFilter.ALL, Names.ALL, "", null, 100, _ -> "");
    assertThat(kept.entries())
        .extracting(it -> it.entry().number())
        .containsExactly(100L, 99L, 98L);
    assertThat(small.page(LogFilter.ALL, Names.ALL, "", null, 1000, _ -> "").entries())
        .hasSizeBetween(5, 20);
    assertThat(few.last()).isEqualTo(100);
  }

  @Test
  void logsOfTwoProcessesHaveTheSameEntriesAndPlaces() {
    TransitionLog other = new TransitionLog();
    List<Transition> lines =
        List.of(
            line(0, Step.QUEUED, "a", "w", "", "", ""),
            line(1, Step.RESERVED, "a", "w", "cq", "", ""),
            line(1, Step.ADMITTED, "a", "w", "cq", "", ""),
            line(1, Step.QUEUED, "a", "v", "", "", ""));
    lines.forEach(log::add);
    lines.reversed().forEach(other::add);
    log.add(line(5, Step.GONE, "a", "w", "cq", "", ""));
    other.add(line(6, Step.GONE, "a", "w", "cq", "", "")); // it looked later

    assertThat(ids(other)).isEqualTo(ids(log)).doesNotHaveDuplicates();
  }

  private static List<String> ids(TransitionLog log) {
    return log.page(LogFilter.ALL, Names.ALL, "", null, 100, _ -> "").entries().stream()
        .map(it -> it.entry().id())
        .toList();
  }

  @Test
  void aPlaceIsReadAsItIsWritten() {
    assertThatThrownBy(() -> LogCursor.of("x-1")).hasMessageContaining("expected: next of");
    assertThatThrownBy(() -> LogCursor.of("99999999999999-1")).hasMessageContaining("before: '9");
    assertThatThrownBy(() -> LogCursor.of("")).hasMessageContaining("expected: next of");
    assertThat(LogCursor.of("12-ab").text()).isEqualTo("12-ab");
  }

  @Test
  void aNamespaceIsALogOfItsOwn() {
    addStory();

    assertThat(log.page(LogFilter.ALL, Names.ALL, "b", null, 100, _ -> "").entries()).hasSize(2);
    assertThat(log.namespaces()).containsExactly("b", "a");
  }
}
