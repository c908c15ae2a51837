package dev.sluice.webhook.rules.cohort;

import dev.sluice.api.names.Subdomain;
import dev.sluice.rules.AdmissionRules;
import dev.sluice.rules.Field;
import dev.sluice.rules.FieldError;
import dev.sluice.rules.Ratchet;
import dev.sluice.rules.RuleInput;
import dev.sluice.rules.ValidationResult;
import dev.sluice.webhook.rules.quota.FairSharingRules;
import dev.sluice.webhook.rules.quota.QuotaOwner;
import dev.sluice.webhook.rules.quota.ResourceGroupRules;
import dev.sluice.webhook.rules.quota.ResourceGroupShape;
import java.util.Optional;

/**
 * The rules of a Cohort. The rules on weight and quota check each update like a create, whatever
 * was stored; the others accept stored violations. A cycle of several Cohorts is no fault of one
 * object, so it gives a warning; a missing parent gives none.
 */
public final class CohortRules implements AdmissionRules {
  private static final ResourceGroupRules RESOURCE_GROUPS =
      new ResourceGroupRules(QuotaOwner.COHORT);

  @Override
  public void check(RuleInput input, ValidationResult findings) {
    Field spec = input.root().child("spec");
    FairSharingRules.checkWeight(spec, findings);
    RESOURCE_GROUPS.check(spec, findings);
    RESOURCE_GROUPS.checkTotals(spec, findings);
    Ratchet.check(input, findings, CohortRules::checkShape);
    if (!input.hasSameSpec()) {
      CohortWarnings.check(input, findings);
    }
  }

  private static void checkShape(Field root, ValidationResult findings) {
    Field spec = root.child("spec");
    if (spec.expectObject(findings)) {
      FairSharingRules.checkShape(spec, findings);
      checkParent(root, spec.child("parentName"), findings);
      ResourceGroupShape.check(spec, findings);
    }
  }

  private static void checkParent(Field root, Field parentName, ValidationResult findings) {
    Optional<String> parent = parentName.expectText(findings);
    parent.map(Subdomain::problems).stream()
        .flatMap(problems -> problems.stream())
        .forEach(problem -> findings.add(FieldError.invalid(parentName, problem)));
    if (parent.isPresent() && parent.equals(root.child("metadata").child("name").text())) {
      findings.add(
          FieldError.invalid(parentName, "must name another Cohort: no Cohort is its own parent"));
    }
  }
}
