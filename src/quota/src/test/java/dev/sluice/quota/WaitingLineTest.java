package dev.sluice.quota;

import static dev.sluice.quota.TestCluster.cpu;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.configuration.Scheduling.AdmissionFairSharing;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.quota.decision.Decision;
import dev.sluice.quota.decision.Outcome;
import dev.sluice.quota.queue.WaitingLine;
import dev.sluice.testkit.Tier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The one order of all that wait in a ClusterQueue. */
class WaitingLineTest {
  private static final String STRICT = ",'queueingStrategy':'StrictFIFO'";
  private static final String BY_USAGE =
      ",'admissionScope':{'admissionMode':'UsageBasedAdmissionFairSharing'}";
  private static final int WORKLOADS = 20;

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
      List<WaitingLine.Place> own = line.of(TestCluster.key("l" + queue));
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

    assertThat(line(cluster, "q").of(new ObjectKey("other", "l0"))).isEmpty();
  }

  @Test
  void aPageIsAPartOfThePlacesWhateverIsAskedFor() {
    List<WaitingLine.Place> places = line(world(1, false), "q").places();

    assertThat(WaitingLine.page(places, 3, 2)).isEqualTo(places.subList(3, 5));
    assertThat(WaitingLine.page(places, 18, Integer.MAX_VALUE)).isEqualTo(places.subList(18, 20));
    assertThat(WaitingLine.page(places, -1, 1)).isEqualTo(places.subList(0, 1));
    assertThat(WaitingLine.page(places, Integer.MAX_VALUE, 5)).isEmpty();
    assertThat(WaitingLine.page(places, 0, -5)).isEmpty();
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

    assertThat(names(line(cluster, "q").places())).containsExactly("preemptor", "later");
  }
}
