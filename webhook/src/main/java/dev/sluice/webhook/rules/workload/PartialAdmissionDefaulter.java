package dev.sluice.webhook.rules.workload;

import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.webhook.rules.Defaulter;
import dev.sluice.webhook.rules.Draft;
import dev.sluice.webhook.rules.Findings;
import dev.sluice.webhook.rules.RuleInput;

/** Takes away the wish to be admitted with fewer pods where that feature is off. */
public final class PartialAdmissionDefaulter implements Defaulter {
  @Override
  public void apply(RuleInput input, Draft draft, Findings findings) {
    if (!input.world().settings().isOn(FeatureGate.PARTIAL_ADMISSION)) {
      int count = new WorkloadView(draft.root()).podSets().size();
      for (int i = 0; i < count; i++) {
        draft.remove("spec", "podSets", Integer.toString(i), "minCount");
      }
    }
  }
}
