package dev.sluice.quota.tree;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.quota.amount.Amounts;
import dev.sluice.quota.amount.FlavorResource;
import dev.sluice.quota.amount.Usage;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ForestTest {
  private static final FlavorResource CPU = new FlavorResource("default", "cpu");
  private static final NodeName A = NodeName.cohort("a");
  private static final NodeName Q = NodeName.clusterQueue("q");

  private final CohortForest forest = new CohortForest();

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

    forest.addUsage("q", Usage.of(Map.of(CPU, 1L)));
    assertThat(forest.trees().cutCircles())
        .singleElement()
        .satisfies(
            shown -> {
              assertThat(shown.shape().name(0)).isEqualTo(A);
              assertThat(shown.shape().subtreeQuota(0, shown.shape().column(CPU))).isEqualTo(3);
              assertThat(shown.ledger().usage(0, shown.shape().column(CPU))).isEqualTo(1);
              assertThat(shown.shape().node(NodeName.cohort("b"))).isPositive();
            });
    forest.removeUsage("q", Usage.of(Map.of(CPU, 1L)), Usage.NONE);

    put(NodeName.cohort("b"), null, 2);

    assertThat(forest.settle().uprooted()).containsExactly("q");
    assertThat(availableInQ()).isEqualTo(5);
    assertThat(forest.trees().cutCircles()).isEmpty();
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

    TreeEdits edits = forest.settle();
    assertThat(edits.uprooted()).containsExactly("q");
    assertThat(edits.pairs()).isEqualTo(Map.of(A, Set.of(CPU), NodeName.cohort("b"), Set.of(CPU)));
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
  void theUsageOfOthersIsKeptWhenOneWithMoreThanCanBeCountedEnds() {
    put(Q, null, Amounts.UNLIMITED);
    forest.settle();
    Usage five = Usage.of(Map.of(CPU, 5L));
    Usage all = Usage.of(Map.of(CPU, Amounts.UNLIMITED));
    forest.addUsage("q", five);
    forest.addUsage("q", all);

    forest.removeUsage("q", all, five);
    put(Q, null, 7);
    forest.settle();

    assertThat(availableInQ()).isEqualTo(2);
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

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void editsLeaveTheTreeThatItWouldHaveBeenFromTheStart(long seed) {
    var random = new Random(seed);
    Map<NodeName, NodeSpec> specs = new LinkedHashMap<>();
    for (int i = 0; i < 12; i++) {
      String parent = i == 0 ? null : "c" + random.nextInt(i);
      specs.put(NodeName.cohort("c" + i), spec(NodeName.cohort("c" + i), parent, random));
      NodeName queue = NodeName.clusterQueue("q" + i);
      specs.put(queue, spec(queue, "c" + random.nextInt(i + 1), random));
    }
    specs.values().forEach(forest::put);
    for (int i = 0; i < 12; i++) {
      forest.addUsage("q" + i, Usage.of(Map.of(CPU, (long) random.nextInt(9))));
    }
    forest.settle();
    List<NodeName> names = List.copyOf(specs.keySet());
    for (int edit = 0; edit < 60; edit++) {
      NodeSpec old = requireNonNull(specs.get(names.get(random.nextInt(names.size()))));
      NodeSpec changed = spec(old.name(), old.parent(), random);
      specs.put(changed.name(), changed);
      forest.put(changed);
      if (random.nextBoolean()) {
        assertThat(forest.settle().uprooted()).isEmpty();
        assertThat(amounts(forest)).as("edit %d", edit).isEqualTo(amounts(made(specs.values())));
      }
    }
  }

  private static NodeSpec spec(NodeName name, @Nullable String parent, Random random) {
    Quota quota = Quota.nominal(random.nextInt(8) == 0 ? Amounts.UNLIMITED : random.nextInt(10));
    quota = random.nextBoolean() ? quota.withBorrowingLimit(random.nextInt(6)) : quota;
    quota = random.nextBoolean() ? quota.withLendingLimit(random.nextInt(6)) : quota;
    return new NodeSpec(name, parent, 1 + random.nextInt(3), Map.of(CPU, quota));
  }

  private CohortForest made(Iterable<NodeSpec> specs) {
    var fresh = new CohortForest();
    specs.forEach(fresh::put);
    for (int i = 0; i < 12; i++) {
      fresh.addUsage("q" + i, forest.usageOf("q" + i));
    }
    fresh.settle();
    return fresh;
  }

  private static List<String> amounts(CohortForest of) {
    List<String> amounts = new ArrayList<>();
    for (QuotaTree tree : of.trees().all()) {
      QuotaUsage ledger = tree.ledger();
      TreeShape shape = tree.shape();
      for (int node = 0; node < shape.size(); node++) {
        amounts.add(
            "%s subtree %d local %d potential %d usage %d available %d share %s"
                .formatted(
                    shape.name(node),
                    shape.subtreeQuota(node, 0),
                    shape.localQuota(node, 0),
                    shape.potentialAvailable(node, 0),
                    ledger.usage(node, 0),
                    ledger.available(node, 0),
                    ledger.share(node)));
      }
    }
    return amounts;
  }
}
