package dev.sluice.quota.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.quota.request.Requests;
import dev.sluice.quota.topology.capacity.DomainRoom;
import dev.sluice.quota.topology.capacity.FlavorDomains;
import dev.sluice.quota.topology.capacity.Gang;
import dev.sluice.quota.topology.capacity.TopologyView;
import dev.sluice.testkit.Tier;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What nodes have is shown as placement counts it. */
class TopologyViewTest {
  private final TopologyCluster topology = TopologyCluster.mixed();

  static LongStream seeds() {
    return LongStream.range(0, Tier.number(10, 60));
  }

  private static TopologyView view(TopologyCluster topology) {
    return topology.cluster().engine().fork().topology(topology.cluster().now());
  }

  private static FlavorDomains domains(TopologyCluster topology, String flavor) {
    return Objects.requireNonNull(view(topology).flavor(flavor), flavor);
  }

  private static String text(DomainRoom room) {
    return "%s: %d nodes, cpu %d = %d used, %d free"
        .formatted(
            String.join("/", room.path()),
            room.nodes(),
            room.capacity("cpu") / 1000,
            room.used("cpu") / 1000,
            room.free("cpu") / 1000);
  }

  @Test
  void aDomainHasWhatItsNodesHaveAndUsesWhatAllPodsTake() {
    topology.node("r1", "a", 8).node("r1", "b", 8).node("r2", "c", 4);
    topology.pod("foreign", "a", 3, "", "Running");
    topology.workload("w", 4, "'required':'rack'").placed("w");

    FlavorDomains domains = domains(topology, "tas");

    assertThat(domains.levels()).containsExactly("block", "rack", "kubernetes.io/hostname");
    assertThat(domains.below(0, List.of(), null, Set.of()))
        .extracting(TopologyViewTest::text)
        .containsExactly("b: 3 nodes, cpu 20 = 7 used, 13 free");
    List<DomainRoom> racks = domains.below(1, List.of("b"), null, Set.of());
    assertThat(racks)
        .extracting(DomainRoom::path)
        .containsExactly(List.of("b", "r1"), List.of("b", "r2"));
    assertThat(text(DomainRoom.sum(List.of("b"), racks)))
        .isEqualTo("b: 3 nodes, cpu 20 = 7 used, 13 free");
    assertThat(domains.below(2, List.of("b", "r2"), null, Set.of())).hasSize(1);
    assertThat(domains.below(1, List.of("other"), null, Set.of())).isEmpty();
  }

  @Test
  void aNodeThatTakesNoPodsIsCountedOnceAndHasNothingFree() {
    topology
        .node("b", "r", "fine", 8, "", "")
        .node("b", "r", "cordoned", 8, "", "'unschedulable':true")
        .node("b", "r", "tainted", 8, "", "'taints':[{'key':'k','effect':'NoSchedule'}]")
        .notReady("r", "lost", 8)
        .notReady("r", "broken", 8);

    DomainRoom rack =
        domains(topology, "tas").below(1, List.of(), null, Set.of("broken")).getFirst();

    assertThat(List.of(rack.failed(), rack.notReady(), rack.cordoned(), rack.tainted()))
        .containsExactly(1, 1, 1, 1);
    assertThat(text(rack)).isEqualTo("b/r: 5 nodes, cpu 40 = 0 used, 16 free");
    DomainRoom gangs =
        domains(topology, "tas")
            .below(1, List.of(), new Gang(1, Requests.of(Map.of("cpu", 8000L))), Set.of())
            .getFirst();
    assertThat(gangs.gangs()).as("pods do not tolerate the taint").isEqualTo(1);
  }

  @Test
  void aFlavorWithoutATopologyHasItsHosts() {
    topology.cluster().flavor("plain", "{'nodeLabels':{'rack':'r1'}}");
    topology.node("r1", "a", 8).node("r2", "b", 8).pod("p", "a", 5, "", "Running");

    TopologyView view = view(topology);

    assertThat(view.topologies()).containsExactly("dc");
    assertThat(view.nodes()).isEqualTo(2);
    assertThat(view.flavors())
        .contains(
            new TopologyView.FlavorSummary(
                "plain", null, List.of("kubernetes.io/hostname"), 1, List.of("cpu", "pods"), null));
    assertThat(Objects.requireNonNull(view.flavor("plain")).below(0, List.of(), null, Set.of()))
        .extracting(TopologyViewTest::text)
        .containsExactly("a: 1 nodes, cpu 8 = 5 used, 3 free");
  }

  @Test
  void aFlavorWhoseTopologyIsNoneSaysSo() {
    topology.cluster().flavor("lost", "{'topologyName':'nowhere'}");

    TopologyView view = view(topology);

    assertThat(view.flavor("lost")).isNull();
    assertThat(view.flavor("unknown")).isNull();
    assertThat(view.flavors())
        .anySatisfy(
            it -> {
              assertThat(it.flavor()).isEqualTo("lost");
              assertThat(it.problem()).isEqualTo("Topology nowhere does not exist");
            });
  }

  /** The law: the gangs that are said to fit are those that are then admitted, domain by domain. */
  @ParameterizedTest
  @MethodSource("seeds")
  void asManyGangsAreAdmittedInEachDomainAsAreSaidToFit(long seed) {
    Random random = new Random(seed);
    Map<String, String> rackOf = new TreeMap<>();
    for (int i = 0; i < 12; i++) {
      String rack = "r" + random.nextInt(3);
      String block = "b" + rack.charAt(1); // a rack is in one block
      boolean ready = random.nextInt(8) > 0;
      String spec = random.nextInt(8) == 0 ? "'taints':[{'key':'k','effect':'NoSchedule'}]" : "";
      topology.put(block, rack, "n" + i, 2 + random.nextInt(7), "", spec, ready);
      rackOf.put("n" + i, rack);
      if (random.nextInt(3) == 0) {
        topology.pod("p" + i, "n" + i, 1 + random.nextInt(3), "", "Running");
      }
    }
    topology.workload("before", 1 + random.nextInt(6), "'preferred':'rack'").placed("before");
    int pods = 1 + random.nextInt(6);
    int cores = 1 + random.nextInt(3);
    boolean byRack = random.nextBoolean();
    Gang gang = new Gang(pods, Requests.of(Map.of("cpu", 1000L * cores)));
    Map<String, Long> said = new TreeMap<>();
    domains(topology, "tas").below(byRack ? 1 : 2, List.of(), gang, Set.of()).stream()
        .filter(it -> it.gangs() > 0)
        .forEach(it -> said.put(it.path().getLast(), it.gangs()));

    Map<String, Long> admitted = new TreeMap<>();
    String level = byRack ? "rack" : "kubernetes.io/hostname";
    for (int i = 0; admitted(topology, "gang-" + i, pods, cores, level); i++) {
      String host = topology.where("gang-" + i).split("=", -1)[0];
      admitted.merge(byRack ? rackOf.getOrDefault(host, "?") : host, 1L, Long::sum);
    }

    assertThat(admitted).isEqualTo(said);
  }

  private static boolean admitted(
      TopologyCluster topology, String name, int pods, int cores, String level) {
    topology
        .cluster()
        .workload(name, "main")
        .podSet(
            "main",
            pods,
            ",'topologyRequest':{'required':'%s'}".formatted(level),
            "{'cpu':'%d'}".formatted(cores),
            "")
        .put();
    topology.cluster().cycle();
    return topology.cluster().reserved(name);
  }
}
