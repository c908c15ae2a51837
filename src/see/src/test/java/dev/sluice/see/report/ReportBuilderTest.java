package dev.sluice.see.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.quota.amount.FlavorResource;
import dev.sluice.quota.amount.Usage;
import dev.sluice.see.history.Gap;
import dev.sluice.see.history.Held;
import dev.sluice.see.history.QuotaChange;
import dev.sluice.see.history.RunTimeHints;
import dev.sluice.see.history.Step;
import dev.sluice.see.history.Subject;
import dev.sluice.see.history.Transition;
import dev.sluice.see.report.UsageReport.Group;
import dev.sluice.see.report.UsageReport.Hours;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReportBuilderTest {
  private static final Instant SINCE = Instant.parse("2026-01-01T00:00:00Z");
  private static final Instant UNTIL = SINCE.plus(Duration.ofHours(10));
  private static final FlavorResource GPU = new FlavorResource("f", "nvidia.com/gpu");

  private static Instant hour(double hours) {
    return SINCE.plusSeconds((long) (hours * 3600));
  }

  /** A line about a Workload that holds that many GPUs of the queue since then. */
  private static Transition line(
      Step step, String namespace, String queue, double from, double to, long gpus) {
    Subject subject =
        new Subject(
            namespace + from,
            new ObjectKey(namespace, "w"),
            "q",
            "Job/train",
            "",
            0,
            RunTimeHints.NONE);
    Held held = new Held(queue, hour(from), hour(from), hour(from), Usage.of(Map.of(GPU, gpus)));
    return new Transition(hour(to), step, subject, hour(from - 1), held, "", "");
  }

  private static QuotaChange quota(String queue, double at, long gpus) {
    return new QuotaChange(hour(at), false, queue, "c", Map.of(GPU, gpus));
  }

  private static Hours hours(Group group) {
    assertThat(group.hours()).hasSize(1);
    return group.hours().getFirst();
  }

  @Test
  void countsOnlyTheTimeOfTheReport() {
    UsageReport report =
        new ReportBuilder(SINCE, UNTIL, Grouping.QUEUE)
            .add(line(Step.FINISHED, "a", "q", -5, 2, 4))
            .add(line(Step.OPEN, "a", "q", 9, 12, 1))
            .add(line(Step.FINISHED, "a", "q", -9, -8, 7))
            .build();

    assertThat(hours(report.groups().getFirst()).held()).isCloseTo(4 * 2 + 1, within(1e-9));
    assertThat(report.groups().getFirst().finished()).isEqualTo(1);
  }

  @Test
  void whatExceedsTheNominalQuotaIsBorrowedOfWhoLeavesSome() {
    UsageReport report =
        new ReportBuilder(SINCE, UNTIL, Grouping.QUEUE)
            .add(quota("q", -1, 4))
            .add(quota("r", -1, 6))
            .add(quota("r", 5, 4))
            .add(line(Step.FINISHED, "a", "q", 1, 7, 6))
            .add(line(Step.FINISHED, "b", "r", 2, 3, 1))
            .build();

    Hours borrower = hours(report.groups().get(0));
    Hours lender = hours(report.groups().get(1));
    assertThat(borrower.held()).isCloseTo(36, within(1e-9));
    assertThat(borrower.borrowed()).isCloseTo(2 * 6, within(1e-9));
    assertThat(borrower.lent()).isZero();
    assertThat(lender.lent()).isCloseTo(12, within(1e-9));
  }

  @Test
  void groupsOfOneQueueShareWhatItBorrows() {
    UsageReport report =
        new ReportBuilder(SINCE, UNTIL, Grouping.NAMESPACE)
            .add(quota("q", -1, 4))
            .add(line(Step.FINISHED, "a", "q", 0, 1, 6))
            .add(line(Step.FINISHED, "b", "q", 0, 1, 2))
            .build();

    assertThat(hours(report.groups().get(0)).borrowed()).isCloseTo(3, within(1e-9));
    assertThat(hours(report.groups().get(1)).borrowed()).isCloseTo(1, within(1e-9));
  }

  @Test
  void anEvictionLosesWhatRanUntilThen() {
    UsageReport report =
        new ReportBuilder(SINCE, UNTIL, Grouping.OWNER)
            .add(line(Step.RESERVED, "a", "q", 1, 1, 3))
            .add(line(Step.EVICTED, "a", "q", 1, 3, 3))
            .add(line(Step.RELEASED, "a", "q", 1, 4, 3))
            .build();

    Group group = report.groups().getFirst();
    assertThat(group.name()).isEqualTo("a/Job/train");
    assertThat(group.evictions()).isEqualTo(1);
    assertThat(hours(group).lost()).isCloseTo(6, within(1e-9));
    assertThat(hours(group).held()).isCloseTo(9, within(1e-9));
    assertThat(group.started().count()).isEqualTo(1);
    assertThat(group.started().p50()).isEqualTo(Duration.ofHours(1));
  }

  @Test
  void gapsAreCountedAsFarAsTheyAreInTheTime() {
    UsageReport report =
        new ReportBuilder(SINCE, UNTIL, Grouping.QUEUE)
            .add(new Gap(hour(-2), hour(1), Gap.RESTART))
            .add(new Gap(hour(-5), hour(-4), Gap.RESTART))
            .build();

    assertThat(report.gaps().count()).isEqualTo(1);
    assertThat(report.gaps().total()).isEqualTo(Duration.ofHours(1));
  }
}
