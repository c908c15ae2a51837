package dev.sluice.see.whatif;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.queue.ClusterQueue;
import dev.sluice.quota.Change;
import dev.sluice.quota.ObjectKind;
import dev.sluice.quota.QuotaEngine;
import dev.sluice.see.Queues;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

class QuotaEditTest {
  private static final String SHARES = "'cohortName':'c',";
  private static final String RECLAIMS = SHARES + "'preemption':{'reclaimWithinCohort':'Any'},";

  private final Queues queues = new Queues();

  QuotaEditTest() {
    queues.clusterQueue("owner", 4, RECLAIMS);
    queues.clusterQueue("borrower", 0, SHARES);
    queues.localQueue("a", "own", "owner");
    queues.localQueue("b", "borrow", "borrower");
  }

  private Change edited(String name, int cpu, String members) {
    QuotaEngine before = queues.engine().fork();
    queues.clusterQueue(name, cpu, members);
    ClusterQueue edited = requireNonNull(queues.snapshot().clusterQueue(name));
    assertThat(before.snapshot(queues.now()).clusterQueue(name)).isNotEqualTo(edited);
    return Change.upserted(ObjectKind.CLUSTER_QUEUE, edited);
  }

  private Optional<List<String>> losses(
      String queue, int cpu, String members, BooleanSupplier goOn) {
    QuotaEngine engine = queues.engine().fork();
    return QuotaEdit.losses(engine, edited(queue, cpu, members), queues.now(), goOn)
        .map(all -> all.stream().map(it -> it.workload().key().toString()).sorted().toList());
  }

  @Test
  void aCutTakesNothingWhereNobodyWaitsForIt() {
    queues.workload("a", "holds", "own", 3, "");
    queues.rest();

    assertThat(losses("owner", 1, RECLAIMS, () -> true)).contains(List.of());
  }

  @Test
  void namesABorrowerOfAnotherQueueThatLosesQuotaToAHigherNominalQuota() {
    queues.workload("b", "borrows", "borrow", 4, "");
    queues.rest();
    queues.workload("a", "waits", "own", 6, "");
    queues.rest();

    assertThat(losses("owner", 6, RECLAIMS, () -> true)).contains(List.of("b/borrows"));
  }

  @Test
  void namesAllThatAStopDrains() {
    queues.workload("a", "first", "own", 1, "");
    queues.workload("a", "second", "own", 1, "");
    queues.rest();

    assertThat(losses("owner", 4, RECLAIMS + "'stopPolicy':'HoldAndDrain',", () -> true))
        .contains(List.of("a/first", "a/second"));
  }

  @Test
  void doesNotNameThoseThatLoseQuotaWithoutTheEdit() {
    queues.workload("b", "borrows", "borrow", 4, "");
    queues.rest();
    queues.workload("a", "waits", "own", 4, ""); // nothing is decided about it yet

    assertThat(losses("owner", 5, RECLAIMS, () -> true)).contains(List.of());
  }

  @Test
  void saysNothingOnceTheTimeIsOver() {
    queues.workload("a", "holds", "own", 3, "");
    List<String> asked = new ArrayList<>();

    assertThat(losses("owner", 1, RECLAIMS, () -> asked.add("") && asked.size() < 2)).isEmpty();
  }
}
