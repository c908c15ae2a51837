package dev.sluice.webhook.rules.workload;

import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.rules.Defaulter;
import dev.sluice.rules.PatchRecorder;
import dev.sluice.rules.RuleInput;
import dev.sluice.rules.ValidationResult;

/** Takes away the wish to be admitted with fewer pods where that feature is off. */
public final class PartialAdmissionDefaulter implements Defaulter {
  @Override
  public void apply(RuleInput input, PatchRecorder draft, ValidationResult findings) {
    if (!input.world().settings().isOn(FeatureGate.PARTIAL_ADMISSION)) {
      int count = new WorkloadView(draft.root()).podSets().size();
      for (int i = 0; i < count; i++) {
        draft.remove("spec", "podSets", Integer.toString(i), "minCount");
      }
    }
  }
}
