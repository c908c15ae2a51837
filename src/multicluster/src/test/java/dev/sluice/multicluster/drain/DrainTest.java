package dev.sluice.multicluster.drain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.multicluster.drain.Drain.Step;
import dev.sluice.multicluster.protocol.Link;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DrainTest {
  private static final Instant NOW = Instant.parse("2026-11-24T10:00:00Z");
  private static final Duration TIMEOUT = Duration.ofMinutes(15);
  private static final Link CONNECTED = new Link.Connected(true);

  private static Step next(Drain drain) {
    return drain.next(TIMEOUT, NOW);
  }

  private static Link link(String text) {
    return switch (text) {
      case "connected" -> CONNECTED;
      case "connecting" -> new Link.Connecting();
      default ->
          new Link.Lost(NOW.minus(Duration.parse(text)), "connection refused", Optional.empty());
    };
  }

  @ParameterizedTest
  @CsvSource({
    // deleted, held, named, chosen, link, left, then
    "false, false, true, false, connected, 0, Hold",
    "false, false, true, false, connecting, 0, Rest",
    "false, false, true, false, PT1H, 0, Rest",
    "false, false, true, true, connecting, 0, Hold",
    "false, false, true, true, PT1H, 0, Hold",
    "true, false, true, true, PT1H, 0, Rest",
    "false, false, false, true, PT1H, 0, Rest",
    "false, false, false, false, connected, 0, Rest",
    "false, false, false, false, connected, 3, Hold",
    "true, false, true, false, connected, 3, Rest",
    "false, true, true, false, connected, 3, Rest",
    "false, true, true, false, PT1H, 3, Rest",
    "true, true, true, false, connected, 3, Wait",
    "true, true, true, false, connecting, 3, Rest",
    "true, true, true, false, PT14M59S, 3, Wait",
    "true, true, true, false, PT15M, 3, Abandon",
    "false, true, false, false, connected, 3, Wait",
    "false, true, false, false, PT15M, 0, Abandon"
  })
  void aClusterInUseIsHeldUntilItsWorkerIsEmptyOrLost(
      boolean isDeleted,
      boolean isHeld,
      boolean isNamed,
      boolean isChosen,
      String link,
      int left,
      String then) {
    Drain drain =
        new Drain(isDeleted, isHeld, isNamed, isChosen, link(link), left, false, Optional.empty());

    assertThat(next(drain).getClass().getSimpleName()).isEqualTo(then);
  }

  @Test
  void aWorkerIsEmptyOnlyWhenNothingIsSentToItForAWhile() {
    Drain sending = new Drain(true, true, true, false, CONNECTED, 0, true, Optional.of(NOW));
    assertThat(next(sending)).isEqualTo(new Step.Wait(NOW.plus(Drain.LOOKS), Optional.empty()));

    Drain empty = new Drain(true, true, true, false, CONNECTED, 0, false, Optional.empty());
    assertThat(next(empty)).isEqualTo(new Step.Wait(NOW.plus(Drain.SETTLES), Optional.of(NOW)));

    Instant since = NOW.minus(Drain.SETTLES);
    Drain settled = new Drain(true, true, true, false, CONNECTED, 0, false, Optional.of(since));
    assertThat(next(settled)).isEqualTo(new Step.Release());
  }

  @Test
  void whatIsNotListedYetIsNotEmpty() {
    Drain listing =
        new Drain(true, true, true, false, new Link.Connected(false), 0, false, Optional.of(NOW));

    assertThat(next(listing)).isInstanceOf(Step.Wait.class);
  }
}
