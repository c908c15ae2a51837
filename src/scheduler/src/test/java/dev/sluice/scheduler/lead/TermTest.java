package dev.sluice.scheduler.lead;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A term with a deadline of two seconds, at times in seconds. */
class TermTest {
  private long now;
  private final Term term =
      new Term(Duration.ofSeconds(2), () -> Duration.ofSeconds(now).toNanos());

  private boolean renewedAt(long asked) {
    return term.renewed(Duration.ofSeconds(asked).toNanos());
  }

  @Test
  void goesOnUntilTheDeadlineAfterTheLastRenewalWasAskedFor() {
    assertThat(term.goesOn()).isFalse();
    assertThat(term.isOver()).isFalse();
    assertThat(renewedAt(0)).isTrue();

    now = 1;
    assertThat(term.goesOn()).isTrue();
    assertThat(renewedAt(1)).isFalse(); // nobody was turned away in between

    now = 3;
    assertThat(term.goesOn()).isFalse();
    assertThat(term.isOver()).isTrue();
  }

  /** The Lease stayed ours, for others wait longer; but we told everybody that we do not lead. */
  @Test
  void beginsAnewAfterARenewalThatWasLate() {
    assertThat(renewedAt(0)).isTrue();

    now = 3;
    assertThat(renewedAt(3)).isTrue();
    assertThat(term.goesOn()).isTrue();
  }

  @Test
  void doesNotBeginWithAnAnswerThatTookTooLong() {
    now = 3;
    assertThat(renewedAt(0)).isFalse();
    assertThat(term.goesOn()).isFalse();

    now = 4;
    assertThat(renewedAt(4)).isTrue();
  }

  @Test
  void endsOnce() {
    renewedAt(0);

    assertThat(term.end()).isTrue();
    assertThat(term.end()).isFalse();
    assertThat(term.goesOn()).isFalse();
    assertThat(term.isOver()).isFalse();
  }
}
