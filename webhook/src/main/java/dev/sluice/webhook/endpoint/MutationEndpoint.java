package dev.sluice.webhook.endpoint;

import dev.sluice.api.GroupVersionKind;
import dev.sluice.json.JsonSyntax;
import dev.sluice.rules.KindRules;
import dev.sluice.rules.PatchRecorder;
import dev.sluice.rules.ReviewContext;
import dev.sluice.rules.RuleInput;
import dev.sluice.rules.ValidationResult;
import io.micrometer.core.instrument.MeterRegistry;

/** Sets in objects of one kind what its defaulter sets. */
public final class MutationEndpoint extends AdmissionEndpoint {
  private static final String PHASE = "mutate";

  /** The endpoint of this kind. */
  public MutationEndpoint(
      KindRules rules, ReviewContext world, JsonSyntax syntax, MeterRegistry registry) {
    super(PHASE, rules, world, syntax, registry);
  }

  /** The path on which reviews of this kind come, as Kueue has it. */
  public static String path(GroupVersionKind kind) {
    return path(PHASE, kind);
  }

  @Override
  Answer check(AdmissionRequest request, RuleInput input, Deadline deadline) {
    var findings = new ValidationResult();
    PatchRecorder draft = rules().apply(input, findings);
    return conclude(request, input, findings, draft.edits());
  }
}
