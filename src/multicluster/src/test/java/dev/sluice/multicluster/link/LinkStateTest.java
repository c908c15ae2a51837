package dev.sluice.multicluster.link;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.meta.Condition;
import dev.sluice.api.meta.ConditionStatus;
import dev.sluice.cluster.access.Target;
import dev.sluice.multicluster.link.LinkSource.Unusable;
import dev.sluice.multicluster.link.LinkSource.Usable;
import dev.sluice.multicluster.link.LinkState.Phase;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LinkStateTest {
  private static final Instant START = Instant.parse("2026-03-01T10:00:00Z");
  private static final Usable GOOD = usable("https://10.0.0.1", "first");
  private static final Usable ROTATED = usable("https://10.0.0.1", "second");
  private static final Usable ELSEWHERE = usable("https://10.0.0.2", "first");
  private static final Unusable INSECURE = Unusable.insecure("exec plugins are not allowed");

  private static Usable usable(String server, String token) {
    return new Usable(new Target(URI.create(server), "", "", "", new Target.Login(token, "", "")));
  }

  private static Instant at(long seconds) {
    return START.plusSeconds(seconds);
  }

  private static LinkState fresh() {
    return LinkState.unread(Optional.empty(), START);
  }

  private static LinkState connected() {
    return fresh().read(GOOD, START).begun(START).connected(Optional.of("uid-a"), "");
  }

  private static String told(LinkState state) {
    return state
        .active(1L, at(1000))
        .map(it -> it.status().text() + " " + it.reason() + " " + it.message())
        .orElse("as stored");
  }

  private static Optional<Condition> stored(ConditionStatus status, Instant since) {
    return Optional.of(new Condition("Active", status, 1L, since, "r", "m"));
  }

  @Test
  void theStoredConditionStaysUntilAFirstAttemptHasEnded() {
    LinkState read = fresh().read(GOOD, START);

    assertThat(told(fresh())).isEqualTo("as stored");
    assertThat(told(read)).isEqualTo("as stored");
    assertThat(told(read.begun(START))).isEqualTo("as stored");
    assertThat(read.begun(START).isConcluded()).isFalse();
    assertThat(read.begun(START).failed("no", at(1), Duration.ZERO).isConcluded()).isTrue();
  }

  @Test
  void aReadableSourceIsTriedAtOnceAndTellsThatItIsConnected() {
    LinkState read = fresh().read(GOOD, START);

    assertThat(read.isDue(START)).isTrue();
    assertThat(told(connected())).isEqualTo("True Active Connected");
    assertThat(connected().lostSince()).isEmpty();
  }

  @Test
  void whatCannotBeDoneThereIsToldBesideConnected() {
    LinkState state =
        fresh().read(GOOD, START).begun(START).connected(Optional.empty(), "not served there: a");

    assertThat(told(state)).isEqualTo("True Active Connected; not served there: a");
  }

  @ParameterizedTest
  @CsvSource({"1, 5", "2, 10", "3, 20", "4, 40", "5, 80", "6, 160", "7, 320", "8, 320", "99, 320"})
  void attemptsAreRepeatedAfterADelayThatDoubles(int failures, long seconds) {
    LinkState state = fresh().read(GOOD, START);
    for (int i = 0; i < failures; i++) {
      state = state.begun(START).failed("connection refused", START, Duration.ZERO);
    }

    assertThat(state.isDue(at(seconds).minusMillis(1))).isFalse();
    assertThat(state.isDue(at(seconds))).isTrue();
    assertThat(told(state))
        .isEqualTo(
            "False ClientConnectionFailed connection refused; connection attempts: %d, next"
                    .formatted(failures)
                + " connection attempt: "
                + at(seconds));
  }

  @Test
  void jitterIsPartOfTheTimeThatIsTold() {
    LinkState state =
        fresh().read(GOOD, START).begun(START).failed("no", START, Duration.ofSeconds(1));

    assertThat(told(state)).endsWith("next connection attempt: " + at(6));
    assertThat(state.isDue(at(5))).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"0, 1", "1, 2", "2, 4", "3, 8", "4, 10", "5, 10", "50, 10"})
  void anAttemptIsBoundByTheNumberOfThoseThatFailed(int failures, long minutes) {
    LinkState state = fresh().read(GOOD, START);
    for (int i = 0; i < failures; i++) {
      state = state.begun(START).failed("no", START, Duration.ZERO);
    }
    LinkState begun = state.begun(START);

    assertThat(begun.isOverdue(START.plus(Duration.ofMinutes(minutes)).minusMillis(1))).isFalse();
    assertThat(begun.isOverdue(START.plus(Duration.ofMinutes(minutes)))).isTrue();
  }

  @Test
  void successResetsTheCount() {
    LinkState again =
        fresh()
            .read(GOOD, START)
            .begun(START)
            .failed("no", START, Duration.ZERO)
            .begun(at(5))
            .failed("no", at(5), Duration.ZERO)
            .begun(at(15))
            .connected(Optional.empty(), "")
            .failed("watch ended", at(100), Duration.ZERO);

    assertThat(again.failures()).isEqualTo(1);
    assertThat(again.isDue(at(105))).isTrue();
    assertThat(again.isDue(at(104))).isFalse();
  }

  @Test
  void equalContentChangesNothing() {
    LinkState state = connected();

    assertThat(state.read(usable("https://10.0.0.1", "first"), at(9))).isSameAs(state);
    LinkState refused = state.read(INSECURE, at(9));
    assertThat(refused.read(Unusable.insecure("exec plugins are not allowed"), at(10)))
        .isSameAs(refused);
  }

  @Test
  void anotherLoginOfTheSameServerKeepsTheConnection() {
    LinkState rotated = connected().read(ROTATED, at(9));

    assertThat(rotated.phase()).isEqualTo(connected().phase());
    assertThat(rotated.epoch()).isEqualTo(connected().epoch());
    assertThat(rotated.source()).contains(ROTATED);
    assertThat(told(rotated)).isEqualTo("True Active Connected");
  }

  @Test
  void anotherLoginIsTriedAtOnceWhereTheLastOneFailed() {
    LinkState failed =
        fresh().read(GOOD, START).begun(START).failed("Unauthorized", START, Duration.ZERO);

    assertThat(failed.read(ROTATED, at(1)).isDue(at(1))).isTrue();
  }

  @Test
  void anotherServerEndsTheLinkAndIsTriedAtOnce() {
    LinkState moved = connected().read(ELSEWHERE, at(9));

    assertThat(moved.isOpen()).isFalse();
    assertThat(moved.isDue(at(9))).isTrue();
    assertThat(moved.begun(at(9)).epoch()).isGreaterThan(connected().epoch());
  }

  @Test
  void aSourceThatTurnsBadEndsTheLinkAtOnceAndItsReturnOpensItAtOnce() {
    LinkState bad = connected().read(INSECURE, at(9));

    assertThat(bad.phase()).isEqualTo(new Phase.Closed());
    assertThat(told(bad))
        .isEqualTo(
            "False InsecureKubeConfig load client config failed: exec plugins are not allowed");
    assertThat(bad.lostSince()).contains(at(9));
    assertThat(bad.read(GOOD, at(11)).isDue(at(11))).isTrue();
  }

  @Test
  void anotherClusterBehindTheSameAddressIsANewEpoch() {
    LinkState replaced = connected().replaced(at(9));

    assertThat(replaced.isDue(at(9))).isTrue();
    assertThat(replaced.begun(at(9)).epoch()).isGreaterThan(connected().epoch());
  }

  @Test
  void theTimeOfTheLossIsTheFirstOneAndSurvivesARestart() {
    LinkState lost = connected().failed("no", at(100), Duration.ZERO);
    assertThat(lost.begun(at(105)).failed("no", at(110), Duration.ZERO).lostSince())
        .contains(at(100));

    assertThat(LinkState.unread(stored(ConditionStatus.FALSE, at(-300)), START).lostSince())
        .contains(at(-300));
    assertThat(LinkState.unread(stored(ConditionStatus.TRUE, at(-300)), START).lostSince())
        .contains(START);
  }
}
