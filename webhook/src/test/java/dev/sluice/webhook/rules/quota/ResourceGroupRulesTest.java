package dev.sluice.webhook.rules.quota;

import static dev.sluice.rules.Reviews.faults;
import static dev.sluice.rules.Reviews.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.rules.Field;
import dev.sluice.rules.FieldError;
import dev.sluice.rules.ValidationResult;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a ClusterQueue is asked beyond a Cohort, whose own tests cover the common rules. */
class ResourceGroupRulesTest {
  private static final String RESOURCE = "spec.resourceGroups[0].flavors[0].resources[0]";

  @ParameterizedTest(name = "CQ-09 lending {0}")
  @CsvSource({"9, 0", "'9000m', 0", "0, 0", "'9001m', 1", "10, 1"})
  void lendsNoMoreThanTheQuota(String lending, int violations) {
    var findings = check("'cohortName':'c'", "'nominalQuota':9,'lendingLimit':'" + lending + "'");

    assertThat(faults(findings)).hasSize(violations);
    assertThat(faults(findings)).allMatch(it -> it.equals("INVALID " + RESOURCE + ".lendingLimit"));
  }

  @Test
  @DisplayName("CQ-05, CQ-08 limits need a cohortName")
  void namesTheFieldThatIsMissing() {
    var findings = check("'cohortName':''", "'nominalQuota':9,'borrowingLimit':1,'lendingLimit':0");

    assertThat(findings.violations())
        .extracting(FieldError::text)
        .containsExactly(
            RESOURCE
                + ".borrowingLimit: Invalid value: \"1\": must not be set while cohortName is"
                + " empty",
            RESOURCE
                + ".lendingLimit: Invalid value: \"0\": must not be set while cohortName is empty");
  }

  @Test
  @DisplayName("CQ-16, CQ-17 totals over all groups")
  void limitsTheTotals() {
    assertThat(totals(4, 64, 64, 1).violations()).isEmpty();
    assertThat(totals(5, 52, 52, 1).violations())
        .extracting(FieldError::text)
        .containsExactly(
            "spec.resourceGroups: Invalid value: 260: must have at most 256 flavors in all groups",
            "spec.resourceGroups: Invalid value: 260:"
                + " must have at most 256 coveredResources in all groups");
  }

  @Test
  @DisplayName("CQ-18 flavor resources of one group")
  void limitsTheCombinations() {
    assertThat(totals(1, 8, 64, 64).violations()).isEmpty();
    assertThat(totals(2, 9, 64, 57).violations())
        .extracting(FieldError::text)
        .containsExactly(
            "spec.resourceGroups[0]: Invalid value: 513: must have at most 512 flavor resources",
            "spec.resourceGroups[1]: Invalid value: 513: must have at most 512 flavor resources");
  }

  private static ValidationResult check(String member, String quotas) {
    return check(
        "{%s,'resourceGroups':[{'coveredResources':['cpu'],'flavors':[{'name':'f','resources':[{'name':'cpu',%s}]}]}]}"
            .formatted(member, quotas));
  }

  private static ValidationResult totals(int groups, int flavors, int covered, int resources) {
    return check(
        IntStream.range(0, groups)
            .mapToObj(
                i ->
                    "{'coveredResources':%s,'flavors':%s}"
                        .formatted(
                            each(covered, "'r" + i + "-%d'"),
                            each(
                                flavors,
                                "{'name':'f"
                                    + i
                                    + "-%d','resources':"
                                    + each(resources, "{}")
                                    + "}")))
            .collect(Collectors.joining(",", "{'resourceGroups':[", "]}")));
  }

  private static List<String> each(int count, String pattern) {
    return IntStream.range(0, count).mapToObj(i -> pattern.replace("%d", "" + i)).toList();
  }

  private static ValidationResult check(String spec) {
    var findings = new ValidationResult();
    var rules = new ResourceGroupRules(QuotaOwner.CLUSTER_QUEUE);
    Field field = Field.root(json("{'spec':" + spec + "}")).child("spec");
    rules.check(field, findings);
    rules.checkTotals(field, findings);
    return findings;
  }
}
