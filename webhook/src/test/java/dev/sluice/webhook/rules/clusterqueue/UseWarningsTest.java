package dev.sluice.webhook.rules.clusterqueue;

import static dev.sluice.webhook.fence.Quotas.holding;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.rules.ReviewContext;
import dev.sluice.rules.Reviews;
import dev.sluice.rules.ValidationResult;
import dev.sluice.rules.quota.QuotaLoss;
import dev.sluice.rules.settings.GuardMode;
import dev.sluice.rules.settings.Settings;
import dev.sluice.rules.view.ClusterView;
import dev.sluice.webhook.fence.FencedQuotaView;
import dev.sluice.webhook.fence.Quotas;
import dev.sluice.webhook.rules.StandardReviews;
import java.util.List;
import org.junit.jupiter.api.Test;

class UseWarningsTest {
  private static final String QUOTA = "spec.resourceGroups[0].flavors[0].resources[0].nominalQuota";

  private final Quotas quotas = new Quotas().queue("a", "", 9, "");
  private final ReviewContext world =
      new ReviewContext(
          ClusterView.EMPTY,
          Settings.DEFAULT,
          new FencedQuotaView(
              EngineConfiguration.defaults(), GuardMode.DENY, quotas, System::nanoTime));

  private static JsonNode queue(int cpu, String members) {
    return Reviews.json(
        """
        {'metadata':{'name':'a'},'spec':{'namespaceSelector':{},'resourceGroups':[{
        'coveredResources':['cpu'],'flavors':[{'name':'f','resources':[{'name':'cpu',
        'nominalQuota':%d}]}]}]%s}}\
        """
            .formatted(cpu, members));
  }

  private List<String> warnings(JsonNode now) {
    ValidationResult findings =
        StandardReviews.check(ApiKind.CLUSTER_QUEUE, Reviews.update(queue(9, ""), now, world));
    assertThat(findings.refuse()).isFalse();
    return findings.warnings();
  }

  @Test
  void namesThoseWhoWouldBeTheFirstToGiveBackWhatIsMissing() {
    quotas.see(holding("first", 1, "a", 2));
    quotas.see(holding("second", 1, "a", 3));

    assertThat(warnings(queue(4, "")))
        .containsExactly(
            QUOTA
                + ": less than the 5 in use: 1 must be borrowed or is taken back, first from"
                + " n/first (2)");
    assertThat(warnings(queue(1, "")))
        .containsExactly(
            QUOTA
                + ": less than the 5 in use: 4 must be borrowed or is taken back, first from"
                + " n/first (2), n/second (3)");
    assertThat(warnings(queue(5, ""))).isEmpty();
    assertThat(warnings(queue(20, ""))).isEmpty();
  }

  @Test
  void namesAFewOfMany() {
    for (int i = 0; i < 9; i++) {
      quotas.see(holding("w" + i, 1, "a", 1));
    }

    assertThat(warnings(queue(0, "")))
        .singleElement()
        .asString()
        .endsWith("n/w0 (1), n/w1 (1), n/w2 (1), n/w3 (1), n/w4 (1) and 4 more");
  }

  @Test
  void namesThoseWhoseFlavorGoes() {
    quotas.see(holding("first", 1, "a", 2));

    assertThat(warnings(Reviews.json("{'metadata':{'name':'a'},'spec':{'namespaceSelector':{}}}")))
        .containsExactly(
            "spec.resourceGroups: 2 of cpu in flavor f is in use, and no longer part of this queue:"
                + " n/first (2)");
  }

  @Test
  void namesThoseWhoLoseQuotaByTheEngineWhereItSaysSoInTime() {
    quotas.see(holding("first", 1, "a", 2));
    quotas.see(holding("second", 1, "a", 3));
    quotas.foresee(
        List.of(
            new QuotaLoss(new ObjectKey("other", "borrower"), false),
            new QuotaLoss(new ObjectKey("n", "second"), true)));

    assertThat(warnings(queue(4, "")))
        .containsExactly(
            QUOTA + ": less than the 5 in use: 1 must be borrowed or is taken back",
            "spec: with this, 2 workloads lose their quota at once: other/borrower, n/second (gets"
                + " quota again)");
    assertThat(warnings(queue(20, "")))
        .containsExactly(
            "spec: with this, 2 workloads lose their quota at once: other/borrower, n/second (gets"
                + " quota again)");
  }

  @Test
  void saysThatNobodyLosesQuotaAtOnceWhereThatIsSo() {
    quotas.see(holding("first", 1, "a", 2));
    quotas.foresee(List.of());

    assertThat(warnings(queue(1, "")))
        .containsExactly(
            QUOTA + ": less than the 2 in use: 1 must be borrowed or is taken back",
            "spec: no workload loses its quota at once");
    assertThat(warnings(queue(5, ""))).isEmpty();
  }

  @Test
  void namesThoseWhomAStopEvicts() {
    assertThat(warnings(queue(9, ",'stopPolicy':'HoldAndDrain'"))).isEmpty();
    quotas.see(holding("first", 1, "a", 2));

    assertThat(warnings(queue(9, ",'stopPolicy':'HoldAndDrain'")))
        .containsExactly("spec.stopPolicy: evicts all 1 workloads that have quota: n/first");
    assertThat(warnings(queue(9, ",'stopPolicy':'Hold'"))).isEmpty();
  }
}
