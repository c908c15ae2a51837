package dev.sluice.multicluster.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class DispatcherTest {
  private static final Instant NOW = Instant.parse("2026-11-24T10:00:00Z");

  private static List<Candidate> all(String... names) {
    return Stream.of(names).map(it -> new Candidate(it, true, false)).toList();
  }

  private static List<Candidate> with(List<Candidate> candidates, Candidate changed) {
    return candidates.stream().map(it -> it.name().equals(changed.name()) ? changed : it).toList();
  }

  private static Nomination ask(
      Dispatcher dispatcher, List<Candidate> candidates, List<String> stored, Nomination before) {
    return dispatcher.nominate(candidates, stored, before.round(), NOW);
  }

  private static Nomination first(
      Dispatcher dispatcher, List<Candidate> candidates, List<String> stored) {
    return dispatcher.nominate(candidates, stored, Optional.empty(), NOW);
  }

  @Test
  void allAtOnceNominatesEveryConnectedClusterSorted() {
    List<Candidate> candidates = with(all("c", "b", "a"), new Candidate("b", false, false));

    assertThat(first(new AllAtOnce(), candidates, List.of()).clusters()).containsExactly("a", "c");
  }

  @Test
  void allAtOnceKeepsAClusterThatIsOnlyLostAndTakesOneMoreThatComes() {
    List<Candidate> lost = with(all("a", "b"), new Candidate("a", false, false));
    assertThat(first(new AllAtOnce(), lost, List.of("a")).clusters()).containsExactly("a", "b");
  }

  @Test
  void allAtOnceDropsAClusterThatIsNotConfiguredAnyMore() {
    assertThat(first(new AllAtOnce(), all("b"), List.of("a", "b")).clusters()).containsExactly("b");
  }

  @Test
  void incrementalTakesTheNextStepAfterFiveMinutesInTheOrderOfTheConfiguration() {
    Incremental two = new Incremental(2, true);
    List<Candidate> candidates = all("c", "b", "a");

    Nomination first = first(two, candidates, List.of());
    assertThat(first.clusters()).containsExactly("c", "b");
    assertThat(first.again()).contains(NOW.plus(Incremental.STEP));

    Nomination early =
        two.nominate(candidates, first.clusters(), first.round(), NOW.plusSeconds(299));
    assertThat(early.clusters()).containsExactly("c", "b");
    Nomination late =
        two.nominate(candidates, first.clusters(), first.round(), NOW.plus(Incremental.STEP));
    assertThat(late.clusters()).containsExactly("c", "b", "a");
    Nomination rest = ask(two, candidates, late.clusters(), late);
    assertThat(rest.clusters()).containsExactly("c", "b", "a");
    assertThat(rest.again()).as("all are in").isEmpty();
  }

  @Test
  void withoutTheGateOfTheOrderItGoesByName() {
    assertThat(first(new Incremental(2, false), all("c", "b", "a"), List.of()).clusters())
        .containsExactly("a", "b");
  }

  @Test
  void aRestartBeginsTheRoundAnew() {
    Nomination after = first(new Incremental(1, true), all("a", "b"), List.of("a"));

    assertThat(after.clusters()).containsExactly("a");
    assertThat(after.again()).contains(NOW.plus(Incremental.STEP));
  }

  @Test
  void clustersOutOfReachOrLeftOutDoNotFillAStep() {
    List<Candidate> candidates =
        with(
            with(all("a", "b", "c", "d"), new Candidate("a", false, false)),
            new Candidate("b", true, true));

    assertThat(first(new Incremental(2, true), candidates, List.of()).clusters())
        .containsExactly("c", "d");
  }

  @Test
  void aRoundEndsEarlyWhenAllOfItHaveRefused() {
    Incremental two = new Incremental(2, true);
    Nomination first = first(two, all("a", "b", "c"), List.of());
    List<Candidate> one = with(all("a", "b", "c"), new Candidate("a", true, true));
    List<Candidate> both = with(one, new Candidate("b", true, true));

    assertThat(ask(two, one, first.clusters(), first).clusters()).containsExactly("a", "b");
    assertThat(ask(two, both, first.clusters(), first).clusters()).containsExactly("a", "b", "c");
  }

  @Test
  void neverMoreThanTheFieldCanHold() {
    String[] names =
        Stream.iterate(10, it -> it + 1).limit(25).map(it -> "w" + it).toArray(String[]::new);

    assertThat(first(new AllAtOnce(), all(names), List.of()).clusters()).hasSize(20);
    assertThat(first(new Incremental(25, true), all(names), List.of()).clusters()).hasSize(20);
  }

  @Test
  void anExternalDispatcherIsReadAndNamesThatNobodyKnowsAreTold() {
    Nomination nomination = first(new External(), all("a", "b"), List.of("b", "x"));

    assertThat(nomination.clusters()).containsExactly("b", "x");
    assertThat(nomination.unknown()).containsExactly("x");
  }
}
