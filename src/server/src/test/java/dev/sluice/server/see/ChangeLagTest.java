package dev.sluice.server.see;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ChangeLagTest {
  private long submitted;
  private long published;
  private long seconds;

  private final ChangeLag lag =
      new ChangeLag(() -> submitted, () -> published, () -> TimeUnit.SECONDS.toNanos(seconds) - 1);

  private void submit() {
    lag.submitting();
    submitted++;
  }

  @Test
  void aStateThatLacksNothingIsNotBehindHoweverLongNothingHasCome() {
    assertThat(lag.seconds()).isZero();
    submit();
    published = 1;
    seconds = 3600;

    assertThat(lag.seconds()).isZero();
  }

  @Test
  void itIsBehindSinceTheFirstChangeThatItLacks() {
    submit();
    published = 1;
    seconds = 100;
    submit();
    seconds = 103;
    submit();
    seconds = 105;

    assertThat(lag.seconds()).isEqualTo(5);
  }

  @Test
  void aStateThatHasPartOfABurstIsBehindAtLeastSinceItsEnd() {
    submit();
    seconds = 1;
    submit();
    submit();
    published = 1;
    seconds = 8;

    assertThat(lag.seconds()).isEqualTo(7);
    published = 3;
    assertThat(lag.seconds()).isZero();
  }

  /** A scrape may come between the two. */
  @Test
  void aChangeThatIsJustBeingSubmittedDoesNotCountFromTheOneBefore() {
    submit();
    published = 1;
    seconds = 3600;
    lag.submitting();
    submitted++;

    assertThat(lag.seconds()).isZero();
  }
}
