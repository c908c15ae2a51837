package dev.sluice.conversion.kinds;

import static dev.sluice.api.ApiVersion.V1BETA1;
import static dev.sluice.api.ApiVersion.V1BETA2;

import dev.sluice.conversion.step.Contradiction;
import dev.sluice.conversion.step.FieldConversion;
import dev.sluice.conversion.step.VersionStep;
import dev.sluice.json.Json;
import dev.sluice.json.JsonArray;
import dev.sluice.json.JsonObject;
import java.util.List;

/**
 * ClusterQueue: the cohort got a longer name, the plain list of admission checks became a strategy
 * of one rule each, two words of the flavor search were replaced by one.
 */
final class ClusterQueueSteps {
  private static final String CHECKS = "admissionChecks";
  private static final String STRATEGY = "admissionChecksStrategy";
  private static final List<String> SPEC = List.of("spec");
  private static final List<String> FUNGIBILITY = List.of("spec", "flavorFungibility");

  static final List<VersionStep> ALL =
      List.of(
          new VersionStep(
              V1BETA1,
              V1BETA2,
              List.of(
                  new Contradiction("spec", "cohort", "cohortName"),
                  FieldConversion.renamed("cohort", SPEC, "cohort", "cohortName"),
                  new FieldConversion(
                      CHECKS,
                      SPEC,
                      List.of(CHECKS, STRATEGY),
                      ClusterQueueSteps::listToStrategy,
                      value -> value,
                      false),
                  FieldConversion.word("whenCanBorrow", FUNGIBILITY, "Borrow", "MayStopSearch"),
                  FieldConversion.word("whenCanPreempt", FUNGIBILITY, "Preempt", "MayStopSearch"),
                  FieldConversion.onlyInNewer(
                      "concurrentAdmissionPolicy", SPEC, "concurrentAdmissionPolicy"),
                  FieldConversion.derivedOnlyInOlder("pendingWorkloadsStatus", List.of("status")),
                  FieldConversion.derivedOnlyInOlder(
                      "admissionFairSharingStatus", List.of("status", "fairSharing")))));

  private ClusterQueueSteps() {}

  /** A list that names checks wins over a strategy beside it, as it always has. */
  private static JsonObject listToStrategy(JsonObject value) {
    JsonArray checks = value.array(CHECKS);
    JsonObject mapped = new JsonObject();
    if (checks == null || checks.size() == 0) {
      Json strategy = value.get(STRATEGY);
      if (strategy != null) {
        mapped.put(STRATEGY, strategy);
      }
      return mapped;
    }
    JsonArray rules = new JsonArray();
    for (int i = 0; i < checks.size(); i++) {
      JsonObject rule = new JsonObject();
      rule.put("name", checks.get(i));
      rules.add(rule);
    }
    JsonObject strategy = new JsonObject();
    strategy.put(CHECKS, rules);
    mapped.put(STRATEGY, strategy);
    return mapped;
  }
}
