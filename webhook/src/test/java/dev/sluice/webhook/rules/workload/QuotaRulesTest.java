package dev.sluice.webhook.rules.workload;

import static dev.sluice.webhook.fence.Quotas.holding;
import static dev.sluice.webhook.fence.Quotas.waiting;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiKind;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.rules.Denial;
import dev.sluice.rules.ReviewContext;
import dev.sluice.rules.Reviews;
import dev.sluice.rules.RuleInput;
import dev.sluice.rules.ValidationResult;
import dev.sluice.rules.settings.GuardMode;
import dev.sluice.rules.settings.Settings;
import dev.sluice.rules.view.ObjectView;
import dev.sluice.webhook.fence.FencedQuotaView;
import dev.sluice.webhook.fence.Quotas;
import dev.sluice.webhook.rules.StandardReviews;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class QuotaRulesTest {
  private final Quotas quotas = new Quotas().queue("a", "", 3, "");

  QuotaRulesTest() {
    for (String name : List.of("first", "second", "third")) {
      quotas.see(waiting(name, 1));
    }
  }

  private ReviewContext world(GuardMode mode) {
    return new ReviewContext(
        new ObjectView(
            Set.of(ApiKind.LOCAL_QUEUE.groupKind()),
            List.of(
                Reviews.json(
                    "{'apiVersion':'kueue.x-k8s.io/v1beta2','kind':'LocalQueue','metadata':{"
                        + "'name':'q','namespace':'n'},'spec':{'clusterQueue':'a'}}"))),
        Settings.DEFAULT,
        new FencedQuotaView(EngineConfiguration.defaults(), mode, quotas, System::nanoTime));
  }

  private ValidationResult write(GuardMode mode, String subresource, JsonNode object) {
    RuleInput.Request request = new RuleInput.Request("n", subresource, "", false);
    String name = object.at("/metadata/name").asText();
    return StandardReviews.check(
        ApiKind.WORKLOAD,
        new RuleInput(RuleInput.Operation.UPDATE, object, waiting(name, 1), request, world(mode)));
  }

  @Test
  void refusesAReservationThatOthersHaveMade() {
    quotas.see(holding("first", 2, "a", 2));

    assertThat(write(GuardMode.DENY, "status", holding("second", 1, "a", 2)).failure())
        .contains(
            new Denial(
                409,
                "Conflict",
                "status.admission: 2 of cpu in flavor f is not to be had in ClusterQueue a, where"
                    + " 1 is left: others have reserved the rest"));
    assertThat(write(GuardMode.DENY, "status", holding("third", 1, "a", 1)).refuse()).isFalse();
  }

  @Test
  void tellsNoNumbersOfAReservationThatNoViewConfirms() {
    assertThat(write(GuardMode.DENY, "status", holding("made-up", 1, "a", 4)).failure())
        .contains(
            new Denial(
                409,
                "Conflict",
                "status.admission: the reservation does not fit beside what others have reserved"));
  }

  @Test
  void refusesAReservationThatNoQuotaWillEverCover() {
    assertThat(write(GuardMode.DENY, "status", holding("first", 1, "a", 4)).failure())
        .hasValueSatisfying(it -> assertThat(it.code()).isEqualTo(403));
  }

  @Test
  void onlyWarnsOrLooksAwayWhereAnOperatorWantsThat() {
    JsonNode tooMuch = holding("first", 1, "a", 4);

    ValidationResult warned = write(GuardMode.WARN, "status", tooMuch);
    assertThat(warned.refuse()).isFalse();
    assertThat(warned.warnings())
        .anyMatch(it -> it.contains("is more than ClusterQueue a can ever have, 3"));
    assertThat(write(GuardMode.OFF, "status", tooMuch).warnings())
        .noneMatch(it -> it.contains("can ever have"));
    assertThat(write(GuardMode.DENY, "", tooMuch).refuse())
        .as("not a write of the status")
        .isFalse();
  }

  @Test
  void warnsOfAWorkloadThatIsNeverToBeAdmitted() {
    ObjectNode workload = (ObjectNode) waiting("large", 1);
    ((ObjectNode) workload.at("/spec/podSets/0/template/spec/containers/0"))
        .putObject("resources")
        .putObject("requests")
        .put("cpu", 4);

    ValidationResult findings =
        StandardReviews.check(
            ApiKind.WORKLOAD,
            new RuleInput(RuleInput.Operation.CREATE, workload, null, world(GuardMode.OFF)));

    assertThat(findings.refuse()).isFalse();
    assertThat(findings.warnings())
        .contains(
            "spec.podSets[0]: never to be admitted: 4 of cpu in flavor f is more than ClusterQueue"
                + " a can ever have, 3");
  }
}
