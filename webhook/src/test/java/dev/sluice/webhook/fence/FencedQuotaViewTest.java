package dev.sluice.webhook.fence;

import static dev.sluice.testkit.json.SingleQuoted.json;
import static dev.sluice.webhook.fence.Quotas.holding;
import static dev.sluice.webhook.fence.Quotas.waiting;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.read.HubObjects;
import dev.sluice.api.workload.PodSet;
import dev.sluice.quota.amount.FlavorResource;
import dev.sluice.quota.amount.Usage;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.rules.quota.QuotaView;
import dev.sluice.rules.quota.Refusal;
import dev.sluice.rules.quota.Shortage;
import dev.sluice.rules.quota.UnconfirmedRefusal;
import dev.sluice.rules.settings.GuardMode;
import dev.sluice.testkit.FullTier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FencedQuotaViewTest {
  private static final FlavorResource CPU = new FlavorResource("f", "cpu");

  private final AtomicLong nanos = new AtomicLong();
  private final Quotas quotas = new Quotas().queue("a", "", 3, "");
  private final FencedQuotaView fenced =
      new FencedQuotaView(EngineConfiguration.defaults(), GuardMode.DENY, quotas, nanos::get);

  FencedQuotaViewTest() {
    for (String name : List.of("first", "second", "third")) {
      quotas.see(waiting(name, 1));
    }
  }

  private Optional<Refusal> reserve(JsonNode now) {
    return reserve(fenced, now);
  }

  private static Optional<Refusal> reserve(FencedQuotaView fenced, JsonNode now) {
    JsonNode old =
        waiting(now.at("/metadata/name").asText(), now.at("/metadata/resourceVersion").asInt());
    return fenced.reserve(old, now, false);
  }

  @Test
  void letsThroughWhatFitsBesideOthersAndSaysOfTheRestHowMuchIsLeft() {
    quotas.see(holding("first", 2, "a", 2));

    assertThat(reserve(holding("second", 1, "a", 2)))
        .contains(new Shortage("a", CPU, 2_000, 1_000, 3_000));
    assertThat(reserve(holding("third", 1, "a", 1))).isEmpty();
  }

  @Test
  void countsWhatItLetThroughBeforeTheViewShowsIt() {
    assertThat(reserve(holding("first", 1, "a", 2))).isEmpty();

    assertThat(reserve(holding("second", 1, "a", 2))).isPresent();
    quotas.see(holding("first", 2, "a", 2));
    assertThat(reserve(holding("second", 1, "a", 2))).isPresent();
    assertThat(reserve(holding("third", 1, "a", 1))).as("first is not counted twice").isEmpty();
  }

  @Test
  void countsWhatWasLetThroughUntilTheQuotasShowItToo() {
    reserve(holding("first", 1, "a", 2));

    quotas.watch(holding("first", 2, "a", 2));
    nanos.addAndGet(Duration.ofSeconds(5).toNanos());

    assertThat(reserve(holding("second", 1, "a", 2))).isPresent();
  }

  @Test
  void forgetsWhatItLetThroughWhenTheViewShowsThatItWasNotStored() {
    reserve(holding("first", 1, "a", 2));
    quotas.see(waiting("first", 1));
    assertThat(reserve(holding("second", 1, "a", 2))).isPresent();

    quotas.see(waiting("first", 2));

    assertThat(reserve(holding("second", 1, "a", 2))).isEmpty();
  }

  @Test
  void forgetsWhatItLetThroughWhenItsWorkloadIsDeleted() {
    reserve(holding("first", 1, "a", 2));
    quotas.forget("first");

    assertThat(reserve(holding("second", 1, "a", 2))).isEmpty();
  }

  @Test
  void forgetsWhatCameAndWentInTheViewSinceItWasLetThrough() {
    reserve(holding("young", 5, "a", 2)); // before the view shows that there is one
    quotas.see(holding("young", 6, "a", 2));
    quotas.forget("young");

    assertThat(reserve(holding("second", 1, "a", 2))).isEmpty();
  }

  /** It came and went within what a watch tells at once. */
  @Test
  void forgetsWhatTheViewNeverShowedOnceTheViewIsPastIt() {
    reserve(holding("young", 5, "a", 2));
    assertThat(reserve(holding("second", 1, "a", 2))).isPresent();

    quotas.reach(7);

    assertThat(reserve(holding("second", 1, "a", 2))).isEmpty();
  }

  @Test
  void letsNothingCountForAWorkloadThatIsGone() {
    quotas.forget("first");

    assertThat(reserve(holding("first", 1, "a", 2))).isEmpty();

    assertThat(reserve(holding("second", 1, "a", 3))).isEmpty();
  }

  @Test
  void forgetsWhatItLetThroughAfterAWhile() {
    reserve(holding("first", 1, "a", 2));
    nanos.addAndGet(Duration.ofSeconds(14).toNanos());
    assertThat(reserve(holding("second", 1, "a", 2))).isPresent();

    nanos.addAndGet(Duration.ofSeconds(2).toNanos());

    assertThat(reserve(holding("second", 1, "a", 2))).isEmpty();
  }

  /**
   * A caller that knows a Workload's uid and version can say again and again what is not written.
   */
  @Test
  void promisesOneVersionOfAWorkloadForHalfAMinuteAtMost() {
    for (int i = 0; i < 10; i++) {
      reserve(holding("first", 1, "a", 2));
      nanos.addAndGet(Duration.ofSeconds(4).toNanos());
    }

    assertThat(reserve(holding("second", 1, "a", 2))).isEmpty();
  }

  @Test
  void aSmallerClaimUponTheSameVersionTakesNothingBack() {
    reserve(holding("first", 1, "a", 3));

    reserve(holding("first", 1, "a", 1));

    assertThat(reserve(holding("second", 1, "a", 1))).isPresent();
  }

  @Test
  void countsAReservationThatComesBeforeTheViewShowsItsWorkload() {
    assertThat(reserve(holding("young", 5, "a", 2))).isEmpty();
    assertThat(reserve(holding("second", 1, "a", 2))).isPresent();

    quotas.see(waiting("young", 5));
    nanos.addAndGet(Duration.ofSeconds(10).toNanos());

    assertThat(reserve(holding("second", 1, "a", 2))).as("the view confirms it").isPresent();
  }

  @Test
  void countsAReservationUponAVersionThatTheViewIsAboutToShow() {
    assertThat(reserve(holding("first", 5, "a", 2))).isEmpty();

    assertThat(reserve(holding("second", 1, "a", 2))).isPresent();
  }

  @Test
  void forgetsWhatTheViewDoesNotConfirmWithinASecond() {
    assertThat(reserve(holding("made-up", 5, "a", 3))).isEmpty();
    assertThat(reserve(holding("second", 1, "a", 3))).isPresent();

    nanos.addAndGet(Duration.ofMillis(1_001).toNanos());

    assertThat(reserve(holding("second", 1, "a", 3))).isEmpty();
  }

  @Test
  void onceSomethingUnconfirmedStoodInTheWayTheNextOneMustBeSeenFirst() {
    reserve(holding("made-up", 5, "a", 3));
    reserve(holding("second", 1, "a", 3));
    nanos.addAndGet(Duration.ofMillis(1_001).toNanos());

    assertThat(reserve(holding("young", 6, "a", 3))).contains(UnconfirmedRefusal.NOT_SEEN_YET);
    quotas.see(waiting("young", 6));
    assertThat(reserve(holding("young", 6, "a", 3))).isEmpty();
  }

  @Test
  void otherQueuesDoNotMindWhatStandsInTheWayInOne() {
    quotas.queue("b", "", 3, "");
    reserve(holding("made-up", 5, "a", 3));
    reserve(holding("second", 1, "a", 3));

    assertThat(reserve(holding("young", 6, "b", 3))).isEmpty();
  }

  @Test
  void tellsTheNumbersOnlyToWhomTheViewConfirms() {
    quotas.see(holding("first", 2, "a", 2));

    assertThat(reserve(holding("made-up", 5, "a", 2))).contains(UnconfirmedRefusal.DOES_NOT_FIT);
    assertThat(reserve(holding("made-up", 5, "a", 9))).contains(UnconfirmedRefusal.DOES_NOT_FIT);
    assertThat(reserve(holding("first", 1, "a", 9))).contains(UnconfirmedRefusal.DOES_NOT_FIT);
    assertThat(reserve(fenced.ofKnownCallers(), holding("young", 6, "a", 2)))
        .contains(new Shortage("a", CPU, 2_000, 1_000, 3_000));
    assertThat(UnconfirmedRefusal.DOES_NOT_FIT.sentence()).doesNotContainPattern("\\d");
  }

  /** A Workload of one queue is no word for the quota of another. */
  @Test
  void aWorkloadOfAnotherQueueConfirmsNothing() {
    quotas.queue("b", "", 3, "");

    assertThat(reserve(holding("first", 1, "b", 3))).isEmpty();
    nanos.addAndGet(Duration.ofMillis(1_001).toNanos());

    assertThat(reserve(fenced.ofKnownCallers(), holding("young", 5, "b", 3))).isEmpty();
  }

  @Test
  void takesTheApiServerAtItsWordBeforeTheViewShowsAnything() {
    assertThat(reserve(fenced.ofKnownCallers(), holding("young", 5, "a", 3))).isEmpty();
    nanos.addAndGet(Duration.ofSeconds(10).toNanos());

    assertThat(reserve(holding("second", 1, "a", 3))).isPresent();
  }

  @FullTier
  @Test
  void remembersABoundedNumberOfWhatAnybodySays() {
    quotas.queue("a", "", 1_000_000, "");
    for (int i = 0; i < 5_000; i++) {
      reserve(holding("made-up-" + i, 5 + i, "a", 1));
      reserve(holding("first", 1, "a", 1 + i % 7));
    }

    assertThat(fenced.unseenReservations())
        .isLessThanOrEqualTo(UnseenReservations.MOST_UNCONFIRMED + 1);
  }

  @Test
  void whatWillNotBeStoredCountsForNothing() {
    assertThat(fenced.reserve(waiting("first", 1), holding("first", 1, "a", 3), true)).isEmpty();

    assertThat(reserve(holding("second", 1, "a", 3))).isEmpty();
  }

  @Test
  void aWorkloadDoesNotStandInItsOwnWay() {
    assertThat(reserve(holding("first", 1, "a", 3))).isEmpty();
    assertThat(reserve(holding("first", 1, "a", 3))).as("tried again").isEmpty();

    quotas.see(holding("first", 2, "a", 3));

    assertThat(fenced.reserve(holding("first", 2, "a", 2), holding("first", 2, "a", 3), false))
        .isEmpty();
    assertThat(fenced.reserve(holding("first", 2, "a", 3), holding("first", 2, "a", 4), false))
        .hasValueSatisfying(it -> assertThat(it.isForEver()).isTrue());
  }

  @Test
  void onlyWhatIsNewMustFitWhenTheQuotaWasLoweredMeanwhile() {
    quotas.see(holding("first", 2, "a", 3));
    quotas.queue("a", "", 1, "");

    assertThat(fenced.reserve(holding("first", 1, "a", 3), holding("first", 1, "a", 2), false))
        .isEmpty();
    assertThat(reserve(holding("second", 1, "a", 1)))
        .contains(new Shortage("a", CPU, 1_000, 0, 1_000));
  }

  @Test
  void countsWhatTheSchedulerHasDecidedForOthers() {
    quotas.decide(
        new Reservation(
            new ObjectKey("n", "first"), "uid-first", 1, "a", Usage.of(Map.of(CPU, 2_000L))));

    assertThat(reserve(holding("second", 1, "a", 2))).isPresent();
    quotas.see(waiting("first", 1));
    assertThat(reserve(holding("second", 1, "a", 2))).isPresent();
    quotas.see(waiting("first", 2));
    assertThat(reserve(holding("second", 1, "a", 2))).as("the view is ahead").isEmpty();
  }

  @Test
  void doesNotCountWhatTheSchedulerHasDecidedForAWorkloadThatIsGone() {
    quotas.decide(
        new Reservation(
            new ObjectKey("n", "first"), "uid-first", 1, "a", Usage.of(Map.of(CPU, 2_000L))));

    quotas.forget("first");

    assertThat(reserve(holding("second", 1, "a", 3))).isEmpty();
  }

  @Test
  void aSliceGetsTheQuotaOfTheOneItReplaces() {
    quotas.see(holding("first", 2, "a", 2));
    String replaces = "'kueue.x-k8s.io/workload-slice-replacement-for':'n/first'";

    assertThat(reserve(holding("second", 1, "a", 3))).isPresent();
    assertThat(reserve(holding("second", 1, "a", 3, replaces))).isEmpty();
  }

  @Test
  void saysNothingOfQueuesItDoesNotKnow() {
    assertThat(reserve(holding("first", 1, "elsewhere", 100))).isEmpty();
    assertThat(QuotaView.NONE.reserve(waiting("a", 1), holding("a", 1, "a", 9), false)).isEmpty();
  }

  @Test
  void tellsWhatAQueueCanNeverGive() {
    quotas.queue("b", "c", 2, ",'borrowingLimit':1").queue("lender", "c", 8, "");

    assertThat(fenced.neverFits("b", podSet("'count':3"))).isEmpty();
    assertThat(fenced.neverFits("b", podSet("'count':4")))
        .contains(new Shortage("b", CPU, 4_000, 3_000, 3_000));
    assertThat(fenced.neverFits("b", podSet("'count':4,'minCount':3"))).isEmpty();
    assertThat(fenced.neverFits("unknown", podSet("'count':4"))).isEmpty();
  }

  private static PodSet podSet(String members) {
    return HubObjects.read(
        PodSet.class,
        json(
            """
            {'name':'main',%s,'template':{'spec':{'containers':[{'name':'c','image':'i',
            'resources':{'requests':{'cpu':1,'memory':'1Gi'}}}]}}}\
            """
                .formatted(members)));
  }

  /** Two writers at a time, a view that shows what was stored at any later moment. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void whateverComesWhenNoMoreIsReservedThanThereIs(long seed) throws InterruptedException {
    Random random = new Random(seed);
    List<JsonNode> unseen = new ArrayList<>();
    AtomicLong reserved = new AtomicLong();
    List<Thread> writers = new ArrayList<>();
    for (int writer = 0; writer < 2; writer++) {
      Random own = new Random(random.nextLong());
      String prefix = "w" + writer + "-";
      writers.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    for (int i = 0; i < 200; i++) {
                      int cpu = 1 + own.nextInt(2);
                      quotas.watch(waiting(prefix + i, 1));
                      if (reserve(holding(prefix + i, 1, "a", cpu)).isEmpty()) {
                        reserved.addAndGet(cpu);
                        synchronized (unseen) {
                          unseen.add(holding(prefix + i, 2, "a", cpu));
                        }
                      }
                      if (own.nextInt(4) == 0) {
                        show(unseen, own);
                      }
                    }
                  }));
    }
    for (Thread writer : writers) {
      writer.join();
    }

    assertThat(reserved.get()).isEqualTo(3);
  }

  private void show(List<JsonNode> unseen, Random random) {
    synchronized (unseen) {
      if (!unseen.isEmpty()) {
        quotas.see(unseen.remove(random.nextInt(unseen.size())));
      }
    }
  }
}
