package dev.sluice.see.visibility;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.tuple;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.meta.OwnerReference;
import dev.sluice.see.Queues;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PendingWorkloadsTest {
  private static final Page ALL = Page.of(null, null);

  private final Queues queues = new Queues();

  @BeforeEach
  void twoTeamsWhoseQueuesHaveOneName() {
    queues.clusterQueue("cq", 1, "");
    queues.clusterQueue("idle", 1, "");
    queues.localQueue("a", "team", "cq");
    queues.localQueue("b", "team", "cq");
    queues.localQueue("a", "lost", "none");
    queues.workload("a", "w1", "team", 2, "");
    queues.workload("b", "w2", "team", 2, "'priority':5,");
    queues.workload("a", "w3", "team", 3, "'priority':-1,");
    queues.workload("b", "w4", "team", 2, "");
  }

  private static List<String> lines(List<PendingWorkload> workloads) {
    return workloads.stream()
        .map(
            w ->
                "%s %d in %s: %d/%d"
                    .formatted(
                        w.key(),
                        w.priority(),
                        w.localQueueName(),
                        w.positionInClusterQueue(),
                        w.positionInLocalQueue()))
        .toList();
  }

  private List<PendingWorkload> ofClusterQueue(Page page) {
    return PendingWorkloads.ofClusterQueue(queues.snapshot(), "cq", page).orElseThrow();
  }

  @Test
  void allThatWaitAreInOneOrderWithPositionsByNamespaceAndLocalQueue() {
    assertThat(lines(ofClusterQueue(ALL)))
        .containsExactly(
            "b/w2 5 in team: 0/0",
            "a/w1 0 in team: 1/0",
            "b/w4 0 in team: 2/1",
            "a/w3 -1 in team: 3/1");
  }

  @Test
  void whatTheNextCyclesSkipStaysInItsPlace() {
    List<PendingWorkload> before = ofClusterQueue(ALL);

    queues.engine().cycle(queues.now()); // parks the head, which is too large
    List<PendingWorkload> meanwhile = ofClusterQueue(ALL);
    queues.rest();

    assertThat(meanwhile).isEqualTo(before);
    assertThat(ofClusterQueue(ALL)).isEqualTo(before);
  }

  @Test
  void aLocalQueueShowsNothingOfItsNamesakeElsewhere() {
    var workloads =
        PendingWorkloads.ofLocalQueue(queues.snapshot(), new ObjectKey("a", "team"), ALL);

    assertThat(lines(workloads.orElseThrow()))
        .containsExactly("a/w1 0 in team: 1/0", "a/w3 -1 in team: 3/1");
  }

  @Test
  void aPageOfALocalQueueCountsItsOwnWorkloads() {
    var workloads =
        PendingWorkloads.ofLocalQueue(
            queues.snapshot(), new ObjectKey("b", "team"), Page.of("1", "5"));

    assertThat(lines(workloads.orElseThrow())).containsExactly("b/w4 0 in team: 2/1");
  }

  @Test
  void metadataHasTheCreationAndTheOwner() {
    PendingWorkload first = ofClusterQueue(Page.of("1", "1")).getFirst();

    assertThat(first.creationTimestamp()).isEqualTo(Instant.parse("2026-01-01T12:00:00Z"));
    assertThat(first.ownerReferences())
        .extracting(OwnerReference::apiVersion, OwnerReference::kind, OwnerReference::name)
        .containsExactly(tuple("batch/v1", "Job", "job-w1"));
  }

  @Test
  void anEmptyQueueIsKnownAndAMissingOneIsNot() {
    assertThat(PendingWorkloads.ofClusterQueue(queues.snapshot(), "idle", ALL)).hasValue(List.of());
    assertThat(PendingWorkloads.ofClusterQueue(queues.snapshot(), "none", ALL)).isEmpty();
    assertThat(PendingWorkloads.ofLocalQueue(queues.snapshot(), new ObjectKey("a", "lost"), ALL))
        .hasValue(List.of());
    assertThat(PendingWorkloads.ofLocalQueue(queues.snapshot(), new ObjectKey("b", "lost"), ALL))
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    ",, 0, 1000",
    "'','', 0, 1000",
    "0, 0, 0, 1000",
    "-1, -1, 0, 0",
    "7, 100000, 7, 100000",
    "7, 100001, 7, 100000",
    "9223372036854775807, 9223372036854775807, 2147483647, 100000",
    "-9223372036854775808, -9223372036854775808, 0, 0",
  })
  void queriesAreBroughtIntoBounds(
      @Nullable String offset, @Nullable String limit, int from, int count) {
    assertThat(Page.of(offset, limit)).isEqualTo(new Page(from, count));
  }

  @ParameterizedTest
  @ValueSource(strings = {"abc", "1.5", " 1", "9223372036854775808", "0x10"})
  void whatIsNoWholeNumberIsNamed(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Page.of(null, text))
        .withMessage("limit: \"%s\" (expected: a whole number)".formatted(text));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Page.of(text, null))
        .withMessage("offset: \"%s\" (expected: a whole number)".formatted(text));
  }

  @Test
  void noPageIsTooLargeOrTooFar() {
    assertThat(ofClusterQueue(Page.of("9223372036854775807", "9223372036854775807"))).isEmpty();
    assertThat(ofClusterQueue(Page.of("3", "9223372036854775807"))).hasSize(1);
    assertThat(ofClusterQueue(Page.of(null, "-5"))).isEmpty();
  }
}
