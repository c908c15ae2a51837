package dev.sluice.webhook.rules.priority;

import dev.sluice.api.vocabulary.Labels;
import dev.sluice.rules.AdmissionRules;
import dev.sluice.rules.RuleInput;
import dev.sluice.rules.ValidationResult;
import dev.sluice.rules.metadata.LongNames;

/** What a WorkloadPriorityClass must be beyond its schema: of a name that jobs can have. */
public final class WorkloadPriorityClassRules implements AdmissionRules {
  @Override
  public void check(RuleInput input, ValidationResult findings) {
    LongNames.warn(input, Labels.PRIORITY_CLASS, findings);
  }
}
