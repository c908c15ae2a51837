package dev.sluice.quota.tree;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.quota.amount.FlavorResource;
import dev.sluice.quota.amount.Usage;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ForestTest {
  private static final FlavorResource CPU = new FlavorResource("default", "cpu");
  private static final NodeName A = NodeName.cohort("a");
  private static final NodeName Q = NodeName.clusterQueue("q");

  private final Forest forest = new Forest();

  private void put(NodeName name, @Nullable String parent, long nominal) {
    forest.put(new NodeSpec(name, parent, 1, Map.of(CPU, Quota.nominal(nominal))));
  }

  private long availableInQ() {
    QuotaTree tree = requireNonNull(forest.trees().treeOf("q"));
    return tree.ledger().available(tree.shape().node(Q), tree.shape().column(CPU));
  }

  @Test
  void aCohortExistsAsSoonAsSomebodyRefersToIt() {
    put(Q, "a", 3);
    forest.settle();

    assertThat(forest.trees().rootOf("q")).isEqualTo(A);
    assertThat(availableInQ()).isEqualTo(3);
  }

  @Test
  void aDeletedCohortWithChildrenLosesItsQuotaAndItsParentButKeepsThem() {
    put(A, "top", 5);
    put(Q, "a", 3);
    forest.addUsage("q", Usage.of(Map.of(CPU, 1L)));
    forest.settle();
    assertThat(availableInQ()).isEqualTo(7);

    forest.remove(A);
    forest.settle();

    assertThat(forest.trees().rootOf("q")).isEqualTo(A);
    assertThat(availableInQ()).isEqualTo(2);
  }

  @Test
  void aCircleOfCohortsHasNoTreeUntilItIsBroken() {
    put(Q, "a", 3);
    put(A, "b", 0);
    put(NodeName.cohort("b"), "a", 0);
    forest.settle();
    assertThat(forest.trees().treeOf("q")).isNull();
    assertThat(forest.circleAbove(Q)).containsExactly("a", "b");

    put(NodeName.cohort("b"), null, 2);

    assertThat(forest.settle()).containsExactly("q");
    assertThat(availableInQ()).isEqualTo(5);
    assertThat(forest.circleAbove(Q)).isEmpty();
  }

  @Test
  void movingAQueueChangesBothTrees() {
    put(Q, "a", 3);
    put(NodeName.clusterQueue("other"), "a", 4);
    put(NodeName.clusterQueue("third"), "b", 1);
    forest.settle();
    assertThat(availableInQ()).isEqualTo(7);

    put(Q, "b", 3);

    assertThat(forest.settle()).containsExactly("other", "q", "third");
    assertThat(availableInQ()).isEqualTo(4);
  }

  @Test
  void usageOutlivesTheQueueAndIsThereWhenItComesBack() {
    forest.addUsage("q", Usage.of(Map.of(CPU, 2L)));
    put(Q, null, 3);
    forest.settle();
    assertThat(availableInQ()).isEqualTo(1);

    forest.remove(Q);
    forest.settle();
    assertThat(forest.trees().treeOf("q")).isNull();

    put(Q, null, 3);
    forest.settle();
    assertThat(availableInQ()).isEqualTo(1);
  }

  @Test
  void usageOfAPairThatNoQuotaNamesIsKept() {
    put(Q, null, 3);
    forest.settle();
    var pair = new FlavorResource("gone", "cpu");

    forest.addUsage("q", Usage.of(Map.of(pair, 2L)));
    forest.settle();

    QuotaTree tree = requireNonNull(forest.trees().treeOf("q"));
    int column = tree.shape().column(pair);
    assertThat(tree.ledger().usage(tree.shape().node(Q), column)).isEqualTo(2);
    assertThat(tree.ledger().available(tree.shape().node(Q), column)).isEqualTo(-2);
  }
}
