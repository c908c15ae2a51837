package dev.sluice.quota.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.meta.ObjectMeta;
import dev.sluice.api.workload.Workload;
import dev.sluice.quota.Change;
import dev.sluice.quota.ObjectKind;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the audit says about domains. */
class OverbookingTest {
  private final TopologyCluster cluster =
      TopologyCluster.mixed().node("r1", "a", 2).node("r1", "b", 2);

  @BeforeEach
  void oneWorkloadFillsANode() {
    cluster.workload("w", 2, "'required':'kubernetes.io/hostname'");
    assertThat(cluster.placed("w")).isEqualTo("a=2");
    assertThat(overbooked()).isEmpty();
  }

  private List<String> overbooked() {
    return cluster.cluster().engine().snapshot(cluster.cluster().now()).overbooked();
  }

  /** Somebody else gives another workload the places that the first one has. */
  private void placeTwice() {
    Workload first = cluster.cluster().get("w");
    var metadata =
        new ObjectMeta(
            "v",
            "default",
            null,
            "uid-v",
            null,
            null,
            first.metadata().creationTimestamp(),
            null,
            Map.of(),
            Map.of(),
            List.of(),
            List.of());
    cluster
        .cluster()
        .apply(
            Change.upserted(
                ObjectKind.WORKLOAD, new Workload(metadata, first.spec(), first.status())));
  }

  @Test
  void aNodeThatIsGivenTwiceIsNamedWithTheWorkload() {
    placeTwice();
    assertThat(overbooked())
        .containsExactly(
            "Domain a is booked beyond what its nodes have, last by Workload default/v");
    cluster.cluster().delete("w");
    assertThat(overbooked()).isEmpty();
  }

  @Test
  void aNodeThatShrinksUnderItsPodsIsNot() {
    cluster.node("r1", "a", 1);
    assertThat(overbooked()).isEmpty();
  }

  @Test
  void podsOfOthersThatGrowAreNot() {
    cluster.pod("other", "a", 2, "", "Running");
    assertThat(overbooked()).isEmpty();
  }
}
