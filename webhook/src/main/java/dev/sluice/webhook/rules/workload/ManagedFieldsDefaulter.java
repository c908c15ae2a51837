package dev.sluice.webhook.rules.workload;

import dev.sluice.jobs.plan.Writes;
import dev.sluice.rules.Defaulter;
import dev.sluice.rules.PatchRecorder;
import dev.sluice.rules.RuleInput;
import dev.sluice.rules.ValidationResult;

/**
 * Drops {@code metadata.managedFields} of a Workload that is created. The API server does not track
 * the owners of fields in later updates of an object that has none, which saves it processor time
 * with each of them. The first server-side apply brings the field back: what was there before
 * belongs to {@code before-first-apply} then. See {@code
 * docs/contributing/decisions/0023-managed-fields.md}.
 */
public final class ManagedFieldsDefaulter implements Defaulter {
  @Override
  public void apply(RuleInput input, PatchRecorder draft, ValidationResult findings) {
    boolean drops =
        switch (input.world().settings().dropManagedFields()) {
          case ALL -> true;
          case SCHEDULER -> input.request().fieldManager().equals(Writes.MANAGER);
          case NONE -> false;
        };
    if (drops) {
      draft.remove("metadata", "managedFields");
    }
  }
}
