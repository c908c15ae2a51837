package dev.sluice.webhook.rules.workload;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.configuration.Extensions.DropManagedFields;
import dev.sluice.rules.ReviewContext;
import dev.sluice.rules.Reviews;
import dev.sluice.rules.RuleInput;
import dev.sluice.rules.RuleInput.Operation;
import dev.sluice.rules.settings.Settings;
import dev.sluice.rules.view.ClusterView;
import dev.sluice.webhook.rules.StandardReviews;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ManagedFieldsDefaulterTest {
  private static final JsonNode TRACKED =
      Reviews.json(
          "{'metadata':{'name':'a','managedFields':[{'manager':'m'}]},'spec':{'podSets':[]}}");

  private static List<String> patch(DropManagedFields drops, String manager, Operation operation) {
    Settings defaults = Settings.DEFAULT;
    var settings =
        new Settings(
            defaults.manageJobsWithoutQueueName(),
            defaults.managedNamespaces(),
            defaults.frameworks(),
            defaults.externalFrameworks(),
            defaults.gates(),
            defaults.podGuard(),
            drops);
    return StandardReviews.patch(
        ApiKind.WORKLOAD,
        new RuleInput(
            operation,
            TRACKED,
            operation == Operation.UPDATE ? TRACKED : null,
            new RuleInput.Request("n", "", "somebody", false, manager),
            new ReviewContext(ClusterView.EMPTY, settings)));
  }

  @ParameterizedTest
  @CsvSource({
    "SCHEDULER, kueue, CREATE, true",
    "SCHEDULER, kueue, UPDATE, false",
    "SCHEDULER, kubectl-create, CREATE, false",
    "SCHEDULER, '', CREATE, false",
    "ALL, kubectl-create, CREATE, true",
    "ALL, '', CREATE, true",
    "ALL, kueue, UPDATE, false",
    "NONE, kueue, CREATE, false",
  })
  void areDroppedWhenTheWorkloadIsCreatedByWhomTheSettingNames(
      DropManagedFields drops, String manager, Operation operation, boolean isDropped) {
    List<String> patch = patch(drops, manager, operation);

    assertThat(patch.stream().anyMatch(it -> it.startsWith("remove /metadata/managedFields")))
        .isEqualTo(isDropped);
    assertThat(patch).allMatch(it -> it.startsWith("remove /metadata/managedFields"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"{'metadata':{'name':'a'}}", "{'metadata':7}", "{}", "[]"})
  void anObjectWithoutThemStaysAsItIs(String object) {
    assertThat(
            StandardReviews.patch(
                ApiKind.WORKLOAD,
                new RuleInput(
                    Operation.CREATE,
                    Reviews.json(object),
                    null,
                    new RuleInput.Request("n", "", "", false, "kueue"),
                    ReviewContext.UNKNOWN)))
        .isEmpty();
  }
}
