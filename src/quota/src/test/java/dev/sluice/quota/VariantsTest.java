package dev.sluice.quota;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.configuration.FeatureGates;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.quota.decision.Decision;
import dev.sluice.quota.decision.Outcome;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Workloads that are tried on each flavor at once, under concurrent admission. */
class VariantsTest {
  private static final String PARENT =
      "'labels':{'kueue.x-k8s.io/concurrent-admission-parent':'true'}";

  private final TestCluster cluster =
      new TestCluster(
          EngineConfiguration.defaults()
              .withGates(FeatureGates.DEFAULT.with(FeatureGate.CONCURRENT_ADMISSION, true)));

  private void queue(String migration) {
    cluster.flavor("a").flavor("b").flavor("c");
    cluster.queue(
        "q",
        "'concurrentAdmissionPolicy':{'migration':{%s}},".formatted(migration)
            + TestCluster.groups(TestCluster.quota("cpu", "a 2", "b 2", "c 2")));
  }

  private static String variantOf(String flavor) {
    return """
    'annotations':{'kueue.x-k8s.io/workload-allowed-resource-flavors':'%s'},
    'ownerReferences':[{'apiVersion':'kueue.x-k8s.io/v1beta2','kind':'Workload','name':'w',
    'uid':'uid-w','controller':true}]\
    """
        .formatted(flavor);
  }

  private void running(String flavor) {
    cluster
        .workload("on-" + flavor, "q")
        .metadata(variantOf(flavor))
        .cpu("2")
        .status(
            """
            'admission':{'clusterQueue':'q','podSetAssignments':[{'name':'main','count':1,
            'flavors':{'cpu':'%s'},'resourceUsage':{'cpu':'2'}}]},'conditions':[
            {'type':'QuotaReserved','status':'True','reason':'QuotaReserved','message':'',
            'lastTransitionTime':'2026-01-01T11:00:00Z'},{'type':'Admitted','status':'True',
            'reason':'Admitted','message':'','lastTransitionTime':'2026-01-01T11:00:00Z'}]\
            """
                .formatted(flavor))
        .put();
  }

  private Decision decision(String workload) {
    return cluster.cycle().outcomes().stream()
        .filter(it -> it.workload().equals(TestCluster.key(workload)))
        .map(Outcome::decision)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void whatIsNotSplitYetWaitsForThat() {
    queue("'mode':'TryPreferredFlavors'");
    cluster.workload("w", "q").cpu("1").put();

    cluster.cycle();

    assertThat(cluster.conditions("w")).containsEntry("QuotaReserved", "False PendingEvaluation");
    assertThat(cluster.inadmissible("q")).containsExactly("w");
  }

  @Test
  void whatIsSplitIsNotQueuedAndHoldsNoQuotaThoughItHasAnAdmission() {
    queue("'mode':'TryPreferredFlavors'");
    cluster.workload("waits", "q").metadata(PARENT).cpu("2").put();
    cluster.workload("runs", "q").metadata(PARENT).cpu("2").holding("a", "2", 10).put();
    cluster.workload("variant", "q").metadata(variantOf("a")).cpu("2").put();

    cluster.cycle();

    assertThat(cluster.pending("q")).isEmpty();
    assertThat(cluster.inadmissible("q")).isEmpty();
    assertThat(cluster.flavorOf("variant")).isEqualTo("a");
  }

  @ParameterizedTest(name = "{0}: on {1}, could be on {2}: moves {3}")
  @CsvSource({
    "'''mode'':''TryPreferredFlavors''', b, a, true",
    "'''mode'':''RetainFirstAdmission''', b, a, false",
    "'''mode'':''TryPreferredFlavors'',''constraints'':{''lastAcceptableFlavorName'':''a''}', c, b,"
        + " false",
    "'''mode'':''TryPreferredFlavors'',''constraints'':{''lastAcceptableFlavorName'':''a''}', c, a,"
        + " true"
  })
  void aVariantOnABetterFlavorMovesTheWorkloadIfThatIsWorthIt(
      String migration, String now, String then, boolean moves) {
    queue(migration);
    running(now);
    cluster.workload("better", "q").metadata(variantOf(then)).cpu("2").put();

    assertThat(decision("better"))
        .isInstanceOf(moves ? Decision.Migrating.class : Decision.KeptBack.class);
    assertThat(cluster.conditions("on-" + now).getOrDefault("Evicted", "no"))
        .isEqualTo(moves ? "True FlavorMigration" : "no");
  }
}
