package dev.sluice.see.usage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.quota.amount.Amount;
import dev.sluice.quota.amount.FlavorResource;
import dev.sluice.quota.tree.NodeName;
import dev.sluice.see.standing.NodeStanding;
import dev.sluice.see.standing.PairStanding;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class UsageLogTest {
  private static final Instant START = Instant.parse("2026-01-01T12:00:00Z");
  private static final FlavorResource CPU = new FlavorResource("f", "cpu");

  private final UsageLog log = new UsageLog();

  private static Instant after(int samples) {
    return START.plus(UsageLog.EVERY.multipliedBy(samples));
  }

  private static NodeStanding queue(String name, long nominal, long used) {
    Amount amount = new Amount(nominal);
    Amount borrowed = new Amount(Math.max(0, used - nominal));
    return new NodeStanding(
        NodeName.clusterQueue(name),
        0,
        0,
        0,
        "",
        List.of(
            new PairStanding(
                CPU, amount, amount, new Amount(used), borrowed, Amount.ZERO, Amount.ZERO)),
        List.of());
  }

  private static NodeStanding cohort(NodeStanding... children) {
    return new NodeStanding(NodeName.cohort("all"), 0, 0, 0, "", List.of(), List.of(children));
  }

  private List<QueueUsage.Step> steps(String queue, Instant now) {
    List<QueueUsage.Pair> pairs = log.of(queue, now).pairs();
    return pairs.isEmpty() ? List.of() : pairs.getFirst().steps();
  }

  private static QueueUsage.Use use(long nominal, long used, long borrowed) {
    return new QueueUsage.Use(new Amount(nominal), new Amount(used), new Amount(borrowed));
  }

  @Test
  void aQueueBelowACohortHasAStepForEachChange() {
    log.note(after(0), List.of(cohort(queue("a", 10, 4), queue("b", 5, 0))));
    log.note(after(1), List.of(cohort(queue("a", 10, 4), queue("b", 5, 0))));
    log.note(after(2), List.of(cohort(queue("a", 10, 13), queue("b", 5, 0))));

    assertThat(steps("a", after(2)))
        .containsExactly(
            new QueueUsage.Step(after(0), use(10, 4, 0)),
            new QueueUsage.Step(after(2), use(10, 13, 3)));
    assertThat(steps("b", after(2))).hasSize(1);
    QueueUsage usage = log.of("a", after(2));
    assertThat(usage.from()).isEqualTo(after(0));
    assertThat(usage.to()).isEqualTo(after(2));
    assertThat(usage.isComplete()).isTrue();
  }

  @Test
  void aQueueThatIsNotKnownHasNothing() {
    assertThat(log.of("a", START).pairs()).isEmpty();
    assertThat(log.of("a", START).from()).isNull();
    assertThat(log.isDue(START)).isTrue();
  }

  @Test
  void whatIsAskedMoreOftenIsNotSampledMoreOften() {
    log.note(START, List.of(queue("a", 10, 4)));
    log.note(START.plusSeconds(1), List.of(queue("a", 10, 9)));

    assertThat(log.isDue(START.plusSeconds(29))).isFalse();
    assertThat(log.isDue(START.plusSeconds(30))).isTrue();
    assertThat(steps("a", START)).hasSize(1);
  }

  @Test
  void aClockThatIsSetBackBeginsAnew() {
    log.note(START, List.of(queue("a", 10, 4)));
    log.note(START.minusSeconds(300), List.of(queue("a", 10, 9)));

    assertThat(steps("a", START))
        .containsExactly(new QueueUsage.Step(START.minusSeconds(300), use(10, 9, 0)));
  }

  @Test
  void whatIsOlderThanAnHourIsForgotten() {
    for (int i = 0; i < 3 * UsageLog.SAMPLES; i++) {
      log.note(after(i), List.of(queue("a", 10, i)));
    }
    int last = 3 * UsageLog.SAMPLES - 1;

    List<QueueUsage.Step> steps = steps("a", after(last));
    assertThat(steps).hasSize(UsageLog.SAMPLES);
    assertThat(Duration.between(steps.getFirst().at(), steps.getLast().at()))
        .isEqualTo(UsageLog.SPAN);
    assertThat(steps.getLast().use()).isEqualTo(use(10, last, last - 10));
    assertThat(steps("a", after(last).plus(UsageLog.SPAN))).as("a pause").hasSize(1);
    assertThat(steps("a", after(last).plus(UsageLog.SPAN).plusSeconds(1))).isEmpty();
  }

  @Test
  void aQueueThatIsGoneAndComesBackHasAGap() {
    log.note(after(0), List.of(queue("a", 10, 4)));
    log.note(after(1), List.of());
    log.note(after(2), List.of(queue("a", 10, 4)));

    assertThat(steps("a", after(2)))
        .extracting(QueueUsage.Step::use)
        .containsExactly(use(10, 4, 0), null, use(10, 4, 0));
  }

  @Test
  void whatDoesNotFitIsNotKeptUntilAnotherQueueIsGoneForAnHour() {
    UsageLog small = new UsageLog(2 * UsageLog.PAIR_BYTES);
    List<NodeStanding> three = Stream.of("a", "b", "c").map(name -> queue(name, 1, 1)).toList();
    small.note(after(0), three);

    assertThat(small.of("b", after(0)).pairs()).hasSize(1);
    assertThat(small.of("c", after(0)).pairs()).isEmpty();
    assertThat(small.of("c", after(0)).isComplete()).isFalse();

    for (int i = 1; i <= UsageLog.SAMPLES + 1; i++) {
      small.note(after(i), List.of(queue("c", 1, 1)));
    }
    assertThat(small.of("c", after(UsageLog.SAMPLES + 1)).pairs()).hasSize(1);
    assertThat(small.of("c", after(UsageLog.SAMPLES + 1)).isComplete()).isTrue();
  }
}
