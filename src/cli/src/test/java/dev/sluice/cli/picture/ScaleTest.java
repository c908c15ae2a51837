package dev.sluice.cli.picture;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScaleTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          cpu               | 12000        | 0 5 10 15
          cpu               | 400          | 0 0.25 0.5
          cpu               | 0            | 0 0.25
          memory            | 103079215104 | 0 25Gi 50Gi 75Gi 100Gi
          example.com/gpu   | 8            | 0 2 4 6 8
          example.com/gpu   | 1500         | 0 0.5k 1k 1.5k
          """)
  void labelsRoundAmounts(String resource, double most, String labels) {
    assertThat(labels(Scale.ofAmounts(resource, most))).isEqualTo(labels);
    assertThat(Scale.ofAmounts(resource, most).end()).isGreaterThanOrEqualTo(most);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          10     | 0 +2s +4s +6s +8s +10s
          3000   | 0 +10m +20m +30m +40m +50m
          9000   | 0 +30m +1h +1h30m +2h +2h30m
          200000 | 0 +12h +1d +1d12h +2d
          """)
  void labelsRoundTimes(double most, String labels) {
    assertThat(labels(Scale.ofSeconds(most))).isEqualTo(labels);
  }

  @ParameterizedTest
  @CsvSource({"3, 0 1 2 3", "30, 0 5 10 15 20 25 30", "1000, 0 200 400 600 800 1000"})
  void labelsSomeOfManyCycles(int most, String labels) {
    assertThat(labels(Scale.ofCycles(most))).isEqualTo(labels);
  }

  private static String labels(Scale scale) {
    return String.join(" ", scale.ticks().stream().map(Scale.Tick::label).toList());
  }
}
