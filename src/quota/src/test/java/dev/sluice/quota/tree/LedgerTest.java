package dev.sluice.quota.tree;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.quota.amount.FlavorResource;
import dev.sluice.quota.amount.Usage;
import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The worked examples of hierarchical quota, and its laws. */
class LedgerTest {
  private static final FlavorResource CPU = new FlavorResource("default", "cpu");

  private final CohortForest forest = new CohortForest();

  private void queue(String name, @Nullable String parent, Quota quota) {
    forest.put(new NodeSpec(NodeName.clusterQueue(name), parent, 1, Map.of(CPU, quota)));
  }

  private void cohort(String name, @Nullable String parent, Quota quota) {
    forest.put(new NodeSpec(NodeName.cohort(name), parent, 1, Map.of(CPU, quota)));
  }

  private void use(String queue, long amount) {
    forest.addUsage(queue, Usage.of(Map.of(CPU, amount)));
  }

  private void free(String queue, long amount, long rest) {
    forest.removeUsage(
        queue, Usage.of(Map.of(CPU, amount)), rest == 0 ? Usage.NONE : Usage.of(Map.of(CPU, rest)));
  }

  private QuotaUsage ledger() {
    forest.settle();
    QuotaTree tree = forest.trees().all().iterator().next();
    return tree.ledger();
  }

  private long available(NodeName name) {
    QuotaUsage ledger = ledger();
    return ledger.available(ledger.shape().node(name), 0);
  }

  private long[] available(String... queues) {
    long[] result = new long[queues.length];
    for (int i = 0; i < queues.length; i++) {
      result[i] = available(NodeName.clusterQueue(queues[i]));
    }
    return result;
  }

  private long[] potential(String... queues) {
    TreeShape shape = ledger().shape();
    long[] result = new long[queues.length];
    for (int i = 0; i < queues.length; i++) {
      result[i] = shape.potentialAvailable(shape.node(NodeName.clusterQueue(queues[i])), 0);
    }
    return result;
  }

  private long usage(NodeName name) {
    QuotaUsage ledger = ledger();
    return ledger.usage(ledger.shape().node(name), 0);
  }

  @Test
  void queuesOfOneCohortShareWhatEachLends() {
    queue("a", "root", Quota.nominal(10).withBorrowingLimit(5));
    queue("b", "root", Quota.nominal(10).withLendingLimit(4));
    queue("c", "root", Quota.nominal(0));
    NodeName root = NodeName.cohort("root");

    assertThat(potential("a", "b", "c")).containsExactly(14, 20, 14);
    assertThat(available("a", "b", "c")).containsExactly(14, 20, 14);

    use("b", 8);
    assertThat(usage(root)).isEqualTo(2);
    assertThat(available("a", "b", "c")).containsExactly(12, 12, 12);

    use("a", 9);
    assertThat(usage(root)).isEqualTo(11);
    assertThat(available("a", "b", "c")).containsExactly(3, 3, 3);

    use("c", 3);
    assertThat(usage(root)).isEqualTo(14);
    assertThat(available("a", "b", "c")).containsExactly(0, 0, 0);

    free("b", 8, 0);
    assertThat(usage(root)).isEqualTo(12);
    assertThat(available("a", "b", "c")).containsExactly(2, 8, 2);
  }

  @Test
  void limitsOfACohortBoundItsWholeSubtree() {
    cohort("root", null, Quota.nominal(2));
    cohort("left", "root", Quota.nominal(0).withBorrowingLimit(3).withLendingLimit(1));
    cohort("right", "root", Quota.nominal(4));
    queue("x", "left", Quota.nominal(6));
    queue("y", "left", Quota.nominal(2).withLendingLimit(0));
    queue("z", "right", Quota.nominal(5).withBorrowingLimit(0));

    assertThat(available("x", "y", "z")).containsExactly(9, 11, 5);
    assertThat(potential("x", "y", "z")).containsExactly(9, 11, 5);

    use("x", 9);
    assertThat(usage(NodeName.cohort("left"))).isEqualTo(9);
    assertThat(usage(NodeName.cohort("root"))).isEqualTo(4);
    assertThat(available("x", "y", "z")).containsExactly(0, 2, 5);
    assertThat(available(NodeName.cohort("right"))).isEqualTo(8);

    use("y", 1);
    assertThat(usage(NodeName.cohort("left"))).isEqualTo(9);
  }

  @Test
  void loweringAQuotaBelowItsUseMakesAvailabilityNegative() {
    queue("a", "root", Quota.nominal(4));
    queue("b", "root", Quota.nominal(4));
    use("a", 6);
    use("b", 2);

    queue("a", "root", Quota.nominal(2));

    assertThat(available("a", "b")).containsExactly(-2, -2);
  }

  @Test
  void anUnlimitedQueueMakesItsCohortUnlimited() {
    queue("a", "root", Quota.nominal(Long.MAX_VALUE));
    queue("b", "root", Quota.nominal(Long.MAX_VALUE));
    use("a", Long.MAX_VALUE - 1);

    assertThat(available("a", "b")).containsExactly(Long.MAX_VALUE, Long.MAX_VALUE);
  }

  @Test
  void aFittingSubtreeIsTheLowestThatOwnsEnough() {
    cohort("root", null, Quota.nominal(8));
    cohort("left", "root", Quota.nominal(0));
    queue("a", "left", Quota.nominal(2));
    queue("b", "left", Quota.nominal(3));
    QuotaUsage ledger = ledger();
    int a = ledger.shape().node(NodeName.clusterQueue("a"));

    assertThat(ledger.heightThatFits(a, 0, 2)).isEqualTo(new QuotaUsage.FittingSubtree(0, true));
    assertThat(ledger.heightThatFits(a, 0, 5)).isEqualTo(new QuotaUsage.FittingSubtree(1, true));
    assertThat(ledger.heightThatFits(a, 0, 9)).isEqualTo(new QuotaUsage.FittingSubtree(2, false));
    assertThat(ledger.heightThatFits(a, 0, 99)).isEqualTo(new QuotaUsage.FittingSubtree(2, false));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void takingBackInAnyOrderRestoresEveryNode(long seed) {
    var random = new Random(seed);
    cohort("root", null, Quota.nominal(random.nextInt(5)));
    for (int i = 0; i < 8; i++) {
      cohort("c" + i, i == 0 ? "root" : "c" + random.nextInt(i), randomQuota(random));
      queue("q" + i, "c" + random.nextInt(i + 1), randomQuota(random));
    }
    QuotaUsage ledger = ledger();
    long before = ledger.digest();
    int[][] added = new int[40][];
    for (int i = 0; i < added.length; i++) {
      int node = ledger.shape().node(NodeName.clusterQueue("q" + random.nextInt(8)));
      added[i] = new int[] {node, random.nextInt(9)};
      ledger.add(added[i][0], 0, added[i][1]);
    }
    Collections.shuffle(Arrays.asList(added), random);

    for (int[] one : added) {
      ledger.remove(one[0], 0, one[1]);
    }

    assertThat(ledger.digest()).isEqualTo(before);
  }

  private static Quota randomQuota(Random random) {
    Quota quota = Quota.nominal(random.nextInt(10));
    quota = random.nextBoolean() ? quota.withBorrowingLimit(random.nextInt(6)) : quota;
    return random.nextBoolean() ? quota.withLendingLimit(random.nextInt(6)) : quota;
  }
}
