package dev.sluice.webhook.rules.priority;

import dev.sluice.webhook.rules.AdmissionRules;
import dev.sluice.webhook.rules.Findings;
import dev.sluice.webhook.rules.RuleInput;
import dev.sluice.webhook.rules.metadata.LongNames;

/** What a WorkloadPriorityClass must be beyond its schema: of a name that jobs can have. */
public final class WorkloadPriorityClassRules implements AdmissionRules {
  @Override
  public void check(RuleInput input, Findings findings) {
    LongNames.warn(input, "kueue.x-k8s.io/priority-class", findings);
  }
}
