package dev.sluice.quota;

import static dev.sluice.quota.TestCluster.groups;
import static dev.sluice.quota.TestCluster.quota;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.configuration.FeatureGates;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.quota.decision.Decision;
import dev.sluice.quota.decision.Refusal;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which flavor serves a workload, and what is said when none does. */
class FlavorSearchTest {
  private static final String TAINTED =
      "{'nodeTaints':[{'key':'spot','value':'yes','effect':'NoSchedule'}]}";

  private final TestCluster cluster = TestCluster.classical().flavor("one").flavor("two");

  private static String two(String one, String two) {
    return groups(quota("cpu", "one " + one, "two " + two));
  }

  private static String fungibility(
      String whenCanBorrow, String whenCanPreempt, String preference) {
    String more = preference.isEmpty() ? "" : ",'preference':'" + preference + "'";
    return ",'flavorFungibility':{'whenCanBorrow':'%s','whenCanPreempt':'%s'%s}"
        .formatted(whenCanBorrow, whenCanPreempt, more);
  }

  private String served() {
    cluster.cycle();
    return cluster.reserved("new") ? cluster.flavorOf("new") : "none";
  }

  /** A workload whose pods go to nodes for which one of the terms holds. */
  private void waitsFor(String terms) {
    cluster
        .workload("new", "q")
        .podSet(
            "main",
            1,
            "",
            "{'cpu':'1'}",
            ",'affinity':{'nodeAffinity':{'requiredDuringSchedulingIgnoredDuringExecution':"
                + "{'nodeSelectorTerms':[%s]}}}".formatted(terms))
        .put();
  }

  @Test
  void aTaintThatIsNotToleratedMovesOnToTheNextFlavor() {
    cluster.flavor("one", TAINTED).queue("q", two("9", "9")).waiting("new", "q", 0, "1");

    assertThat(served()).isEqualTo("two");
  }

  @Test
  void theRefusalNamesTheTaint() {
    cluster.flavor("one", TAINTED).queue("q", two("9", "1")).waiting("new", "q", 0, "2");

    cluster.cycle();

    assertThat(cluster.get("new").status().conditions())
        .filteredOn(c -> c.type().equals("QuotaReserved"))
        .singleElement()
        .satisfies(
            c ->
                assertThat(c.message())
                    .startsWith("couldn't assign flavors to pod set main: ")
                    .contains("untolerated taint {spot=yes:NoSchedule}")
                    .contains(
                        "insufficient quota for cpu in flavor two, request > maximum capacity (2 >"
                            + " 1)"));
    assertThat(cluster.conditions("new"))
        .containsEntry("QuotaReserved", "False ExceedsMaxQuota")
        .containsEntry("Admitted", "False NoReservation");
  }

  @Test
  void saysHowMuchMoreIsNeededInTheWordsOfKueue() {
    cluster.queue("q", groups(quota("cpu", "one 3")));
    cluster.workload("runs", "q").cpu("2").holding("one", "2", 60).put();
    cluster.waiting("new", "q", 0, "3");

    cluster.cycle();

    assertThat(cluster.get("new").status().condition("QuotaReserved").orElseThrow().message())
        .isEqualTo(
            "couldn't assign flavors to pod set main: insufficient unused quota for cpu in flavor"
                + " one, 2 more needed (3 requested, 1 free; short in ClusterQueue q)");
  }

  @ParameterizedTest
  @CsvSource({"'{}', one", "'{''nodeLabels'':{''zone'':''b''}}', two"})
  void onlyLabelsThatTheFlavorHasAreCompared(String flavorOne, String expected) {
    cluster
        .flavor("one", flavorOne.replace("''", "'"))
        .flavor("two", "{'nodeLabels':{'zone':'a'}}")
        .queue("q", two("9", "9"));
    cluster
        .workload("new", "q")
        .podSet("main", 1, "", "{'cpu':'1'}", ",'nodeSelector':{'zone':'a','disk':'ssd'}")
        .put();

    assertThat(served()).isEqualTo(expected);
  }

  @ParameterizedTest(name = "{0} {1}")
  @CsvSource({
    "Gt, '[''many'']', 'zone Gt [many] (expected: one integer)'",
    "In, '[]',         'zone In [] (expected: at least one value)'",
    "Exists, '[''a'']', 'zone Exists [a] (expected: no values)'",
    "Like, '[''a'']', 'zone Like [a] (expected: the operator In, NotIn, Exists, DoesNotExist, Gt or"
        + " Lt)'",
  })
  void saysThatANodeAffinityCannotBeEvaluatedWhereTheFlavorHasTheLabel(
      String operator, String values, String problem) {
    cluster
        .flavor("one", "{'nodeLabels':{'zone':'a'}}")
        .flavor("two", "{'nodeLabels':{'zone':'b'}}")
        .queue("q", two("9", "9"));
    waitsFor(
        "{'matchExpressions':[{'key':'zone','operator':'%s','values':%s}]}"
            .formatted(operator, values));

    assertThat(served()).isEqualTo("none");
    assertThat(cluster.conditions("new")).containsEntry("QuotaReserved", "False NoMatchingFlavor");
    assertThat(cluster.get("new").status().condition("QuotaReserved").orElseThrow().message())
        .contains("flavor one: node affinity cannot be evaluated: " + problem);
  }

  /** The flavor has no label {@code disk}, so a term of it alone is for any node. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "                                                                                | one",
        "{'matchExpressions':[{'key':'disk','operator':'In','values':['ssd']}]}          | one",
        "{'matchExpressions':[{'key':'zone','operator':'Like','values':['a']}]},{'matchExpressions':[{'key':'disk','operator':'Exists'}]}"
            + "                                    | one",
        "{'matchExpressions':[{'key':'zone','operator':'In','values':['b']}]},{'matchExpressions':[]}"
            + "                                                                         | one",
        "{'matchExpressions':[{'key':'zone','operator':'In','values':['b']}]}            | none",
      },
      quoteCharacter = '`')
  void aTermThatSaysNothingOfTheFlavorsLabelsHoldsOnAnyNode(
      @Nullable String terms, String expected) {
    cluster.flavor("one", "{'nodeLabels':{'zone':'a'}}").queue("q", groups(quota("cpu", "one 9")));
    waitsFor(terms == null ? "" : terms);

    assertThat(served()).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({"TryNextFlavor, two", "MayStopSearch, one"})
  void borrowingOnTheFirstOrOwningOnTheSecond(String whenCanBorrow, String expected) {
    cluster
        .queue(
            "q",
            two("0", "1") + ",'cohortName':'c'" + fungibility(whenCanBorrow, "TryNextFlavor", ""))
        .queue("lender", two("9", "9") + ",'cohortName':'c'")
        .waiting("new", "q", 0, "1");

    assertThat(served()).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({"TryNextFlavor, two", "MayStopSearch, none"})
  void preemptingOnTheFirstOrFittingOnTheSecond(String whenCanPreempt, String expected) {
    cluster
        .queue(
            "q",
            two("1", "1")
                + ",'preemption':{'withinClusterQueue':'LowerPriority'}"
                + fungibility("MayStopSearch", whenCanPreempt, ""))
        .workload("low", "q")
        .cpu("1")
        .holding("one", "1", 60)
        .put()
        .waiting("new", "q", 5, "1");

    assertThat(served()).isEqualTo(expected);
    assertThat(cluster.conditions("low").containsKey("Preempted"))
        .isEqualTo(expected.equals("none"));
  }

  @ParameterizedTest
  @CsvSource({"TryNextFlavor", "MayStopSearch"})
  void aFlavorWithoutCandidatesIsNeverWorthStoppingFor(String whenCanPreempt) {
    cluster
        .queue(
            "q",
            two("1", "1")
                + ",'preemption':{'withinClusterQueue':'LowerPriority'}"
                + fungibility("MayStopSearch", whenCanPreempt, ""))
        .workload("high", "q")
        .priority(9)
        .cpu("1")
        .holding("one", "1", 60)
        .put()
        .waiting("new", "q", 5, "1");

    assertThat(served()).isEqualTo("two");
  }

  @ParameterizedTest
  @CsvSource({
    "TryNextFlavor, '', one, false",
    "TryNextFlavor, PreemptionOverBorrowing, none, true",
    "MayStopSearch, PreemptionOverBorrowing, one, false"
  })
  void thePreferenceWeighsBorrowingAgainstReclaiming(
      String whenCanBorrow, String preference, String expected, boolean reclaims) {
    cluster
        .queue(
            "q",
            two("0", "1")
                + ",'cohortName':'c','preemption':{'reclaimWithinCohort':'Any'}"
                + fungibility(whenCanBorrow, "TryNextFlavor", preference))
        .queue("other", two("1", "0") + ",'cohortName':'c'")
        .workload("borrower", "other")
        .cpu("1")
        .holding("two", "1", 60)
        .put()
        .waiting("new", "q", 0, "1");

    assertThat(served()).isEqualTo(expected);
    assertThat(cluster.conditions("borrower").containsKey("Preempted")).isEqualTo(reclaims);
  }

  @Test
  void aResourceNobodyCoversIsIgnoredWhenNothingOfItIsRequested() {
    cluster.queue("q", two("9", "9"));
    cluster.workload("new", "q").pods(1, "{'cpu':'1','example.com/gpu':'0'}").put();
    cluster.workload("more", "q").pods(1, "{'cpu':'1','example.com/gpu':'1'}").put();

    assertThat(served()).isEqualTo("one");
    cluster.cycle();
    assertThat(cluster.conditions("more")).containsEntry("QuotaReserved", "False NoMatchingFlavor");
  }

  @Test
  void theFirstGroupThatFailsGivesTheReason() {
    cluster
        .flavor("one", TAINTED)
        .queue("q", groups(quota("cpu", "one 9"), quota("memory", "two 1Gi")));
    cluster.workload("new", "q").pods(1, "{'cpu':'1','memory':'2Gi'}").put();

    cluster.cycle();

    assertThat(cluster.conditions("new")).containsEntry("QuotaReserved", "False ExceedsMaxQuota");
  }

  @Test
  void requestsTooLargeToCountSaturate() {
    cluster.queue("q", groups(quota("memory", "one 8E")));
    cluster
        .workload("new", "q")
        .podSet("a", 1, "", "{'memory':'4611686018427387904'}", "")
        .podSet("b", 1, "", "{'memory':'4611686018427387904'}", "")
        .put();

    cluster.cycle();

    assertThat(cluster.conditions("new")).containsEntry("QuotaReserved", "False ExceedsMaxQuota");
  }

  @Test
  void anUnlimitedQuotaServesAnyRequest() {
    cluster.queue("q", two("1E", "0")).waiting("new", "q", 0, "9223372036854774");

    assertThat(served()).isEqualTo("one");
  }

  @Test
  void podsAreCountedWhereTheQueueCoversThem() {
    cluster.queue("q", groups(quota("cpu", "one 9"), quota("pods", "one 2")));
    cluster.workload("new", "q").pods(3, "{'cpu':'1'}").put();
    cluster.cycle();
    assertThat(cluster.conditions("new")).containsEntry("QuotaReserved", "False ExceedsMaxQuota");

    cluster.workload("new", "q").pods(2, "{'cpu':'1'}").put();

    assertThat(served()).isEqualTo("one");
  }

  @Test
  void aDecisionSaysHowMuchIsMissingAndWhere() {
    cluster
        .queue("q", two("4", "0") + ",'cohortName':'c'")
        .workload("old", "q")
        .cpu("3")
        .holding("one", "3", 60)
        .put()
        .waiting("new", "q", 0, "2");

    Decision decision = cluster.cycle().outcomes().getFirst().decision();

    assertThat(decision).isInstanceOf(Decision.Waiting.class);
    assertThat(((Decision.Waiting) decision).assignment().podSets().getFirst().refusals())
        .contains(
            new Refusal.Lacking("one", "cpu", 2000, 1000, "Cohort c"),
            new Refusal.TooLarge("two", "cpu", 2000, 0));
  }

  @ParameterizedTest
  @CsvSource({"62, '20 16 26'", "80, '20 20 40'", "40, '20 10 10'", "39, ''"})
  void withTooLittleForAllFewerPodsStart(int quota, String counts) {
    cluster.queue("q", groups(quota("cpu", "one " + quota)));
    cluster
        .workload("new", "q")
        .podSet("a", 20, "", "{'cpu':'1'}", "")
        .podSet("b", 20, ",'minCount':10", "{'cpu':'1'}", "")
        .podSet("c", 40, ",'minCount':10", "{'cpu':'1'}", "")
        .put();

    cluster.cycle();

    var admission = cluster.get("new").status().admission();
    String found =
        admission == null
            ? ""
            : String.join(
                " ",
                admission.podSetAssignments().stream()
                    .map(p -> String.valueOf(p.count()))
                    .toList());
    assertThat(found).isEqualTo(counts);
  }

  @ParameterizedTest
  @CsvSource({"true, two", "false, one"})
  void whoIsOvertakenGoesOnWithTheNextFlavorWhereFlavorsAreFungible(boolean gate, String flavor) {
    var own =
        new TestCluster(
                EngineConfiguration.defaults()
                    .withGates(FeatureGates.DEFAULT.with(FeatureGate.FLAVOR_FUNGIBILITY, gate)))
            .flavor("one")
            .flavor("two")
            .queue("fast", two("0", "0") + ",'cohortName':'c'")
            .queue("slow", two("0", "0") + ",'cohortName':'c'")
            .queue("lender", two("1", "1") + ",'cohortName':'c'")
            .waiting("rival", "fast", 0, "1")
            .waiting("new", "slow", 0, "1");
    own.cycle();
    assertThat(own.flavorOf("rival")).isEqualTo("one");
    assertThat(own.reserved("new")).isFalse();
    own.delete("rival");
    own.cycle();
    assertThat(own.flavorOf("new")).isEqualTo(flavor);
  }

  @ParameterizedTest
  @CsvSource({"2, one", "1, two"})
  void whoWasOvertakenLongAgoStartsOverOnceQuotaWasEdited(String edited, String flavor) {
    cluster
        .queue("fast", two("0", "0") + ",'cohortName':'c'")
        .queue("slow", two("0", "0") + ",'cohortName':'c'")
        .queue("lender", two("1", "1") + ",'cohortName':'c'")
        .waiting("rival", "fast", 0, "1")
        .waiting("new", "slow", 0, "1");
    cluster.cycle();
    assertThat(cluster.flavorOf("rival")).isEqualTo("one");

    cluster
        .queue("lender", two(edited, "1") + ",'cohortName':'c'")
        .waiting("before", "slow", 9, "7")
        .waiting("next", "slow", 9, "8");
    cluster.cycle();
    cluster.cycle();
    assertThat(cluster.reserved("new")).isFalse();
    cluster.cycle();

    assertThat(cluster.flavorOf("new")).isEqualTo(flavor);
  }

  @Test
  void twoUnlimitedQueuesMakeAnUnlimitedCohortThatServesAnyRequest() {
    cluster
        .queue("q", two("1E", "0") + ",'cohortName':'c'")
        .queue("r", two("1E", "0") + ",'cohortName':'c'")
        .waiting("first", "r", 0, "9223372036854774")
        .waiting("new", "q", 0, "9223372036854774");
    assertThat(served()).isEqualTo("one");
    assertThat(cluster.reserved("first")).isTrue();
    cluster.delete("first");
    cluster.delete("new");
    assertThat(cluster.engine().snapshot(cluster.now()).standing("q").values())
        .allSatisfy(s -> assertThat(s.used().value()).isZero());
  }

  /** The first set stops at flavor one, behind which the second one does not fit either. */
  @Test
  void aHeadThatFindsNothingInAnyFlavorDoesNotHoldUpTheNext() {
    cluster.queue("q", two("4", "4"));
    cluster
        .workload("large", "q")
        .podSet("main", 1, "", "{'cpu':'3'}", "")
        .podSet("side", 1, "", "{'cpu':'6'}", "")
        .put();
    cluster.waiting("small", "q", 0, "1");

    cluster.rest();

    assertThat(cluster.inadmissible("q")).containsExactly("large");
    assertThat(cluster.reserved("small")).isTrue();
  }

  @Test
  void nothingOfAResourceThatNoFlavorHasFits() {
    cluster.queue(
        "q",
        "'resourceGroups':[{'coveredResources':['cpu','gpu'],'flavors':[{'name':'one',"
            + "'resources':[{'name':'cpu','nominalQuota':'4'}]}]}]");
    cluster.workload("new", "q").podSet("main", 1, "", "{'cpu':'1','gpu':'0'}", "").put();

    assertThat(served()).isEqualTo("one");
  }
}
