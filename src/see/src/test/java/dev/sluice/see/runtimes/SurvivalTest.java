package dev.sluice.see.runtimes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.see.runtimes.Survival.Run;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SurvivalTest {
  private static Survival ended(double... seconds) {
    return Survival.of(Arrays.stream(seconds).mapToObj(it -> new Run(it, true)).toList());
  }

  @ParameterizedTest
  @CsvSource({"0, 0.1, 100", "0, 0.5, 300", "0, 0.9, 500", "100, 0.5, 300", "250, 0.5, 400"})
  void endsAreQuantilesOfThoseThatLastLonger(double elapsed, double part, double expected) {
    assertThat(ended(100, 200, 300, 400, 500).quantile(elapsed, part)).isEqualTo(expected);
  }

  /** Deaths at 0.8, 3.1, 5.4 and 9.2, losses at 1.0, 2.7, 7.0 and 12.1. */
  @Test
  void agreesWithTheExampleOfKaplanAndMeier() {
    Survival curve =
        Survival.of(
            List.of(
                new Run(1.0, false),
                new Run(9.2, true),
                new Run(0.8, true),
                new Run(12.1, false),
                new Run(3.1, true),
                new Run(2.7, false),
                new Run(5.4, true),
                new Run(7.0, false)));

    assertThat(curve.after(0.5)).isEqualTo(1);
    assertThat(curve.after(1)).isCloseTo(7 / 8.0, within(1e-9));
    assertThat(curve.after(4)).isCloseTo(7 / 8.0 * 4 / 5, within(1e-9));
    assertThat(curve.after(6)).isCloseTo(7 / 8.0 * 4 / 5 * 3 / 4, within(1e-9));
    assertThat(curve.after(10)).isCloseTo(7 / 8.0 * 4 / 5 * 3 / 4 * 1 / 2, within(1e-9));
    assertThat(curve.ends()).isEqualTo(4);
    assertThat(curve.samples()).isEqualTo(8);
  }

  @Test
  void runsThatWereCutOffMakeTheOthersLonger() {
    List<Run> ends = List.of(new Run(10, true), new Run(20, true), new Run(30, true));
    List<Run> withCut =
        Stream.concat(ends.stream(), Stream.of(new Run(25, false), new Run(25, false))).toList();

    assertThat(Survival.of(withCut).quantile(0, 0.5))
        .isGreaterThan(Survival.of(ends).quantile(0, 0.5));
  }

  @Test
  void whoHasRunLongerThanAllIsExpectedToRunOn() {
    Survival curve = ended(100, 200, 300);

    assertThat(curve.quantile(900, 0)).isEqualTo(900);
    assertThat(curve.quantile(900, 0.5)).isCloseTo(900 * Math.sqrt(2), within(1e-6));
    assertThat(curve.quantile(900, 0.9)).isGreaterThan(curve.quantile(900, 0.5));
  }

  @Test
  void quantilesNeverFallAndNeverLieBeforeTheElapsedTime() {
    Survival curve =
        Survival.of(
            List.of(new Run(5, true), new Run(7, false), new Run(7, true), new Run(90, false)));

    for (double elapsed : new double[] {0, 4, 6, 8, 80, 200}) {
      double last = elapsed;
      for (double part = 0; part < 1; part += 0.05) {
        double seconds = curve.quantile(elapsed, part);
        assertThat(seconds).isGreaterThanOrEqualTo(last);
        last = seconds;
      }
    }
  }
}
