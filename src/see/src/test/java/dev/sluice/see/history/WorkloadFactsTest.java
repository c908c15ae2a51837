package dev.sluice.see.history;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.see.history.Life.Told;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WorkloadFactsTest {
  private final Life life = new Life();

  private static Held held(Transition line) {
    return requireNonNull(line.held(), "what was held until then");
  }

  @Test
  void tellsEachTransitionOfALifeOnce() {
    life.create(4).pass(10).reserve().admit().pass(60).finish();

    assertThat(life.steps())
        .containsExactly(Step.QUEUED, Step.RESERVED, Step.ADMITTED, Step.FINISHED);
    Transition end = life.lines().getLast();
    assertThat(end.at()).isEqualTo(life.now());
    assertThat(held(end).amounts().of(Life.PAIR)).isEqualTo(4_000);
    assertThat(held(end).since()).isEqualTo(life.now().minusSeconds(60));
    assertThat(end.queued()).isEqualTo(life.now().minusSeconds(70));
  }

  @Test
  void theSameVersionAgainTellsNothing() {
    life.create(1).reserve().admit();
    int before = life.lines().size();

    life.seeAgain();

    assertThat(life.lines()).hasSize(before);
  }

  @Test
  void tellsWhoWasPreemptedForWhom() {
    life.create(1).reserve().admit().pass(30).preempt("other-uid").pass(5).release();

    assertThat(life.steps())
        .containsExactly(Step.QUEUED, Step.RESERVED, Step.ADMITTED, Step.EVICTED, Step.RELEASED);
    Transition eviction = life.lines().get(3);
    assertThat(eviction.reason()).isEqualTo("Preempted");
    assertThat(eviction.by()).isEqualTo("other-uid");
    assertThat(held(life.lines().get(4)).since()).isEqualTo(life.now().minusSeconds(35));
  }

  @Test
  void podsThatEndEarlyEndTheTimeOfTheirAmounts() {
    life.create(4).reserve().admit().pass(10).reclaim(3).pass(10).finish();

    assertThat(life.steps())
        .containsExactly(
            Step.QUEUED, Step.RESERVED, Step.ADMITTED, Step.CHANGED, Step.CONTINUED, Step.FINISHED);
    assertThat(held(life.lines().get(3)).amounts().of(Life.PAIR)).isEqualTo(4_000);
    assertThat(held(life.lines().get(5)).amounts().of(Life.PAIR)).isEqualTo(1_000);
    assertThat(held(life.lines().get(5)).since()).isEqualTo(life.now().minusSeconds(10));
  }

  @Test
  void oneThatIsSeenAfterItsEndStillTellsWhatItHeld() {
    life.create(2).hide().reserve().admit().pass(50).finish().show();

    assertThat(life.steps())
        .containsExactly(Step.QUEUED, Step.RESERVED, Step.ADMITTED, Step.FINISHED);
    assertThat(held(life.lines().getLast()).amounts().of(Life.PAIR)).isEqualTo(2_000);
  }

  @Test
  void aReservationThatEndedUnseenIsClosedBeforeTheNextOne() {
    life.create(1)
        .reserve()
        .admit()
        .pass(20)
        .hide()
        .preempt("u")
        .release()
        .pass(5)
        .reserve()
        .show();

    assertThat(life.steps())
        .containsExactly(Step.QUEUED, Step.RESERVED, Step.ADMITTED, Step.RELEASED, Step.RESERVED);
    assertThat(life.lines().get(3).reason()).isEqualTo(Transition.NOT_SEEN);
  }

  @Test
  void deactivationEndsTheHolding() {
    life.create(1).reserve().admit().pass(20).deactivate();

    assertThat(life.steps()).endsWith(Step.RELEASED);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
  void aHistoryThatIsReadAgainKnowsTheSame(long seed) {
    life.random(seed, 60);
    List<WorkloadFacts> replayed = new ArrayList<>();

    for (Told told : life.told()) {
      WorkloadFacts facts = null;
      for (Transition line : told.linesSoFar()) {
        facts = WorkloadFacts.after(facts, line).orElse(null);
      }
      replayed.add(facts);
    }

    assertThat(replayed).isEqualTo(life.told().stream().map(Told::facts).toList());
  }

  @ParameterizedTest
  @ValueSource(longs = {21, 22, 23, 24})
  void afterARestartNothingIsToldTwice(long seed) {
    life.random(seed, 40);
    int before = life.lines().size();

    life.restart().seeAgain();

    assertThat(life.lines()).hasSize(before);
  }
}
