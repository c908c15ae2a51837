package dev.sluice.quota;

import static dev.sluice.quota.TestCluster.cpu;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.configuration.Scheduling.AdmissionFairSharing;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.queue.LocalQueue;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.quota.decision.Decision;
import dev.sluice.quota.decision.Outcome;
import dev.sluice.quota.queue.WaitingLine;
import dev.sluice.quota.world.WorkloadState;
import dev.sluice.testkit.Tier;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The one order of all that wait in a ClusterQueue. */
class WaitingLineTest {
  private static final String STRICT = ",'queueingStrategy':'StrictFIFO'";
  private static final String BY_USAGE =
      ",'admissionScope':{'admissionMode':'UsageBasedAdmissionFairSharing'}";
  private static final int WORKLOADS = 20;
  private static final int STEPS = 400;

  static LongStream seeds() {
    return LongStream.range(0, Tier.number(10, 50));
  }

  private static TestCluster world(long seed, boolean fair) {
    EngineConfiguration configuration = EngineConfiguration.defaults();
    var sharing = new AdmissionFairSharing(Duration.ofHours(1), Duration.ofMinutes(5), Map.of());
    TestCluster cluster =
        new TestCluster(fair ? configuration.withAdmissionFairSharing(sharing) : configuration)
            .flavor("default")
            .queue("q", cpu("1") + STRICT + (fair ? BY_USAGE : ""));
    IntStream.range(0, 3).forEach(i -> cluster.localQueue("l" + i, "q"));
    var random = new Random(seed);
    cluster.waiting("first", "l0", 0, "1");
    cluster.rest();
    for (int i = 0; i < WORKLOADS; i++) {
      cluster.waiting("w" + i, "l" + random.nextInt(3), random.nextInt(3), "1");
      if (random.nextInt(4) == 0) {
        cluster.cycle(); // so that some are parked, and others not
      }
    }
    return cluster;
  }

  private static WaitingLine line(TestCluster cluster, String queue) {
    return cluster.engine().snapshot(cluster.now()).line(queue);
  }

  private static List<String> names(List<WaitingLine.Place> places) {
    return places.stream().map(place -> place.workload().key().name()).toList();
  }

  /** The workloads in the order in which they are admitted when each ends before the next one. */
  private static List<String> admitted(TestCluster cluster, List<String> firsts) {
    List<String> admitted = new ArrayList<>();
    String running = "first";
    while (admitted.size() < WORKLOADS) {
      firsts.add(names(line(cluster, "q").places()).getFirst());
      cluster.delete(running);
      running = "";
      while (running.isEmpty()) {
        for (Outcome outcome : cluster.cycle().outcomes()) {
          if (outcome.decision() instanceof Decision.Reserved) {
            running = outcome.workload().name();
          }
        }
      }
      admitted.add(running);
    }
    return admitted;
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void aStrictQueueAdmitsInTheOrderOfTheLine(long seed) {
    TestCluster cluster = world(seed, false);
    List<String> line = names(line(cluster, "q").places());

    assertThat(line).hasSize(WORKLOADS).isEqualTo(admitted(cluster, new ArrayList<>()));
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void whereLocalQueuesShareFairlyTheFirstOfTheLineIsAdmittedNext(long seed) {
    TestCluster cluster = world(seed, true);
    List<String> firsts = new ArrayList<>();

    List<String> admitted = admitted(cluster, firsts); // each admission moves its LocalQueue back

    assertThat(admitted).isEqualTo(firsts);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void positionsCountFromZeroInTheQueueAndInEachLocalQueue(long seed) {
    WaitingLine line = line(world(seed, seed % 2 == 0), "q");

    for (int i = 0; i < line.places().size(); i++) {
      assertThat(line.places().get(i).inClusterQueue()).isEqualTo(i);
    }
    List<WaitingLine.Place> all = new ArrayList<>();
    for (int queue = 0; queue < 3; queue++) {
      List<WaitingLine.Place> own = line.places(TestCluster.key("l" + queue));
      for (int i = 0; i < own.size(); i++) {
        assertThat(own.get(i).inLocalQueue()).isEqualTo(i);
        assertThat(line.find(own.get(i).workload().key())).isEqualTo(own.get(i));
      }
      all.addAll(own);
    }
    assertThat(all).containsExactlyInAnyOrderElementsOf(line.places());
  }

  @Test
  void aLocalQueueOfTheSameNameInAnotherNamespaceIsAnother() {
    TestCluster cluster = world(1, false);

    assertThat(line(cluster, "q").places(new ObjectKey("other", "l0"))).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void aPageIsAPartOfThePlacesWhateverIsAskedFor(long seed) {
    WaitingLine line = line(world(seed, seed % 2 == 0), "q");
    List<WaitingLine.Place> places = line.places();

    for (int offset = 0; offset <= WORKLOADS; offset++) {
      for (int limit = 0; offset + limit <= WORKLOADS; limit++) {
        assertThat(line.page(offset, limit)).isEqualTo(places.subList(offset, offset + limit));
      }
    }
    assertThat(line.page(18, Integer.MAX_VALUE)).isEqualTo(places.subList(18, 20));
    assertThat(line.page(-1, 1)).isEqualTo(places.subList(0, 1));
    assertThat(line.page(Integer.MAX_VALUE, 5)).isEmpty();
    assertThat(line.page(0, -5)).isEmpty();

    ObjectKey localQueue = TestCluster.key("l1");
    List<WaitingLine.Place> own = line.places(localQueue);
    assertThat(own)
        .isEqualTo(
            places.stream()
                .filter(place -> localQueue.equals(place.workload().localQueue()))
                .toList());
    for (int offset = 0; offset <= own.size(); offset++) {
      assertThat(line.page(localQueue, offset, 3))
          .isEqualTo(own.subList(offset, Math.min(own.size(), offset + 3)));
    }
  }

  @Test
  void nobodyWaitsInAnUnknownQueue() {
    assertThat(line(world(1, false), "none").places()).isEmpty();
  }

  @Test
  void theWorkloadForWhichOthersAreEvictedStaysFirst() {
    TestCluster cluster =
        TestCluster.classical()
            .flavor("default")
            .queue("q", cpu("2") + ",'preemption':{'withinClusterQueue':'LowerPriority'}");
    cluster.waiting("victim", "q", 0, "2");
    cluster.rest();
    cluster.waiting("preemptor", "q", 5, "2");
    cluster.cycle();
    cluster.waiting("later", "q", 9, "2");
    cluster.waiting("last", "q", 1, "2");

    WaitingLine line = line(cluster, "q");
    assertThat(names(line.places())).containsExactly("preemptor", "later", "last");
    for (int offset = 0; offset < 3; offset++) {
      WaitingLine.Place place = line.places().get(offset);
      assertThat(line.page(offset, 1)).containsExactly(place);
      assertThat(line.page(TestCluster.key("q"), offset, 1)).containsExactly(place);
      assertThat(line.find(place.workload().key())).isEqualTo(place);
      assertThat(place.inLocalQueue()).isEqualTo(offset);
    }
  }

  /**
   * The order that the class promises, from what a snapshot tells otherwise. Nobody is evicted for
   * another one in this world.
   */
  private static List<ObjectKey> expected(Snapshot snapshot, TestCluster cluster) {
    Comparator<ObjectKey> order =
        Comparator.comparingDouble(key -> usage(snapshot, state(snapshot, key), cluster.now()));
    return StreamSupport.stream(snapshot.waiting("q").spliterator(), false)
        .sorted(
            order.thenComparing(
                key -> state(snapshot, key),
                Comparator.comparingLong(WorkloadState::priority)
                    .reversed()
                    .thenComparing(WorkloadState::queueTimestamp)
                    .thenComparing(WorkloadState::uid)))
        .toList();
  }

  private static WorkloadState state(Snapshot snapshot, ObjectKey key) {
    return Objects.requireNonNull(snapshot.state(key));
  }

  private static double usage(Snapshot snapshot, WorkloadState workload, Instant now) {
    LocalQueue queue = snapshot.localQueue(Objects.requireNonNull(workload.localQueue()));
    return snapshot.fairUsage(Objects.requireNonNull(queue), now).orElse(0);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void aLineThatIsAskedForNowAndThenIsAlwaysTheOneOfThatMoment(long seed) {
    TestCluster cluster = world(seed, seed % 2 == 0);
    var random = new Random(seed);
    for (int step = 0; step < STEPS; step++) {
      String name = "w" + random.nextInt(2 * WORKLOADS);
      if (random.nextInt(3) == 0) {
        cluster.delete(name);
      } else { // also moves one that waits to another LocalQueue, or to another place there
        cluster.waiting(name, "l" + random.nextInt(3), random.nextInt(3), "1");
      }
      if (random.nextInt(8) == 0) {
        cluster.delete("first");
        cluster.cycle();
      }
      if (random.nextBoolean()) { // after few changes, and after many
        Snapshot snapshot = cluster.engine().snapshot(cluster.now());
        List<ObjectKey> line =
            snapshot.line("q").places().stream().map(place -> place.workload().key()).toList();
        assertThat(line).isEqualTo(expected(snapshot, cluster));
      }
    }
  }
}
