package dev.sluice.scheduler.workload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.meta.ObjectKey;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** When somebody is told that others dispute his reservation. */
class RefusedReservationsTest {
  private static final ObjectKey WORKLOAD = new ObjectKey("ns", "w");

  private final RefusedReservations refused = new RefusedReservations();

  private List<Integer> toldIn(int rounds) {
    return IntStream.rangeClosed(1, rounds).filter(_ -> refused.again(WORKLOAD)).boxed().toList();
  }

  @Test
  void itIsToldAtTheThirdTimeInARowAndThenEachHalfHour() {
    assertThat(toldIn(2_000)).containsExactly(3, 903, 1_803);
  }

  @Test
  void whatIsSettledBeginsAnew() {
    assertThat(toldIn(2)).isEmpty();
    refused.settled(WORKLOAD);

    assertThat(toldIn(3)).containsExactly(3);
  }
}
