package dev.sluice.quota.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.flavor.Topology;
import dev.sluice.api.workload.Admission;
import dev.sluice.api.workload.PodSetAssignment;
import dev.sluice.api.workload.Workload;
import dev.sluice.quota.Change;
import dev.sluice.quota.ObjectKind;
import dev.sluice.quota.QuotaEngine;
import dev.sluice.quota.TestCluster;
import dev.sluice.quota.inventory.Inactivity;
import dev.sluice.quota.world.WorkloadState;
import dev.sluice.testkit.Tier;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Workloads flow through two queues on the same nodes while the topology and the flavor of one are
 * deleted, made anew and changed, and nodes come, go and move.
 */
class TopologyChurnTest {
  private static final int STEPS = 250;
  private static final int CORES = 4;
  private static final List<String> LEVELS =
      List.of(
          "block rack kubernetes.io/hostname",
          "rack kubernetes.io/hostname",
          "kubernetes.io/hostname",
          "block kubernetes.io/hostname",
          "", // no levels
          "rack rack",
          "block zone kubernetes.io/hostname");

  static LongStream seeds() {
    return LongStream.range(0, Tier.number(3, 6));
  }

  /** What there is, as it was last told to the engine. */
  private static final class World {
    private final Random random;
    private final TopologyCluster cluster = TopologyCluster.mixed();
    private final Map<String, Integer> rackOf = new TreeMap<>();
    private final List<String> running = new ArrayList<>();
    private @Nullable String levels = LEVELS.getFirst();
    private @Nullable String topologyOfFlavor = "dc";
    private int names;

    World(long seed) {
      random = new Random(seed);
      calm(cluster);
      for (int i = 0; i < 12; i++) {
        putNode("n" + i, i / 4);
      }
    }

    /** A queue with a flavor and a topology of its own that nobody touches. */
    private static void calm(TopologyCluster cluster) {
      cluster
          .cluster()
          .apply(
              Change.upserted(
                  ObjectKind.TOPOLOGY,
                  TestCluster.read(
                      Topology.class,
                      "{'metadata':{'name':'calm'},'spec':{'levels':[{'nodeLabel':'rack'},"
                          + "{'nodeLabel':'kubernetes.io/hostname'}]}}")));
      cluster.cluster().flavor("calm", "{'topologyName':'calm'}");
      cluster.queue("calm", "calm");
    }

    private void putNode(String name, int rack) {
      rackOf.put(name, rack);
      cluster.node("b" + rack / 2, "r" + rack, name, CORES, "", "");
    }

    void step() {
      switch (random.nextInt(12)) {
        case 0 -> setLevels(random.nextInt(3) > 0 ? LEVELS.getFirst() : anyLevels());
        case 1 -> setFlavor(random.nextInt(4) > 0 ? "dc" : random.nextBoolean() ? "none" : null);
        case 2 -> moveNode();
        case 3 -> removeNode();
        case 4, 5, 6 -> end();
        default -> add();
      }
      cluster.cluster().cycle();
    }

    private @Nullable String anyLevels() {
      int one = random.nextInt(LEVELS.size() + 1);
      return one == LEVELS.size() ? null : LEVELS.get(one);
    }

    /** The topology has these levels from now on, or is gone. */
    void setLevels(@Nullable String changed) {
      levels = changed;
      if (changed == null) {
        cluster.cluster().gone(ObjectKind.TOPOLOGY, "dc");
      } else {
        cluster.topology(changed);
      }
    }

    /** The flavor names that topology from now on, or is gone. */
    void setFlavor(@Nullable String topology) {
      topologyOfFlavor = topology;
      if (topology == null) {
        cluster.cluster().gone(ObjectKind.RESOURCE_FLAVOR, "tas");
      } else {
        cluster.cluster().flavor("tas", "{'topologyName':'" + topology + "'}");
      }
    }

    private void moveNode() {
      putNode("n" + random.nextInt(12), random.nextInt(3));
    }

    private void removeNode() {
      String name = "n" + random.nextInt(12);
      if (rackOf.size() > 8 && rackOf.remove(name) != null) {
        cluster.noNode(name);
      }
    }

    private void end() {
      if (!running.isEmpty()) {
        cluster.cluster().delete(running.remove(random.nextInt(running.size())));
      }
    }

    private void add() {
      String name = "w" + names++;
      String request =
          switch (random.nextInt(4)) {
            case 0 -> "'required':'rack'";
            case 1 -> "'preferred':'rack'";
            case 2 -> "'required':'kubernetes.io/hostname'";
            default -> "'unconstrained':true";
          };
      running.add(name);
      String queue = random.nextInt(3) == 0 ? "calm" : "main";
      cluster.workload(name, queue, 1 + random.nextInt(4), request, "");
    }

    /** The beginning of the sentence that has to stand there, or null where nothing is wrong. */
    @Nullable String wrong() {
      if (topologyOfFlavor == null) {
        return "FLAVOR_NOT_FOUND tas";
      }
      if (levels == null || topologyOfFlavor.equals("none")) {
        return "TOPOLOGY_NOT_FOUND " + topologyOfFlavor;
      }
      boolean usable = LEVELS.indexOf(levels) < 4;
      return usable ? null : "TOPOLOGY_NOT_FOUND dc";
    }

    List<String> inactivity(String queue) {
      List<String> all = new ArrayList<>();
      for (Inactivity one :
          cluster.cluster().engine().snapshot(cluster.cluster().now()).inactivity(queue)) {
        all.add(one.reason() + " " + one.subject());
        assertThat(one.message()).contains(one.subject());
      }
      return all;
    }

    Iterable<WorkloadState> workloads() {
      return cluster.cluster().engine().snapshot(cluster.cluster().now()).workloads();
    }

    Map<String, Integer> pods() {
      Map<String, Integer> pods = new TreeMap<>();
      for (WorkloadState workload : workloads()) {
        Admission admission = workload.admission();
        List<PodSetAssignment> all = admission == null ? List.of() : admission.podSetAssignments();
        for (PodSetAssignment assignment : all) {
          var topology = assignment.topologyAssignment();
          if (topology != null) {
            AssignmentCodec.decode(topology)
                .domains()
                .forEach(d -> pods.merge(d.values().getLast(), d.pods(), Integer::sum));
          }
        }
      }
      return pods;
    }

    String state() {
      var names = new TreeSet<String>();
      workloads().forEach(w -> names.add(w.key() + " " + w.admission()));
      return String.join("\n", names);
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void oneQueueSaysWhatIsWrongAndNoHostIsBookedTwice(long seed) {
    World world = new World(seed);
    for (int step = 0; step < STEPS; step++) {
      world.step();

      String wrong = world.wrong();
      assertThat(world.inactivity("main"))
          .as("step %d", step)
          .isEqualTo(wrong == null ? List.of() : List.of(wrong));
      assertThat(world.inactivity("calm")).isEmpty();
      assertThat(world.pods())
          .as("step %d", step)
          .allSatisfy((host, pods) -> assertThat(pods).isLessThanOrEqualTo(CORES));
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void onceAllIsMendedWhoeverCanBePlacedIs(long seed) {
    World world = new World(seed);
    for (int step = 0; step < STEPS; step++) {
      world.step();
    }
    world.setFlavor("dc");
    world.setLevels(LEVELS.getFirst());
    world.cluster.cluster().rest();

    World fresh = new World(seed);
    fresh.rackOf.keySet().stream()
        .filter(name -> !world.rackOf.containsKey(name))
        .forEach(fresh.cluster::noNode);
    world.rackOf.forEach(fresh::putNode);
    List<Workload> all = new ArrayList<>();
    world.workloads().forEach(w -> all.add(w.workload()));
    Collections.shuffle(all, new Random(seed));
    all.forEach(w -> fresh.cluster.cluster().apply(Change.upserted(ObjectKind.WORKLOAD, w)));
    fresh.cluster.cluster().rest();

    assertThat(fresh.state()).isEqualTo(world.state());
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void everybodyHasBeenServedInTheEnd(long seed) {
    World world = new World(seed);
    for (int step = 0; step < STEPS; step++) {
      world.step();
    }
    world.setFlavor("dc");
    world.setLevels(LEVELS.getFirst());
    for (int i = 0; i < 12; i++) {
      world.putNode("n" + i, i / 4);
    }
    world.cluster.cluster().rest();

    int rounds = 0;
    while (!world.running.isEmpty() && rounds++ < STEPS) {
      List<String> served =
          world.running.stream().filter(world.cluster.cluster()::reserved).toList();
      assertThat(served).as("of %s", world.running).isNotEmpty();
      served.forEach(world.cluster.cluster()::delete);
      world.running.removeAll(served);
      world.cluster.cluster().rest();
    }
    assertThat(world.running).isEmpty();
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void aForkGoesOnAsTheOriginalWouldHave(long seed) {
    World original = new World(seed);
    World replayed = new World(seed);
    for (int step = 0; step < STEPS; step++) {
      original.step();
      replayed.step();
    }
    QuotaEngine fork = original.cluster.cluster().engine().fork();
    for (int step = 0; step < STEPS; step++) {
      original.step();
    }
    replayed.random.setSeed(seed + 1); // other steps than the original

    replayed.cluster.cluster().mirror(fork);

    for (int step = 0; step < STEPS; step++) {
      replayed.step();
    }
    assertThat(fork.snapshot(replayed.cluster.cluster().now()).overbooked()).isEmpty();
  }
}
