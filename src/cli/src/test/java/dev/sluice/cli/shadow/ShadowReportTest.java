package dev.sluice.cli.shadow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.cli.Commands;
import dev.sluice.see.shadow.Judgement;
import dev.sluice.see.shadow.KnownDeviations;
import dev.sluice.see.shadow.Verdict;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class ShadowReportTest {
  private static final Instant AT = Instant.parse("2026-01-01T12:00:00Z");

  private final ShadowReport report = new ShadowReport(AT, Duration.ofSeconds(5));

  private static Judgement judgement(Verdict verdict, String name, String deviation) {
    return new Judgement(
        AT,
        verdict,
        deviation,
        new ObjectKey("team", name),
        "uid-" + name,
        "queue",
        "reserved quota in queue",
        "would leave it waiting: it is full",
        null);
  }

  private void threeOfFourAreTheSame() {
    for (int i = 0; i < 3; i++) {
      report.add(judgement(Verdict.SAME, "same-" + i, ""));
    }
    report.add(judgement(Verdict.LATER, "later", ""));
    report.add(judgement(Verdict.UNDECIDED, "unseen", ""));
    report.end(AT.plusSeconds(3600), 7, it -> it.workload().name() + ".yaml");
  }

  @Test
  void tellsHowManyAreTheSameOfThoseThatCanBeCompared() {
    threeOfFourAreTheSame();
    assertThat(report.differences()).isEqualTo(1);
    assertThat(report.text())
        .startsWith(
            "From 2026-01-01T12:00:00Z to 2026-01-01T13:00:00Z, grace 5.0 s: 5 decisions,"
                + " 75.00 % the same.")
        .contains(
            "later at 2026-01-01T12:00:00Z: team/later in ClusterQueue queue",
            "  The other scheduler reserved quota in queue.",
            "  Sluice would leave it waiting: it is full.",
            "  Scenario: later.yaml",
            "7 evictions for other reasons");
  }

  @Test
  void knownDeviationsAreNoDifferences() {
    report.add(judgement(Verdict.KNOWN_DEVIATION, "slices", KnownDeviations.LAST_SLICE));
    assertThat(report.differences()).isZero();
    assertThat(report.json().at("/knownDeviations/topology-last-slice").asInt()).isEqualTo(1);
    assertThat(report.markdown()).contains("| | 1 | `topology-last-slice` |");
  }

  @Test
  void hasTheSameNumbersAsJson() {
    threeOfFourAreTheSame();
    assertThat(report.json().path("decisions").asInt()).isEqualTo(5);
    assertThat(report.json().at("/results/same").asInt()).isEqualTo(3);
    assertThat(report.json().path("first").findValuesAsText("scenario"))
        .containsExactly("later.yaml", "unseen.yaml");
  }

  @Test
  void wrongUsageIsToldBeforeAnythingIsRead() {
    assertThat(Commands.run("shadow", "--grace=0s").code()).isEqualTo(2);
    assertThat(Commands.run("shadow", "--most-scenarios=-1").code()).isEqualTo(2);
    assertThat(Commands.run("shadow", "--for=never").code()).isEqualTo(2);
  }
}
