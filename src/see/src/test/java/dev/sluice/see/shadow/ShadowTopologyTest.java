package dev.sluice.see.shadow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.Quantity;
import dev.sluice.api.flavor.ResourceFlavor;
import dev.sluice.api.flavor.Topology;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.workload.Admission;
import dev.sluice.api.workload.PodSetAssignment;
import dev.sluice.api.workload.TopologyAssignment;
import dev.sluice.api.workload.Workload;
import dev.sluice.quota.ObjectKind;
import dev.sluice.quota.topology.AssignmentCodec;
import dev.sluice.quota.topology.PodPlacement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Differences of the places of pods, and those that are known. */
class ShadowTopologyTest {
  private static final String RACK = "'topologyRequest':{'required':'rack'},";

  private final OtherScheduler world = new OtherScheduler();

  @BeforeEach
  void nodes() {
    topology("kubernetes.io/hostname");
    world.object(
        ObjectKind.RESOURCE_FLAVOR,
        ResourceFlavor.class,
        "{'metadata':{'name':'f'},'spec':{'nodeLabels':{},'topologyName':'t'}}");
    world.node("n1", "r1", 4);
    world.node("n2", "r1", 4);
    world.node("n3", "r2", 4);
    world.node("n4", "r2", 4);
    world.queue("q", "", 16, 0);
  }

  private void topology(String lowest) {
    world.object(
        ObjectKind.TOPOLOGY,
        Topology.class,
        """
        {'metadata':{'name':'t'},'spec':{'levels':[{'nodeLabel':'rack'},{'nodeLabel':'%s'}]}}\
        """
            .formatted(lowest));
  }

  /** The same with the pods of all PodSets on that node. */
  private static Workload moved(Workload workload, String node) {
    Admission admission = workload.status().admission();
    if (admission == null) {
      return workload;
    }
    List<PodSetAssignment> podSets =
        admission.podSetAssignments().stream()
            .map(
                it -> {
                  var place =
                      new PodPlacement.Domain(List.of(node), it.count() == null ? 1 : it.count());
                  TopologyAssignment there =
                      AssignmentCodec.encode(
                          new PodPlacement(List.of("kubernetes.io/hostname"), List.of(place)),
                          false);
                  return new PodSetAssignment(
                      it.name(), it.flavors(), it.resourceUsage(), it.count(), there, null);
                })
            .toList();
    return workload.with(
        workload.status().toBuilder()
            .admission(new Admission(admission.clusterQueue(), podSets))
            .build());
  }

  @Test
  void samePlacesAreTheSameInAnyOrderOfWrites() {
    for (int i = 0; i < 4; i++) {
      world.workload("w" + i, "q", 0, 3, RACK);
    }
    world.show(world.decide().reversed());
    world.pass(Duration.ofMinutes(1));
    assertThat(world.verdicts()).isEqualTo("same 4");
  }

  @Test
  void otherPlaceIsTold() {
    world.workload("w", "q", 0, 3, RACK);
    List<Workload> written = world.decide();
    world.show(written.stream().map(it -> moved(it, "n4")).toList());
    world.pass(Duration.ofMinutes(1));
    assertThat(world.verdicts()).isEqualTo("other place 1");
    assertThat(world.judgements().getFirst())
        .satisfies(
            it -> {
              assertThat(it.theirs()).endsWith("pods 3 on n4)");
              assertThat(it.ours()).endsWith("pods 3 on n1)");
            });
  }

  @Test
  void sliceThatIsShortIsAKnownDeviation() {
    ObjectKey key =
        world.workload(
            "w",
            "q",
            0,
            3,
            "'topologyRequest':{'required':'rack','podSetSliceRequiredTopology':"
                + "'kubernetes.io/hostname','podSetSliceSize':2},");
    world.pass(Duration.ofSeconds(10));
    assertThat(world.verdicts()).isEqualTo("known deviation 1");
    assertThat(world.judgements().getFirst())
        .satisfies(
            it -> {
              assertThat(it.workload()).isEqualTo(key);
              assertThat(it.deviation()).isEqualTo(KnownDeviations.LAST_SLICE);
            });
  }

  @Test
  void levelThatNoNodeHasIsAKnownDeviation() {
    topology("nowhere");
    ObjectKey key = world.workload("w", "q", 0, 3, "");
    PodSetAssignment podSet =
        new PodSetAssignment(
            "main", Map.of("cpu", "f"), Map.of("cpu", Quantity.of(3)), 3, null, null);
    world.write(key, it -> it.reserve(new Admission("q", List.of(podSet))));
    world.pass(Duration.ofSeconds(10));
    assertThat(world.verdicts()).isEqualTo("known deviation 1");
    assertThat(world.judgements().getFirst())
        .satisfies(
            it -> {
              assertThat(it.deviation()).isEqualTo(KnownDeviations.LEVEL_WITHOUT_NODES);
              assertThat(it.ours()).contains("its ClusterQueue is not active", "nowhere");
            });
  }
}
