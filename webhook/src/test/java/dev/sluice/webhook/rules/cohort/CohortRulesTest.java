package dev.sluice.webhook.rules.cohort;

import static dev.sluice.api.ApiKind.COHORT;
import static dev.sluice.rules.Reviews.faults;
import static dev.sluice.rules.Reviews.json;
import static dev.sluice.rules.Reviews.object;
import static dev.sluice.webhook.rules.StandardReviews.onCreate;
import static dev.sluice.webhook.rules.StandardReviews.onUpdate;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.rules.FieldError;
import dev.sluice.rules.ValidationResult;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CohortRulesTest {
  private static final String GROUP = "spec.resourceGroups[0]";
  private static final String RESOURCE = GROUP + ".flavors[0].resources[0]";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "null",
        "{}",
        "{'fairSharing':{}}",
        "{'fairSharing':null}",
        "{'resourceGroups':[]}",
        "{'parentName':'a.b-c'}",
        "{'parentName':'no-such-cohort'}",
      })
  void accepts(String spec) {
    assertThat(onCreate(COHORT, object(spec)).violations()).isEmpty();
    assertThat(onUpdate(COHORT, object("{'parentName':'p'}"), object(spec)).violations()).isEmpty();
  }

  @Test
  void acceptsACohortWithoutSpec() {
    assertThat(onCreate(COHORT, json("{'metadata':{'name':'a'}}")).violations()).isEmpty();
  }

  @ParameterizedTest(name = "CO-01 (CQ-14, CQ-15) weight {0}")
  @ValueSource(strings = {"'0'", "0", "'2n'", "'1'", "1", "'1.5'", "'-0'"})
  void acceptsAWeight(String weight) {
    assertThat(faults(onCreate(COHORT, weight(weight)))).isEmpty();
  }

  @ParameterizedTest(name = "CO-01 (CQ-14, CQ-15) weight {0}")
  @ValueSource(strings = {"'-1'", "-1", "'-1n'", "'1n'", "'0.1n'", "'1e-9'"})
  void refusesAWeightOutOfRangeAtFairSharing(String weight) {
    assertThat(faults(onCreate(COHORT, weight(weight))))
        .containsExactly("INVALID spec.fairSharing");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          CQ-01 no resource name | 'coveredResources':['@cpu']      | 'name':'@cpu','nominalQuota':1           | INVALID %s.coveredResources[0]
          CQ-03 other name       | 'coveredResources':['cpu']       | 'name':'gpu','nominalQuota':1            | INVALID %s.flavors[0].resources[0].name
          CQ-04 negative quota   | 'coveredResources':['cpu']       | 'name':'cpu','nominalQuota':-1           | INVALID %s.flavors[0].resources[0].nominalQuota
          CQ-06 negative         | 'coveredResources':['cpu']       | 'name':'cpu','nominalQuota':1,'borrowingLimit':'-1m' | INVALID %s.flavors[0].resources[0].borrowingLimit
          CQ-07 negative         | 'coveredResources':['cpu']       | 'name':'cpu','nominalQuota':1,'lendingLimit':'-1m' | INVALID %s.flavors[0].resources[0].lendingLimit
          CQS-06 name missing    | 'coveredResources':['cpu']       | 'nominalQuota':1                         | REQUIRED %s.flavors[0].resources[0].name
          CQS-07 quota missing   | 'coveredResources':['cpu']       | 'name':'cpu'                             | REQUIRED %s.flavors[0].resources[0].nominalQuota
          CQS-07 no quantity     | 'coveredResources':['cpu']       | 'name':'cpu','nominalQuota':'many'       | INVALID %s.flavors[0].resources[0].nominalQuota
          CQS-08 no quantity     | 'coveredResources':['cpu']       | 'name':'cpu','nominalQuota':1,'borrowingLimit':'many' | INVALID %s.flavors[0].resources[0].borrowingLimit
          CQS-08 no quantity     | 'coveredResources':['cpu']       | 'name':'cpu','nominalQuota':1,'lendingLimit':{} | INVALID %s.flavors[0].resources[0].lendingLimit
          CQS-09 one of two      | 'coveredResources':['cpu','gpu'] | 'name':'cpu','nominalQuota':1            | INVALID %s
          CQS-02 absent          | 'x':1                            | 'name':'cpu','nominalQuota':1            | REQUIRED %s.coveredResources
          CQS-02 wrong type      | 'coveredResources':[1]           | 'name':'cpu','nominalQuota':1            | INVALID %s.coveredResources[0]
          """)
  void refusesAResourceGroup(String rule, String covered, String resource, String fault) {
    var cohort =
        object(
            "{'parentName':'p','resourceGroups':[{%s,'flavors':[{'name':'f','resources':[{%s}]}]}]}"
                .formatted(covered, resource));

    assertThat(faults(onCreate(COHORT, cohort))).containsExactly(fault.formatted(GROUP));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          wrong type         | {'resourceGroups':{}}                    | INVALID spec.resourceGroups
          wrong type         | {'resourceGroups':['x']}                 | INVALID spec.resourceGroups[0]
          wrong type         | {'fairSharing':[]}                       | INVALID spec.fairSharing
          wrong type         | {'fairSharing':{'weight':'word'}}        | INVALID spec.fairSharing.weight
          wrong type         | {'parentName':3}                         | INVALID spec.parentName
          parentName empty   | {'parentName':''}                        | INVALID spec.parentName
          parentName no name | {'parentName':'Not_A_Name'}              | INVALID spec.parentName
          OPP-07 own parent  | {'parentName':'a'}                       | INVALID spec.parentName
          CQS-03 absent      | {'resourceGroups':[{'coveredResources':['c']}]} | REQUIRED spec.resourceGroups[0].flavors
          CQS-03 empty       | {'resourceGroups':[{'coveredResources':['c'],'flavors':[]}]} | INVALID spec.resourceGroups[0].flavors
          CQS-03 wrong type  | {'resourceGroups':[{'coveredResources':['c'],'flavors':{}}]} | INVALID spec.resourceGroups[0].flavors
          CQS-05 absent      | {'resourceGroups':[{'coveredResources':['c'],'flavors':[{'name':'f'}]}]} | REQUIRED spec.resourceGroups[0].flavors[0].resources
          CQS-05 wrong type  | {'resourceGroups':[{'coveredResources':['c'],'flavors':[{'name':'f','resources':{}}]}]} | INVALID spec.resourceGroups[0].flavors[0].resources
          CQS-04 name absent | {'resourceGroups':[{'coveredResources':['c'],'flavors':[{'resources':[{'name':'c','nominalQuota':1}]}]}]} | REQUIRED spec.resourceGroups[0].flavors[0].name
          CQS-04 name empty  | {'resourceGroups':[{'coveredResources':['c'],'flavors':[{'name':'','resources':[{'name':'c','nominalQuota':1}]}]}]} | INVALID spec.resourceGroups[0].flavors[0].name
          """)
  void refusesASpec(String rule, String spec, String fault) {
    assertThat(faults(onCreate(COHORT, object(spec)))).containsExactly(fault);
  }

  @Test
  @DisplayName("CQS-01 17 groups")
  void refusesMoreThan16Groups() {
    assertThat(faults(onCreate(COHORT, groups(17, 1))))
        .containsExactly("TOO_MANY spec.resourceGroups");
  }

  @Test
  void limitsTheParentTo253Characters() {
    assertThat(faults(onCreate(COHORT, object("{'parentName':'" + "p".repeat(253) + "'}"))))
        .isEmpty();
    assertThat(faults(onCreate(COHORT, object("{'parentName':'" + "p".repeat(254) + "'}"))))
        .containsExactly("INVALID spec.parentName");
  }

  @Test
  @DisplayName("CQ-02, CQ-10 a resource and a flavor stand once in all groups")
  void refusesWhatStandsTwice() {
    String group =
        "{'coveredResources':['cpu'],'flavors':[{'name':'f','resources':[{'name':'cpu','nominalQuota':1}]}]}";

    assertThat(faults(onCreate(COHORT, object("{'resourceGroups':[" + group + "," + group + "]}"))))
        .containsExactly(
            "DUPLICATE spec.resourceGroups[1].coveredResources[0]",
            "DUPLICATE spec.resourceGroups[1].flavors[0].name");
  }

  @ParameterizedTest(name = "CO-03 {0}")
  @CsvSource({"borrowingLimit, 3", "borrowingLimit, 0", "lendingLimit, 1", "lendingLimit, 0"})
  void refusesALimitWithoutAParent(String limit, int value) {
    String limits = "'%s':%d".formatted(limit, value);

    assertThat(onCreate(COHORT, withLimits("'x':1", limits)).violations())
        .extracting(FieldError::text)
        .containsExactly(
            "%s.%s: Invalid value: \"%d\": must not be set while parentName is empty"
                .formatted(RESOURCE, limit, value));
    assertThat(faults(onCreate(COHORT, withLimits("'parentName':'p'", limits)))).isEmpty();
  }

  @Test
  @DisplayName("CO-04 lendingLimit may exceed nominalQuota")
  void acceptsLendingMoreThanTheQuota() {
    assertThat(faults(onCreate(COHORT, withLimits("'parentName':'p'", "'lendingLimit':99"))))
        .isEmpty();
  }

  @Test
  @DisplayName("CO-01 stands before CO-02 and CO-03")
  void reportsTheWeightFirst() {
    var cohort = withLimits("'fairSharing':{'weight':-1}", "'borrowingLimit':-3,'lendingLimit':1");

    assertThat(faults(onCreate(COHORT, cohort)))
        .containsExactly(
            "INVALID spec.fairSharing",
            "INVALID " + RESOURCE + ".borrowingLimit",
            "INVALID " + RESOURCE + ".borrowingLimit",
            "INVALID " + RESOURCE + ".lendingLimit");
  }

  @Test
  @DisplayName("CO-05, OPP-08 totals beyond those of a ClusterQueue warn")
  void warnsOfTotalsThatAClusterQueueCouldNotHave() {
    ValidationResult findings = onCreate(COHORT, groups(5, 60));

    assertThat(findings.violations()).isEmpty();
    assertThat(findings.warnings())
        .contains(
            "spec.resourceGroups: 300 flavors in all groups (a ClusterQueue may have at most 256)");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          CO-01 | {'fairSharing':{'weight':-1}}
          CO-03 | {'resourceGroups':[{'coveredResources':['c'],'flavors':[{'name':'f','resources':[{'name':'c','nominalQuota':1,'lendingLimit':1}]}]}]}
          """)
  void asksAnUpdateAsItAsksACreate(String rule, String spec) {
    assertThat(faults(onUpdate(COHORT, object(spec), object(spec))))
        .isEqualTo(faults(onCreate(COHORT, object(spec))))
        .isNotEmpty();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          OPP-07 own parent | {'parentName':'a'}
          parentName        | {'parentName':'Not_A_Name'}
          CQS-03            | {'resourceGroups':[{'coveredResources':['c'],'flavors':[]}]}
          """)
  void warnsOfAFaultThatWasThereBefore(String rule, String spec) {
    ValidationResult findings = onUpdate(COHORT, object(spec), object(spec));

    assertThat(findings.violations()).isEmpty();
    assertThat(findings.warnings())
        .hasSize(1)
        .allSatisfy(it -> assertThat(it).endsWith("(kept as it was before this update)"));
  }

  @Test
  @DisplayName("CO-06, OPP-07 the parent may change, but not to the Cohort itself")
  void letsTheParentChange() {
    var old = object("{'parentName':'p'}");

    assertThat(faults(onUpdate(COHORT, old, object("{'parentName':'q'}")))).isEmpty();
    assertThat(faults(onUpdate(COHORT, old, object("{'parentName':'a'}"))))
        .containsExactly("INVALID spec.parentName");
  }

  private static JsonNode weight(String weight) {
    return object("{'fairSharing':{'weight':" + weight + "}}");
  }

  private static JsonNode withLimits(String member, String limits) {
    return object(
        ("{%s,'resourceGroups':[{'coveredResources':['cpu'],'flavors':"
                + "[{'name':'f','resources':[{'name':'cpu','nominalQuota':9,%s}]}]}]}")
            .formatted(member, limits));
  }

  /** Each group covers one resource, with that many flavors. */
  private static JsonNode groups(int groups, int flavors) {
    return object(
        IntStream.range(0, groups)
            .mapToObj(i -> group(i, flavors))
            .collect(Collectors.joining(",", "{'resourceGroups':[", "]}")));
  }

  private static String group(int index, int flavors) {
    List<String> all =
        IntStream.range(0, flavors)
            .mapToObj(
                i ->
                    "{'name':'f%d-%d','resources':[{'name':'r%d','nominalQuota':1}]}"
                        .formatted(index, i, index))
            .toList();
    return "{'coveredResources':['r%d'],'flavors':%s}".formatted(index, all);
  }
}
