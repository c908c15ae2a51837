package dev.sluice.cli.replay;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ReductionTest {
  private static final List<Integer> HUNDRED = IntStream.range(0, 100).boxed().toList();

  @Test
  void onlyWhatIsNeededIsLeft() {
    List<Integer> needed = List.of(3, 50, 51, 99);

    assertThat(Reduction.of(HUNDRED, some -> some.containsAll(needed), () -> true))
        .isEqualTo(needed);
  }

  @Test
  void whatGoesOnlyAfterAnotherOneGoesToo() {
    // 7 is needed as long as 90 is there
    List<Integer> left =
        Reduction.of(
            HUNDRED,
            some -> some.contains(1) && (!some.contains(90) || some.contains(7)),
            () -> true);

    assertThat(left).containsExactly(1);
  }

  @Test
  void withoutTimeAllIsLeft() {
    assertThat(Reduction.of(HUNDRED, _ -> true, () -> false)).isEqualTo(HUNDRED);
  }

  @Test
  void nothingIsLeftWhereNothingIsNeeded() {
    assertThat(Reduction.of(HUNDRED, _ -> true, () -> true)).isEmpty();
  }
}
