package dev.sluice.cli.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The judge of placements is judged: what it must call a breach, and what not. */
class PlacementLawsTest {
  @ParameterizedTest
  @CsvSource({
    "4, 4, true", // a slice in each rack
    "8, 0, true",
    "6, 2, false", // the second slice is in two racks
    "2, 0, true", // six of eight pods had succeeded before a node died
    "1, 1, false", // and what is left of one slice is in two racks
    "4, 2, true",
    "3, 3, false"
  })
  void slicesAreWholeButForPodsThatAreNotNeededAnyMore(int one, int other, boolean lawful) {
    var verdict =
        PlacementLaws.judge(
            List.of(
                new Placed.OfWorkload(
                    7,
                    "sliced",
                    other == 0 ? Map.of("r1-n", one) : Map.of("r1-n", one, "r2-n", other),
                    one + other,
                    1,
                    "example.com/block",
                    4)),
            96,
            node -> node.substring(0, 2));

    assertThat(verdict.breaches().isEmpty()).as(verdict.toString()).isEqualTo(lawful);
  }
}
