package dev.sluice.see.shadow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.Quantity;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.vocabulary.ConditionTypes;
import dev.sluice.api.workload.Admission;
import dev.sluice.api.workload.PodSetAssignment;
import dev.sluice.api.workload.Workload;
import dev.sluice.quota.Change;
import dev.sluice.quota.ObjectKind;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Each class of differences, made by hand on a scheduler that else decides as we do. */
class ShadowTest {
  private static final String PREEMPTS = "'preemption':{'withinClusterQueue':'LowerPriority'},";

  private final OtherScheduler world = new OtherScheduler();

  private static Admission admission(String queue, String flavor, int pods) {
    return new Admission(
        queue,
        List.of(
            new PodSetAssignment(
                "main",
                Map.of("cpu", flavor),
                Map.of("cpu", Quantity.of(pods)),
                pods,
                null,
                null)));
  }

  private void reserveByHand(ObjectKey key, String queue, String flavor, int pods) {
    world.write(key, it -> it.reserve(admission(queue, flavor, pods)).admit());
  }

  private void preemptByHand(ObjectKey victim, ObjectKey preemptor) {
    String message =
        "Preempted to accommodate a workload (UID: %s, JobUID: UNKNOWN) due to prioritization"
            .formatted(world.state(preemptor).uid());
    world.write(
        victim,
        it ->
            it.evict(
                ConditionTypes.PREEMPTED, ConditionTypes.PREEMPTED, "InClusterQueue", message));
  }

  @Test
  void reservationThatWeWouldMakeIsTheSame() {
    world.queue("q", "", 4, 0);
    world.workload("one", "q", 0, 2);
    world.workload("two", "q", 0, 2);
    world.decideAndShow();
    world.pass(Duration.ofMinutes(1));
    assertThat(world.verdicts()).isEqualTo("same 2");
  }

  @Test
  void writesThatArriveInAnotherOrderMakeNoDifference() {
    world.queue("q", "", 3, 3);
    world.workload("one", "q", 0, 3);
    world.pass(Duration.ofSeconds(1));
    world.workload("two", "q", 0, 3);
    List<Workload> written = world.decide();
    world.show(written.reversed());
    world.pass(Duration.ofMinutes(1));
    assertThat(world.verdicts()).isEqualTo("same 2");
  }

  @Test
  void workloadThatCameAfterTheDecisionMakesNoDifference() {
    world.queue("q", "", 2, 0);
    world.workload("first", "q", 0, 2);
    List<Workload> written = world.decide();
    world.pass(Duration.ofSeconds(1));
    world.workload("important", "q", 100, 2);
    world.show(written);
    world.pass(Duration.ofMinutes(1));
    assertThat(world.verdicts()).isEqualTo("same 1");
  }

  @Test
  void quotaThatAnotherWatchShowsLaterMakesNoDifference() {
    world.queue("q", "", 2, 0);
    world.workload("large", "q", 0, 4);
    world.decideAndShow();
    Change raised = OtherScheduler.clusterQueue("q", "", 4, 0);
    world.toldTheOther(raised);
    world.show(world.decide());
    world.pass(Duration.ofSeconds(1));
    world.shown(raised);
    assertThat(world.verdicts()).isEmpty();
    world.pass(Duration.ofMinutes(1));
    assertThat(world.verdicts()).isEqualTo("same 1");
  }

  @Test
  void reservationAgainstTheOrderIsLaterHere() {
    world.queue("q", "", 2, 0);
    world.workload("first", "q", 0, 2);
    ObjectKey second = world.workload("second", "q", -5, 2);
    world.pass(Duration.ofSeconds(10));
    world.judgements().clear();
    reserveByHand(second, "q", "f", 2);
    world.pass(Duration.ofMinutes(1));
    assertThat(world.verdicts()).isEqualTo("later 1");
    assertThat(world.judgements())
        .singleElement()
        .satisfies(
            it -> {
              assertThat(it.workload()).isEqualTo(second);
              assertThat(it.theirs()).isEqualTo("reserved quota in q (main x2: cpu of f)");
              assertThat(it.ours()).startsWith("would leave it waiting: couldn't assign flavors");
              assertThat(it.evidence()).isNotNull();
            });
  }

  @Test
  void workloadThatIsLeftWouldBeAdmittedSoonerHere() {
    world.queue("q", "", 2, 0);
    ObjectKey left = world.workload("left", "q", 0, 2);
    world.pass(Duration.ofSeconds(4));
    assertThat(world.verdicts()).as("within the grace").isEmpty();
    world.pass(Duration.ofSeconds(10));
    assertThat(world.verdicts()).isEqualTo("sooner 1");
    assertThat(world.judgements())
        .singleElement()
        .satisfies(
            it -> {
              assertThat(it.workload()).isEqualTo(left);
              assertThat(it.ours()).isEqualTo("would reserve quota in q (main x2: cpu of f)");
            });
    world.decideAndShow();
    world.pass(Duration.ofMinutes(1));
    assertThat(world.verdicts()).as("it counts once").isEqualTo("sooner 1");
  }

  @Test
  void schedulerThatIsBusyInTheCohortLeavesNobody() {
    world.queue("q", "'cohortName':'c',", 20, 0);
    world.queue("r", "'cohortName':'c',", 20, 0);
    world.workload("waits", "q", 0, 1);
    for (int i = 0; i < 10; i++) {
      world.pass(Duration.ofSeconds(2));
      reserveByHand(world.workload("busy-" + i, "r", 0, 1), "r", "f", 1);
    }
    assertThat(world.verdicts()).isEqualTo("same 10");
    world.pass(Duration.ofSeconds(10));
    assertThat(world.verdicts()).isEqualTo("same 10, sooner 1");
  }

  @Test
  void otherFlavorIsTold() {
    world.queue("q", "", 4, 4);
    reserveByHand(world.workload("one", "q", 0, 2), "q", "g", 2);
    world.pass(Duration.ofMinutes(1));
    assertThat(world.verdicts()).isEqualTo("other flavor 1");
    assertThat(world.judgements().getFirst().ours())
        .isEqualTo("would reserve quota in q (main x2: cpu of f)");
  }

  @Test
  void sameVictimsOfAPreemptionAreOneDecision() {
    world.queue("q", PREEMPTS, 4, 0);
    world.workload("low-1", "q", 0, 2);
    world.workload("low-2", "q", 0, 2);
    world.decideAndShow();
    world.pass(Duration.ofSeconds(10));
    world.judgements().clear();
    world.workload("high", "q", 10, 4);
    world.decideAndShow();
    world.pass(Duration.ofSeconds(2));
    world.release(new ObjectKey("a", "low-1"));
    world.release(new ObjectKey("a", "low-2"));
    world.decideAndShow();
    world.pass(Duration.ofMinutes(1));
    assertThat(world.verdicts()).as("the preemption and the reservation").isEqualTo("same 2");
  }

  @Test
  void otherVictimsAreTold() {
    world.queue("q", PREEMPTS, 4, 0);
    ObjectKey older = world.workload("older", "q", 0, 2);
    world.decideAndShow();
    world.pass(Duration.ofSeconds(10));
    world.workload("newer", "q", 0, 2);
    world.decideAndShow();
    world.pass(Duration.ofSeconds(10));
    world.judgements().clear();
    ObjectKey high = world.workload("high", "q", 10, 2);
    preemptByHand(older, high);
    world.pass(Duration.ofSeconds(10));
    assertThat(world.verdicts()).isEqualTo("other victims 1");
    assertThat(world.judgements().getFirst())
        .satisfies(
            it -> {
              assertThat(it.workload()).isEqualTo(high);
              assertThat(it.theirs()).isEqualTo("preempted a/older");
              assertThat(it.ours()).isEqualTo("would preempt a/newer");
            });
  }

  @Test
  void preemptionThatIsNotMadeIsSoonerHere() {
    world.queue("q", PREEMPTS, 2, 0);
    world.workload("low", "q", 0, 2);
    world.decideAndShow();
    world.workload("high", "q", 10, 2);
    world.pass(Duration.ofSeconds(10));
    assertThat(world.verdicts()).isEqualTo("same 1, sooner 1");
    assertThat(world.judgements().getLast().ours()).isEqualTo("would preempt a/low");
  }

  @Test
  void workloadThatIsFirstSeenWithQuotaIsUndecided() {
    world.queue("q", "", 4, 0);
    ObjectKey seen = world.workload("seen", "q", 0, 2);
    reserveByHand(seen, "q", "f", 2);
    world.judgements().clear();
    Workload unseen = world.workloadObject("unseen", "q", 0, 2, "");
    world.shown(
        Change.upserted(ObjectKind.WORKLOAD, unseen.with(world.state(seen).workload().status())));
    world.pass(Duration.ofMinutes(1));
    assertThat(world.verdicts()).isEqualTo("undecided 1");
    assertThat(world.judgements().getFirst().ours())
        .isEqualTo("it was not seen before it had quota");
  }

  @Test
  void workloadWhoseSpecChangesWithItsReservationIsUndecided() {
    world.queue("q", "", 4, 0);
    ObjectKey changed = world.workload("changed", "q", 0, 2);
    world.show(
        world.decide().stream()
            .map(
                it ->
                    new Workload(
                        it.metadata(), it.spec().toBuilder().priority(7).build(), it.status()))
            .toList());
    world.pass(Duration.ofMinutes(1));
    assertThat(world.verdicts()).isEqualTo("undecided 1");
    assertThat(world.judgements().getFirst().workload()).isEqualTo(changed);
  }

  @Test
  void evictionsThatNoSchedulerDecidesAreOnlyCounted() {
    world.queue("q", "", 4, 0);
    ObjectKey stopped = world.workload("stopped", "q", 0, 2);
    world.decideAndShow();
    world.write(stopped, it -> it.evict("PodsReadyTimeout", "PodsReadyTimeout", "", "too late"));
    assertThat(world.verdicts()).isEqualTo("same 1");
    assertThat(world.otherEvictions()).isEqualTo(1);
  }

  @Test
  void preemptionOfOtherVictimsIsUndecidedIfThePreemptorIsDeletedMeanwhile() {
    world.queue("q", PREEMPTS, 4, 0);
    ObjectKey older = world.workload("older", "q", 0, 2);
    world.decideAndShow();
    world.pass(Duration.ofSeconds(10));
    world.workload("newer", "q", 0, 2);
    world.decideAndShow();
    world.pass(Duration.ofSeconds(10));
    world.judgements().clear();
    ObjectKey high = world.workload("high", "q", 10, 2);
    preemptByHand(older, high);
    world.delete(high);
    world.pass(Duration.ofMinutes(1));
    assertThat(world.verdicts()).isEqualTo("undecided 1");
  }

  @Test
  void preemptionOfOurVictimsIsTheSameEvenIfThePreemptorIsDeletedMeanwhile() {
    world.queue("q", PREEMPTS, 2, 0);
    ObjectKey low = world.workload("low", "q", 0, 2);
    world.decideAndShow();
    world.judgements().clear();
    ObjectKey high = world.workload("high", "q", 10, 2);
    preemptByHand(low, high);
    world.delete(high);
    world.pass(Duration.ofMinutes(1));
    assertThat(world.verdicts()).isEqualTo("same 1");
  }
}
