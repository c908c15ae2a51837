package dev.sluice.webhook.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.webhook.guard.PodFacts.Phase;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AllowancesTest {
  private final Allowances ofAnybody = new Allowances(false);
  private final Allowances ofKnown = new Allowances(true);

  private static PodFacts pod(String name) {
    return new PodFacts(name, "", Phase.ALIVE, false, true, OptionalInt.empty());
  }

  private static long at(long millis) {
    return Duration.ofMillis(millis).toNanos();
  }

  private static List<String> names(List<PodFacts> pods) {
    return pods.stream().map(PodFacts::name).toList();
  }

  @Test
  void countsAPodUntilItIsSeen() {
    ofAnybody.add("j", pod("a"), at(0));
    ofAnybody.add("j", pod("a"), at(5));

    assertThat(names(ofAnybody.of("j", Set.of(), at(10)))).containsExactly("a");
    assertThat(ofAnybody.of("j", Set.of("a"), at(20))).isEmpty();
    assertThat(ofAnybody.of("other", Set.of(), at(20))).isEmpty();
  }

  @Test
  void countsAPodThatIsToComeAsAliveWhateverItsReviewSays() {
    ofAnybody.add(
        "j", new PodFacts("a", "u", Phase.SUCCEEDED, true, true, OptionalInt.of(3)), at(0));

    assertThat(ofAnybody.of("j", Set.of(), at(10)))
        .containsExactly(new PodFacts("a", "", Phase.ALIVE, false, true, OptionalInt.of(3)));
  }

  @Test
  void aPodThatDoesNotComeTakesTheTrustInReviewsOfItsJobAwayForTenSeconds() {
    ofAnybody.add("j", pod("forged"), at(0));
    ofAnybody.add("j", pod("b"), at(900));
    ofAnybody.add("other", pod("c"), at(900));

    assertThat(ofAnybody.of("j", Set.of(), at(1_001))).isEmpty();
    assertThat(names(ofAnybody.of("other", Set.of(), at(1_001)))).containsExactly("c");
    ofAnybody.add("j", pod("d"), at(11_000));
    assertThat(ofAnybody.of("j", Set.of(), at(11_000))).isEmpty();
    ofAnybody.add("j", pod("e"), at(11_100));
    assertThat(names(ofAnybody.of("j", Set.of(), at(11_110)))).containsExactly("e");
  }

  @Test
  void aPodThatCameKeepsTheTrust() {
    ofAnybody.add("j", pod("a"), at(0));
    ofAnybody.of("j", Set.of("a"), at(500));
    ofAnybody.add("j", pod("b"), at(900));

    assertThat(names(ofAnybody.of("j", Set.of("a"), at(1_001)))).containsExactly("b");
  }

  @Test
  void theApiServerIsTrustedAfterACreationThatFailed() {
    ofKnown.add("j", pod("failed"), at(0));
    ofKnown.add("j", pod("b"), at(1_500));

    assertThat(names(ofKnown.of("j", Set.of(), at(1_900)))).containsExactly("failed", "b");
    assertThat(names(ofKnown.of("j", Set.of(), at(2_001)))).containsExactly("b");
  }

  @Test
  void remembersABoundedNumberOfPodsWithNamesThatCanBeStored() {
    for (int i = 0; i < 2 * Allowances.MAX; i++) {
      ofAnybody.add("j" + i % 100, pod("p" + i), at(0));
    }
    ofAnybody.add("long", pod("x".repeat(1_000_000)), at(0));

    assertThat(ofAnybody.size()).isEqualTo(Allowances.MAX);
    assertThat(ofAnybody.of("long", Set.of(), at(1))).isEmpty();
  }
}
