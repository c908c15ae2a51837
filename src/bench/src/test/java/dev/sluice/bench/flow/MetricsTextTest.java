package dev.sluice.bench.flow;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class MetricsTextTest {
  private static final String TEXT =
      """
      # TYPE asked counter
      asked{verb="POST",resource="jobs",code="201"} 3
      asked{verb="POST",resource="jobs",code="409"} 1.2e+01
      asked{verb="WATCH",resource="jobs",code="200"} 9
      asked_more{verb="POST",resource="jobs"} 100
      other 7
      """;

  @Test
  void addsUpTheSeriesOfOneMetricByWhatIsAskedFor() {
    Map<String, Long> sums =
        MetricsText.sums(
            TEXT,
            "asked",
            labels ->
                labels.getOrDefault("verb", "").equals("WATCH")
                    ? ""
                    : labels.get("verb") + " " + labels.get("resource"));

    assertThat(sums).containsExactly(Map.entry("POST jobs", 15L));
  }

  @Test
  void growthLeavesOutWhatHasNotGrown() {
    assertThat(MetricsText.growth(Map.of("a", 1L, "b", 2L), Map.of("a", 1L, "b", 5L, "c", 4L)))
        .containsExactly(Map.entry("b", 3L), Map.entry("c", 4L));
  }
}
