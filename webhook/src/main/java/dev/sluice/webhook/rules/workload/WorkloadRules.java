package dev.sluice.webhook.rules.workload;

import dev.sluice.rules.AdmissionRules;
import dev.sluice.rules.Field;
import dev.sluice.rules.Ratchet;
import dev.sluice.rules.RuleInput;
import dev.sluice.rules.ValidationResult;
import dev.sluice.rules.gates.AdmissionGatedBy;
import dev.sluice.rules.settings.Settings;
import dev.sluice.webhook.rules.conditions.ConditionRules;
import java.util.Map;

/**
 * The rules of a Workload beyond its schema, in the order in which Kueue names several faults. They
 * are the same for writes of the object and of its status. Stored violations stay writable, or a
 * Workload could not even be finished.
 */
public final class WorkloadRules implements AdmissionRules {
  @Override
  public void check(RuleInput input, ValidationResult findings) {
    Map<String, Field> podSets = new WorkloadView(input.root()).podSetsByName();
    Settings settings = input.world().settings();
    Ratchet.check(input, findings, (root, found) -> PodSetRules.check(root, settings, found));
    AdmissionPresence.check(input, findings);
    Ratchet.check(
        input,
        findings,
        (root, found) -> {
          AdmissionRulesOfStatus.check(root, found);
          PlacementRules.check(root, podSets, found);
          ConditionRules.check(root.child("status").child("conditions"), found);
        });
    ReclaimablePods.check(input, findings);
    Ratchet.check(input, findings, CheckUpdates::check);
    AdmissionGatedBy.checkNew(input, findings);
    Ratchet.check(input, findings, (root, found) -> PriorityBoost.check(root, settings, found));
    input.oldRoot().ifPresent(old -> WorkloadChange.check(old, input, findings));
    AdmissionGatedBy.check(input, findings);
    WorkloadWarnings.check(input, findings);
    QuotaRules.fence(input, findings);
  }
}
