package dev.sluice.cli.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.ApiKind;
import dev.sluice.cli.migrate.KindReport.Outcome;
import dev.sluice.cli.migrate.KindReport.Versions;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class ReportTest {
  private static final KindReport MIGRATED =
      new KindReport(
          ApiKind.COHORT,
          Outcome.MIGRATED,
          "",
          new Versions("v1beta2", List.of("v1beta1", "v1beta2"), List.of("v1beta2")),
          new Counts(7, 1, 2, 3),
          List.of());
  private static final KindReport FAILED =
      new KindReport(
          ApiKind.TOPOLOGY,
          Outcome.FAILED,
          "",
          new Versions("v1beta2", List.of("v1beta1"), List.of("v1beta1")),
          Counts.NONE,
          List.of(new Failure("rack", "denied")));

  @Test
  void saysWhatBecameOfEachKindAndNamesWhatFailed() {
    Report report = new Report(List.of(MIGRATED, FAILED), null);

    assertThat(report.text().lines())
        .anyMatch(line -> line.matches("Cohort +migrated( +\\d+){5} +v1beta1,v1beta2 -> v1beta2"))
        .anyMatch(line -> line.matches("Topology +failed +0 +0 +0 +0 +1 +v1beta1"))
        .contains("Topology rack: denied");
    assertThat(report.tree().at("/kinds/0/conflicts").asInt()).isEqualTo(3);
    assertThat(report.tree().at("/kinds/1/failed/0/object").asText()).isEqualTo("rack");
  }

  @Test
  void succeedsOnlyIfNothingIsLeftToDo() {
    assertThat(new Report(List.of(MIGRATED), null).isSuccess()).isTrue();
    assertThat(new Report(List.of(MIGRATED, FAILED), null).isSuccess()).isFalse();
    assertThat(new Report(List.of(MIGRATED), "the API server is gone").isSuccess()).isFalse();
  }

  @Test
  void ordersObjectsLikeTheApiServer() {
    // by the bytes of namespace, slash, name: a dash comes before a slash
    assertThat(new ObjectPath("a-b", "z")).isLessThan(new ObjectPath("a", "a"));
    assertThat(new ObjectPath("", "a.b")).isLessThan(new ObjectPath("", "ab"));
    assertThat(ObjectPath.parse("a/b")).isEqualTo(new ObjectPath("a", "b"));
    assertThat(ObjectPath.parse("b")).isEqualTo(new ObjectPath("", "b"));
    assertThat(new ObjectPath("a", "b").within("/apis/g/v", "ks"))
        .isEqualTo("/apis/g/v/namespaces/a/ks/b");
  }

  @Test
  void showsRateAndTimeLeftEveryFiveSecondsWhereNoTerminalIs() {
    AtomicLong now = new AtomicLong();
    StringWriter text = new StringWriter();
    Display display = new LineDisplay(new PrintWriter(text), "Workload", 100, now::get);

    display.expect(400);
    for (int i = 0; i < 51; i++) {
      display.step();
      now.addAndGet(100_000_000);
    }
    display.close();

    assertThat(text.toString().lines())
        .containsExactly(
            "Workload: 151 of 400, 10/s, 0:00:25 left", "Workload: 51 seen to in 5.1 s");
  }
}
