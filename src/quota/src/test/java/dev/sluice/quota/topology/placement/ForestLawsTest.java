package dev.sluice.quota.topology.placement;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.pod.NodeSelectorTerm;
import dev.sluice.api.pod.PreferredSchedulingTerm;
import dev.sluice.api.workload.Admission;
import dev.sluice.api.workload.PodSetAssignment;
import dev.sluice.api.workload.TopologyAssignment;
import dev.sluice.api.workload.Workload;
import dev.sluice.quota.Change;
import dev.sluice.quota.ObjectKind;
import dev.sluice.quota.topology.AssignmentCodec;
import dev.sluice.quota.topology.PodPlacement;
import dev.sluice.quota.topology.PodPlacement.Domain;
import dev.sluice.quota.topology.TopologyCluster;
import dev.sluice.quota.topology.capacity.DomainCapacity;
import dev.sluice.quota.topology.capacity.Profile;
import dev.sluice.quota.topology.capacity.TopologyCache;
import dev.sluice.quota.topology.capacity.TopologyUsage;
import dev.sluice.quota.topology.domain.CapacityBucket;
import dev.sluice.quota.topology.domain.FlavorTopology;
import dev.sluice.quota.topology.node.NodeFilter;
import dev.sluice.quota.topology.placement.Demand.Manner;
import dev.sluice.quota.world.WorkloadState;
import dev.sluice.testkit.Tier;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What holds in every forest. */
class ForestLawsTest {
  private static final int STEPS = 120;

  static LongStream seeds() {
    return LongStream.range(0, Tier.number(4, 8));
  }

  /** Nodes, pods that are not ours, and workloads of two queues whose flavors share the nodes. */
  private static final class World {
    private final Random random;
    private final TopologyCluster cluster = TopologyCluster.mixed();
    private final Map<String, Integer> cores = new TreeMap<>();
    private final List<String> running = new ArrayList<>();
    private int names;

    World(long seed, boolean shuffled) {
      random = new Random(seed);
      cluster.cluster().flavor("other", "{'topologyName':'dc'}");
      cluster.queue("second", "other");
      List<Runnable> nodes = new ArrayList<>();
      for (int rack = 0; rack < 4; rack++) {
        for (int host = 0; host < 4; host++) {
          String name = "n" + rack + host;
          int cpu = random.nextInt(6);
          String block = "b" + rack / 2;
          String inRack = block + "-r" + rack;
          cores.put(name, cpu);
          nodes.add(() -> cluster.node(block, inRack, name, cpu, "", ""));
        }
      }
      if (shuffled) {
        Collections.shuffle(nodes, new Random(99));
      }
      nodes.forEach(Runnable::run);
    }

    void step() {
      switch (random.nextInt(6)) {
        case 0, 1, 2 -> add();
        case 3 -> {
          if (!running.isEmpty()) {
            cluster.cluster().delete(running.remove(random.nextInt(running.size())));
          }
        }
        case 4 -> grow();
        default -> blink();
      }
      cluster.cluster().cycle();
    }

    private void add() {
      String name = "w" + names++;
      String queue = random.nextBoolean() ? "main" : "second";
      int pods = 1 + random.nextInt(8);
      running.add(name);
      switch (random.nextInt(5)) {
        case 0 -> cluster.workload(name, queue, pods, "'required':'rack'", "");
        case 1 -> cluster.workload(name, queue, pods, "'preferred':'rack'", "");
        case 2 -> cluster.workload(name, queue, pods, "'unconstrained':true", "");
        case 3 ->
            cluster.workload(
                name,
                queue,
                2 * pods,
                "'required':'block','podSetSliceRequiredTopology':'rack','podSetSliceSize':2",
                "");
        default -> group(name, queue, pods);
      }
    }

    private void group(String name, String queue, int pods) {
      String request = ",'topologyRequest':{'required':'rack','podSetGroupName':'g'}";
      cluster
          .cluster()
          .workload(name, queue)
          .podSet("leader", 1, request, "{'cpu':'2'}", "")
          .podSet("workers", pods, request, "{'cpu':'1'}", "")
          .put();
    }

    private void grow() {
      String name = "n" + random.nextInt(4) + random.nextInt(4);
      cores.merge(name, 1, Integer::sum);
      put(name, true);
    }

    private void blink() {
      put("n" + random.nextInt(4) + random.nextInt(4), random.nextBoolean());
    }

    private void put(String name, boolean ready) {
      int rack = name.charAt(1) - '0';
      String block = "b" + rack / 2;
      cluster.put(block, block + "-r" + rack, name, cores.getOrDefault(name, 0), "", "", ready);
    }

    Iterable<WorkloadState> workloads() {
      return cluster.cluster().engine().snapshot(cluster.cluster().now()).workloads();
    }

    String state() {
      StringBuilder text = new StringBuilder();
      workloads().forEach(w -> text.append(w.key()).append(' ').append(w.admission()).append('\n'));
      return text.toString();
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void noNodeHoldsMoreThanItHasAfterAnySequence(long seed) {
    World world = new World(seed, false);

    for (int step = 0; step < STEPS; step++) {
      world.step();

      Map<String, Integer> used = new TreeMap<>();
      for (WorkloadState workload : world.workloads()) {
        placements(workload)
            .forEach(
                (podSet, placement) ->
                    placement
                        .domains()
                        .forEach(
                            d ->
                                used.merge(
                                    d.values().getLast(),
                                    d.pods() * (podSet.equals("leader") ? 2 : 1),
                                    Integer::sum)));
      }
      assertThat(used)
          .as("step %d", step)
          .allSatisfy((host, cpu) -> assertThat(cpu).isLessThanOrEqualTo(world.cores.get(host)));
    }
  }

  private static Map<String, PodPlacement> placements(WorkloadState workload) {
    Admission admission = workload.admission();
    Map<String, PodPlacement> placements = new TreeMap<>();
    if (admission != null) {
      for (PodSetAssignment assignment : admission.podSetAssignments()) {
        TopologyAssignment topology = assignment.topologyAssignment();
        placements.put(assignment.name(), AssignmentCodec.decode(requireNonNull(topology)));
      }
    }
    return placements;
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void everyPlacementHasAllPodsWhereTheRequestWantsThem(long seed) {
    World world = new World(seed, false);

    for (int step = 0; step < STEPS; step++) {
      world.step();
    }

    for (WorkloadState workload : world.workloads()) {
      Map<String, PodPlacement> placements = placements(workload);
      for (var podSet : workload.workload().spec().podSets()) {
        PodPlacement placement = placements.get(podSet.name());
        var request = podSet.topologyRequest();
        if (placement == null || request == null) {
          continue;
        }
        assertThat(placement.pods()).as("pods of %s", workload).isEqualTo(podSet.count());
        if ("rack".equals(request.required())) {
          assertThat(racks(placements.values())).as("racks of %s", workload).hasSize(1);
        }
        if (request.podSetSliceSize() != null) {
          assertThat(racks(List.of(placement)).values())
              .allSatisfy(pods -> assertThat(pods % 2).isZero());
        }
      }
    }
  }

  private static Map<String, Integer> racks(Iterable<PodPlacement> placements) {
    Map<String, Integer> racks = new TreeMap<>();
    for (PodPlacement placement : placements) {
      for (Domain domain : placement.domains()) {
        racks.merge(domain.values().getLast().substring(0, 2), domain.pods(), Integer::sum);
      }
    }
    return racks;
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void theSameEventsGiveTheSamePlacementsInWhateverOrderNodesCame(long seed) {
    World one = new World(seed, false);
    World other = new World(seed, true);

    for (int step = 0; step < STEPS; step++) {
      one.step();
      other.step();
    }

    assertThat(other.state()).isEqualTo(one.state());
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void aFreshEngineTakesOverExactlyWhatIsTaken(long seed) {
    World world = new World(seed, false);
    for (int step = 0; step < STEPS; step++) {
      world.step();
    }

    World fresh = new World(seed, true);
    world.cores.keySet().forEach(name -> fresh.cores.put(name, world.cores.get(name)));
    world.cores.keySet().forEach(name -> world.put(name, true));
    world.cores.keySet().forEach(name -> fresh.put(name, true));
    List<Workload> all = new ArrayList<>();
    world.workloads().forEach(w -> all.add(w.workload()));
    Collections.shuffle(all, new Random(seed));
    all.forEach(w -> fresh.cluster.cluster().apply(Change.upserted(ObjectKind.WORKLOAD, w)));
    world.cluster.cluster().rest();
    fresh.cluster.cluster().rest();

    assertThat(fresh.state()).isEqualTo(world.state());
  }

  /** Small forests in which every way to place a leader and its workers can be tried. */
  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void findsARequiredRackExactlyWhereTryingEverythingFindsOne(long seed) {
    Random random = new Random(seed);
    for (int round = 0; round < 40; round++) {
      var cluster = TopologyCluster.mixed();
      Map<String, int[]> racks = new TreeMap<>();
      for (int rack = 0; rack < 3; rack++) {
        int[] hosts = new int[1 + random.nextInt(3)];
        for (int host = 0; host < hosts.length; host++) {
          hosts[host] = random.nextInt(7);
          cluster.node("r" + rack, "n" + rack + host, hosts[host]);
        }
        racks.put("r" + rack, hosts);
      }
      int workers = 1 + random.nextInt(7);
      int workerCpu = 1 + random.nextInt(3);
      int leaderCpu = random.nextInt(5); // 0: no leader
      String request = ",'topologyRequest':{'required':'rack','podSetGroupName':'g'}";
      var builder = cluster.cluster().workload("w", "main");
      if (leaderCpu > 0) {
        builder.podSet("leader", 1, request, "{'cpu':'%d'}".formatted(leaderCpu), "");
      }
      builder
          .podSet(
              "workers",
              workers,
              leaderCpu > 0 ? request : ",'topologyRequest':{'required':'rack'}",
              "{'cpu':'%d'}".formatted(workerCpu),
              "")
          .put();

      boolean found = !cluster.placed("w").equals("nowhere");

      boolean possible =
          racks.values().stream().anyMatch(h -> fits(h, workers, workerCpu, leaderCpu));
      assertThat(found)
          .as("%d x %d cores, leader %d", workers, workerCpu, leaderCpu)
          .isEqualTo(possible);
    }
  }

  private static boolean fits(int[] hosts, int workers, int workerCpu, int leaderCpu) {
    if (leaderCpu == 0) {
      return capacity(hosts, workerCpu) >= workers;
    }
    for (int leader = 0; leader < hosts.length; leader++) {
      int[] rest = hosts.clone();
      rest[leader] -= leaderCpu;
      if (rest[leader] >= 0 && capacity(rest, workerCpu) >= workers) {
        return true;
      }
    }
    return false;
  }

  private static int capacity(int[] hosts, int cpu) {
    int sum = 0;
    for (int host : hosts) {
      sum += host / cpu;
    }
    return sum;
  }

  @ParameterizedTest(name = "{0} domains named like {1}")
  @CsvSource({"1, n", "7, pool-a-", "300, pool-", "3000, x", "40, ''"})
  void whatIsEncodedIsDecodedAgain(int count, String prefix) {
    Random random = new Random(count);
    List<Domain> domains = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      String host = prefix + random.nextInt(9) + "-" + i + (random.nextBoolean() ? "" : ".example");
      domains.add(new Domain(List.of("b" + i % 2, host), 1 + random.nextInt(count > 100 ? 2 : 1)));
    }
    var placement = new PodPlacement(List.of("block", "kubernetes.io/hostname"), domains);

    var encoded = AssignmentCodec.encode(placement, true);

    assertThat(AssignmentCodec.decode(encoded)).isEqualTo(placement);
    assertThat(encoded.slices()).hasSizeLessThanOrEqualTo(1000);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void countsThatFollowChangesAreThoseCountedFromScratch(long seed) {
    Random random = new Random(seed);
    World world = new World(seed, false);
    var sites = new TopologyCache(true);
    TopologyFixture.fill(sites, world.cores, random);
    FlavorTopology site = TopologyFixture.site(sites);
    List<Profile> profiles = TopologyFixture.profiles(site.levels());
    int leaves = site.forest().leaves().size();
    TopologyUsage room = sites.topologyUsage().fork();
    for (int step = 0; step < 60; step++) {
      int leaf = random.nextInt(leaves);
      long[] amounts = {random.nextInt(3) * 1000L, random.nextInt(2)};
      room.add(site.forest().leaf(leaf).bin(), amounts, random.nextBoolean() ? 1 : -1);
      for (Profile profile : profiles) {
        DomainCapacity followed = room.counts(site.forest(), profile);

        assertThat(told(followed))
            .as("step %d, %s", step, profile)
            .isEqualTo(told(room.counted(site.forest(), profile, 0, leaves)));
      }
    }
  }

  /** All that can be asked of counts. */
  private static String told(DomainCapacity counts) {
    StringBuilder text = new StringBuilder(counts.toString()).append(counts.exclusions());
    if (counts.hasLineup()) {
      counts.lineup().from(1).forEachRemaining((int leaf) -> text.append(' ').append(leaf));
      text.append(" from most");
      counts.lineup().fromMost().forEachRemaining((int leaf) -> text.append(' ').append(leaf));
    }
    return text.toString();
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void leavesStandInTheOrderOfWhatTheyHold(long seed) {
    Random random = new Random(seed);
    World world = new World(seed, false);
    var sites = new TopologyCache(true);
    TopologyFixture.fill(sites, world.cores, random);
    FlavorTopology site = TopologyFixture.site(sites);
    Profile profile = TopologyFixture.profiles(site.levels()).getFirst();
    int lowest = site.levels().lowest();
    int leaves = site.forest().leaves().size();
    TopologyUsage room = sites.topologyUsage();
    for (int step = 0; step < 60; step++) {
      room = random.nextInt(5) == 0 ? room.fork() : room;
      int leaf = random.nextInt(leaves);
      room.add(site.forest().leaf(leaf).bin(), new long[] {1000}, random.nextInt(4) - 1);

      DomainCapacity counts = room.counts(site.forest(), profile);

      List<Integer> sorted = new ArrayList<>();
      for (int i = 0; i < leaves; i++) {
        if (counts.pods(lowest, i) > 0) {
          sorted.add(i);
        }
      }
      sorted.sort(Comparator.comparingLong(it -> counts.pods(lowest, it)));
      assertThat(counts.lineup().from(1)).toIterable().containsExactlyElementsOf(sorted);
      sorted.sort(Comparator.comparingLong(it -> -counts.pods(lowest, it)));
      assertThat(counts.lineup().fromMost()).toIterable().containsExactlyElementsOf(sorted);
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void whoeverLooksLeafByLeafFindsTheSame(long seed) {
    Random random = new Random(seed);
    World world = new World(seed, false);
    var sites = new TopologyCache(true);
    TopologyFixture.fill(sites, world.cores, random);
    FlavorTopology site = TopologyFixture.site(sites);
    int leaves = site.forest().leaves().size();
    // who likes something, if nothing that is there, cannot use the line of leaves
    var nothing = new NodeSelectorTerm(List.of(), List.of());
    var likes =
        new NodeFilter(Map.of(), null, List.of(), List.of(new PreferredSchedulingTerm(1, nothing)));
    for (Profile quick : TopologyFixture.profiles(site.levels())) {
      var slow = new Profile(quick.worker(), quick.leader(), likes, quick.slices());
      for (int round = 0; round < 200; round++) {
        TopologyUsage room = sites.topologyUsage().fork();
        room.add(
            site.forest().leaf(random.nextInt(leaves)).bin(), new long[] {1000}, random.nextInt(3));
        int count = 1 + random.nextInt(12);
        int level = random.nextInt(quick.slices().level() + 1);
        Manner manner = List.of(Manner.values()).get(random.nextInt(3));
        boolean mixed = random.nextBoolean();
        List<List<Placer.Part>> found = new ArrayList<>();
        for (Profile profile : List.of(quick, slow)) {
          var demand = new Demand(site, profile, count, level, manner, 0, leaves);
          DomainCapacity counts = room.counts(site.forest(), profile);
          found.add(new Placer(demand, counts, mixed, false).find());
        }
        assertThat(found.getFirst())
            .as("%d pods, level %d, %s, %s", count, level, manner, quick)
            .isEqualTo(found.getLast());
      }
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void countsFollowMoreChangesThanAreNoted(long seed) {
    Random random = new Random(seed);
    World world = new World(seed, false);
    var sites = new TopologyCache(true);
    TopologyFixture.fill(sites, world.cores, random);
    FlavorTopology site = TopologyFixture.site(sites);
    int leaves = site.forest().leaves().size();
    List<Profile> profiles = TopologyFixture.profiles(site.levels());
    for (int step = 0; step < 10_000; step++) {
      CapacityBucket bin = site.forest().leaf(random.nextInt(leaves)).bin();
      sites.topologyUsage().add(bin, new long[] {1000}, step % 2 == 0 ? 1 : -1);
      Profile profile = profiles.get(random.nextInt(profiles.size()));
      if (step % 1500 == 0) {
        assertThat(told(sites.topologyUsage().counts(site.forest(), profile)))
            .as("step %d, %s", step, profile)
            .isEqualTo(told(sites.topologyUsage().counted(site.forest(), profile, 0, leaves)));
      }
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void aMessageNamesEveryNodeOnce(long seed) {
    World world = new World(seed, false);
    world.cluster.workload("huge", 1000, "'required':'rack'");
    world.cluster.cluster().rest();

    String message = world.cluster.message("huge");

    long empty = world.cores.values().stream().filter(cpu -> cpu == 0).count();
    assertThat(message).contains("16 domains");
    assertThat(message.contains("hold none: " + empty + " for resource cpu")).isEqualTo(empty > 0);
  }
}
