package dev.sluice.quota.tree;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.quota.amount.Amounts;
import dev.sluice.quota.amount.FlavorResource;
import dev.sluice.quota.amount.Usage;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The table of dominant resource shares. */
class ShareTest {
  private final CohortForest forest = new CohortForest();

  private static FlavorResource pair(String resource) {
    return new FlavorResource("default", resource);
  }

  private void node(
      NodeName name, @Nullable String parent, double weight, Map<String, Quota> quotas) {
    Map<FlavorResource, Quota> own = new HashMap<>();
    quotas.forEach((resource, quota) -> own.put(pair(resource), quota));
    forest.put(new NodeSpec(name, parent, weight, own));
  }

  private void queue(String name, String parent, Map<String, Quota> quotas) {
    node(NodeName.clusterQueue(name), parent, 1, quotas);
  }

  private void use(String queue, String resource, long amount) {
    forest.addUsage(queue, Usage.of(Map.of(pair(resource), amount)));
  }

  private Share share(NodeName name) {
    forest.settle();
    QuotaUsage ledger = forest.trees().all().iterator().next().ledger();
    return ledger.share(ledger.shape().node(name));
  }

  private Share shareOfQueue(String name) {
    return share(NodeName.clusterQueue(name));
  }

  @Test
  void theResourceWithTheLargestRatioDecides() {
    queue("q", "root", Map.of("cpu", Quota.nominal(2), "gpu", Quota.nominal(5)));
    queue("other", "root", Map.of("cpu", Quota.nominal(8), "gpu", Quota.nominal(5)));
    use("q", "cpu", 3);
    use("q", "gpu", 3);
    assertThat(shareOfQueue("q").rounded()).isEqualTo(100);
    assertThat(shareOfQueue("q").dominantResource()).isEqualTo("cpu");

    use("q", "gpu", 4);

    assertThat(shareOfQueue("q").rounded()).isEqualTo(200);
    assertThat(shareOfQueue("q").dominantResource()).isEqualTo("gpu");
  }

  @Test
  void weightsDivideAndLimitsOfACohortBoundWhatIsLendable() {
    node(NodeName.cohort("root"), null, 1, Map.of("gpu", Quota.nominal(50)));
    node(NodeName.cohort("team"), "root", 2, Map.of("gpu", Quota.nominal(0)));
    queue("q", "team", Map.of("gpu", Quota.nominal(0)));
    use("q", "gpu", 10);
    assertThat(shareOfQueue("q").rounded()).isEqualTo(200);
    assertThat(share(NodeName.cohort("team")).rounded()).isEqualTo(100);

    node(
        NodeName.cohort("team"), "root", 1, Map.of("gpu", Quota.nominal(0).withBorrowingLimit(10)));

    assertThat(shareOfQueue("q").rounded()).isEqualTo(1000);
    assertThat(share(NodeName.cohort("team")).rounded()).isEqualTo(200);
  }

  @Test
  void aLargeWeightMakesALargeBorrowerEqualToASmallOne() {
    queue("lender", "root", Map.of("cpu", Quota.nominal(1000)));
    node(NodeName.clusterQueue("q"), "root", 300, Map.of("cpu", Quota.nominal(0)));
    use("q", "cpu", 300);
    assertThat(shareOfQueue("q").rounded()).isEqualTo(1);
  }

  @Test
  void sharesOfCohortsAndOfTheirQueuesAreComparedOnTheirOwnLevels() {
    node(NodeName.cohort("root"), null, 1, Map.of());
    queue("s", "root", Map.of("cpu", Quota.nominal(300)));
    node(NodeName.cohort("c1"), "root", 1, Map.of());
    node(NodeName.cohort("c2"), "root", 1, Map.of());
    for (String name : List.of("1a", "1b", "1c", "2a")) {
      double weight = name.equals("1c") ? 3 : 1;
      node(
          NodeName.clusterQueue(name),
          "c" + name.charAt(0),
          weight,
          Map.of("cpu", Quota.nominal(0)));
    }
    use("1a", "cpu", 30);
    use("1b", "cpu", 30);
    use("1c", "cpu", 90);
    use("2a", "cpu", 150);
    assertThat(share(NodeName.cohort("c1")).rounded()).isEqualTo(500);
    assertThat(share(NodeName.cohort("c2")).rounded()).isEqualTo(500);
    assertThat(shareOfQueue("1a").rounded()).isEqualTo(100);
    assertThat(shareOfQueue("1b").rounded()).isEqualTo(100);
    assertThat(shareOfQueue("1c").rounded()).isEqualTo(100);
  }

  @Test
  void anUnlimitedLenderMakesTheShareTinyButNotNothing() {
    queue("q", "root", Map.of("cpu", Quota.nominal(0)));
    queue("other", "root", Map.of("cpu", Quota.nominal(Amounts.UNLIMITED)));
    use("q", "cpu", 1000);

    assertThat(shareOfQueue("q").rounded()).isEqualTo(1);
  }

  @Test
  void whatLendsNothingIsBorrowedWithoutAShare() {
    queue("q", "root", Map.of("cpu", Quota.nominal(0)));
    use("q", "cpu", 1);

    assertThat(shareOfQueue("q").borrowing()).isTrue();
    assertThat(shareOfQueue("q").value()).isZero();
  }

  @Test
  void whoHasNoClaimComesLastAndIsComparedByRatioAmongItsKind() {
    Share small = new Share(true, 100, 0, "cpu");
    Share large = new Share(true, 200, 0, "cpu");
    Share claimed = new Share(true, 900, 1, "cpu");

    assertThat(small).isLessThan(large).isGreaterThan(claimed).isGreaterThan(Share.NONE);
    assertThat(small.rounded()).isEqualTo(Long.MAX_VALUE);
  }
}
