package dev.sluice.webhook.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.json.JsonLimits;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class MemoryReservationTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Bounds BOUNDS =
      new Bounds(1024, 4096, JsonLimits.DEFAULT, 2, 2048, 1, SECOND, SECOND, SECOND);

  private final InFlight inFlight = new InFlight(BOUNDS);
  private final MemoryReservation memory = new MemoryReservation(inFlight);

  @Test
  void growsToTheBoundOfAllTogetherAndNoFurther() {
    var other = new MemoryReservation(inFlight);

    assertThat(memory.tryGrowTo(1000)).isTrue();
    assertThat(memory.tryGrowTo(1024)).isTrue();
    assertThat(other.tryGrowTo(1025)).isFalse();
    assertThat(other.tryGrowTo(1024)).isTrue();

    assertThat(inFlight.bytes()).isEqualTo(2048);
  }

  @Test
  void growsToWhatItHoldsAlready() {
    memory.tryGrowTo(2000);

    assertThat(memory.tryGrowTo(100)).isTrue();

    assertThat(inFlight.bytes()).isEqualTo(2000);
  }

  @Test
  void standsForAnAnswerEvenBeyondTheBoundSinceItIsThere() {
    memory.tryGrowTo(1000);

    memory.become(4096);

    assertThat(inFlight.bytes()).isEqualTo(4096);
    assertThat(new MemoryReservation(inFlight).tryGrowTo(1)).isFalse();
  }

  @Test
  void keepsTheLastEighthForSmallRequests() {
    int mib = 1 << 20;
    var much =
        new InFlight(
            new Bounds(mib, mib, JsonLimits.DEFAULT, 2, 8L * mib, 1, SECOND, SECOND, SECOND));
    var large = new MemoryReservation(much);

    assertThat(much.mostForOne()).isEqualTo(7L * mib);
    assertThat(large.tryGrowTo(7L * mib + 1)).isFalse();
    assertThat(large.tryGrowTo(7L * mib)).isTrue();
    assertThat(new MemoryReservation(much).tryGrowTo(InFlight.SMALL + 1)).isFalse();
    for (int i = 0; i < 4; i++) {
      assertThat(new MemoryReservation(much).tryGrowTo(InFlight.SMALL)).isTrue();
    }
    assertThat(new MemoryReservation(much).tryGrowTo(1)).isFalse();
  }

  @Test
  void aRequestTakesWhereItIsAnsweredNoMoreThanThere() {
    memory.tryGrowTo(100);
    var budget = new RequestBudget(memory, inFlight.mostForOne(), 500);

    assertThat(budget.tryTake(400)).isTrue();
    assertThat(budget.outgrown()).isFalse();
    budget.giveBack(100);
    assertThat(budget.tryTake(201)).isFalse();
    assertThat(budget.outgrown()).isTrue();
    assertThat(budget.wanted()).isEqualTo(501);
    assertThat(inFlight.bytes()).isEqualTo(400);
    budget.close();

    assertThat(inFlight.bytes()).isEqualTo(100);
  }

  @Test
  void aRequestThatFindsNoRoomHasNotOutgrownItsPlace() {
    var budget = new RequestBudget(memory, inFlight.mostForOne(), Long.MAX_VALUE);

    assertThat(budget.tryTake(2049)).isFalse();
    assertThat(budget.outgrown()).isFalse();
    assertThat(budget.tryTake(2048)).isTrue();
  }

  @Test
  void givesBackOnce() {
    memory.tryGrowTo(1000);

    memory.release();
    memory.release();

    assertThat(inFlight.bytes()).isZero();
  }

  @Test
  void entersNoMoreRequestsThanBounds() {
    assertThat(inFlight.tryEnter()).isTrue();
    assertThat(inFlight.tryEnter()).isTrue();
    assertThat(inFlight.tryEnter()).isFalse();

    inFlight.leave();

    assertThat(inFlight.tryEnter()).isTrue();
    assertThat(inFlight.requests()).isEqualTo(2);
  }
}
