package dev.sluice.multicluster.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.meta.TypedObjectKey;
import dev.sluice.multicluster.waiting.WaitingReason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SetbacksTest {
  private static final Duration EACH_SECOND = Duration.ofSeconds(1);

  private long nanos;
  private final Setbacks setbacks = new Setbacks(() -> nanos);
  private final List<String> retried = new ArrayList<>();

  private static TypedObjectKey key(String namespace, String name) {
    return new TypedObjectKey(WorkerRequestQueueTest.JOB.groupKind(), namespace, name);
  }

  private static TypedObjectKey key(String name) {
    return key("ns", name);
  }

  private void pass(Duration time) {
    nanos += time.toNanos();
  }

  private void fails(TypedObjectKey key, Optional<WaitingReason> reason) {
    setbacks.failed(key, reason, () -> retried.add(key.name())).forEach(Runnable::run);
  }

  private void isRefused(TypedObjectKey key) {
    isRefused(key, "jobs.batch");
  }

  private void isRefused(TypedObjectKey key, String resource) {
    fails(key, Optional.of(new WaitingReason.Refused("create", resource, "no")));
  }

  /** So often that it waits for long, if it is not the one that is tried. */
  private void isRefusedOften(TypedObjectKey key) {
    for (int i = 0; i < 12; i++) {
      isRefused(key);
    }
  }

  private Duration left(TypedObjectKey key) {
    return setbacks.left(key).orElse(Duration.ZERO);
  }

  private void succeeds(TypedObjectKey key) {
    setbacks.succeeded(key).forEach(Runnable::run);
  }

  @ParameterizedTest(name = "{0} failures")
  @CsvSource({"1, PT0.1S", "2, PT0.2S", "5, PT1.6S", "10, PT51.2S", "11, PT1M", "40, PT1M"})
  void anObjectWaitsTwiceAsLongAfterEachFailure(int failures, Duration expected) {
    for (int i = 0; i < failures; i++) {
      fails(key("j"), Optional.empty());
    }

    assertThat(left(key("j"))).isEqualTo(expected);
    pass(expected);
    assertThat(setbacks.left(key("j"))).isEmpty();
  }

  @Test
  void ofThoseThatAreRefusedTheSameOneIsTriedEachSecond() {
    isRefusedOften(key("j"));
    isRefusedOften(key("k"));

    assertThat(left(key("j"))).isEqualTo(EACH_SECOND);
    assertThat(left(key("k"))).isEqualTo(Duration.ofMinutes(1));
  }

  @Test
  void whenThatOneSucceedsTheOthersAreTriedTwiceAsManyAfterEachSuccess() {
    isRefusedOften(key("probe"));
    List<String> names = IntStream.range(0, 10).mapToObj(i -> "j" + i).toList();
    names.forEach(it -> isRefusedOften(key(it)));

    succeeds(key("probe"));
    assertThat(retried).containsExactly("j0", "j1");
    assertThat(left(key("j1"))).isZero();
    assertThat(left(key("j2"))).isPositive();

    succeeds(key("j0"));
    assertThat(retried).hasSize(6);
    succeeds(key("j1"));
    assertThat(retried).containsExactlyElementsOf(names);
  }

  /** So a refusal that is about single objects is no reason to try all of them again and again. */
  @Test
  void anotherRefusalAmongThemBeginsAgainWithTwo() {
    isRefusedOften(key("probe"));
    IntStream.range(0, 10).forEach(i -> isRefusedOften(key("j" + i)));
    succeeds(key("probe"));

    isRefused(key("j0"));
    retried.clear();
    succeeds(key("j1"));

    assertThat(retried).hasSize(2);
  }

  @Test
  void afterTheSuccessOfThatOneTheNextThatIsRefusedIsTriedEachSecond() {
    isRefusedOften(key("probe"));
    isRefusedOften(key("j"));
    succeeds(key("probe"));

    isRefused(key("j"));

    assertThat(left(key("j"))).isEqualTo(EACH_SECOND);
  }

  @Test
  void theOthersAreTriedWhenThatOneIsRefusedSomethingElse() {
    isRefusedOften(key("probe"));
    isRefusedOften(key("j"));

    isRefused(key("probe"), "pods");

    assertThat(retried).containsExactly("j");
    assertThat(left(key("j"))).isZero();
    assertThat(left(key("probe"))).isEqualTo(EACH_SECOND);
  }

  @Test
  void anotherOneIsTriedAtOnceWhenTheFirstIsForgotten() {
    isRefusedOften(key("gone"));
    isRefusedOften(key("j"));
    isRefusedOften(key("k"));

    setbacks.forget(key("gone")).forEach(Runnable::run);

    assertThat(retried).containsExactly("j");
    isRefused(key("j"));
    assertThat(left(key("j"))).isEqualTo(EACH_SECOND);
    assertThat(left(key("k"))).isGreaterThan(EACH_SECOND);
  }

  @Test
  void aRefusalInAnotherNamespaceIsTriedByItself() {
    isRefusedOften(key("j"));
    isRefusedOften(key("other", "k"));

    assertThat(left(key("other", "k"))).isEqualTo(EACH_SECOND);
    succeeds(key("j"));
    assertThat(retried).isEmpty();
  }

  @Test
  void whatFailsForAnotherReasonWaitsForItself() {
    isRefusedOften(key("j"));
    fails(key("k"), Optional.of(new WaitingReason.NoNamespace("ns", false)));

    succeeds(key("j"));

    assertThat(retried).isEmpty();
    assertThat(setbacks.reason(key("k"))).contains(new WaitingReason.NoNamespace("ns", false));
  }

  @Test
  void anotherOneIsTriedWhenTheFirstIsNotTriedAnyMore() {
    isRefusedOften(key("idle"));
    isRefusedOften(key("k"));
    pass(Duration.ofMinutes(1));

    isRefused(key("k"));

    assertThat(left(key("k"))).isEqualTo(EACH_SECOND);
  }

  @Test
  void noMoreThanTwentyRefusalsAreTriedSoOften() {
    List<TypedObjectKey> keys = IntStream.range(0, 30).mapToObj(i -> key("ns-" + i, "j")).toList();
    keys.forEach(this::isRefusedOften);

    assertThat(keys).filteredOn(it -> left(it).equals(EACH_SECOND)).hasSize(20);
  }

  @Test
  void whatIsForgottenWaitsForNothingAndIsNotTried() {
    isRefusedOften(key("probe"));
    isRefusedOften(key("j"));
    setbacks.forget(key("j"));

    assertThat(setbacks.has(key("j"))).isFalse();
    assertThat(setbacks.left(key("j"))).isEmpty();
    succeeds(key("probe"));
    assertThat(retried).isEmpty();

    isRefusedOften(key("k"));
    setbacks.forget(Set.of("ns"));
    assertThat(setbacks.left(key("k"))).isEmpty();
  }
}
