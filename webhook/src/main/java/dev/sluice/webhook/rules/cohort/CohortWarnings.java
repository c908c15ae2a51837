package dev.sluice.webhook.rules.cohort;

import dev.sluice.api.ApiKind;
import dev.sluice.api.GroupKind;
import dev.sluice.rules.Field;
import dev.sluice.rules.RuleInput;
import dev.sluice.rules.ValidationResult;
import dev.sluice.rules.ValueText;
import dev.sluice.rules.view.ClusterView;
import dev.sluice.webhook.rules.references.References;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Collectors;

/** What is allowed in a Cohort, for others may come later, and stops queues while it lasts. */
final class CohortWarnings {
  private static final int MAX_SHOWN = 5;
  private static final int MAX_GROUPS = 16;
  private static final int MAX_FLAVORS = 64;

  private CohortWarnings() {}

  static void check(RuleInput input, ValidationResult findings) {
    Field spec = input.root().child("spec");
    warnOfCycle(input, spec.child("parentName"), findings);
    References references = References.of(input);
    for (Field group : spec.child("resourceGroups").items(MAX_GROUPS)) {
      for (Field flavor : group.child("flavors").items(MAX_FLAVORS)) {
        references.warnIfMissing(
            flavor.child("name"), ApiKind.RESOURCE_FLAVOR, "its quota is of no use", findings);
      }
    }
  }

  private static void warnOfCycle(RuleInput input, Field parentName, ValidationResult findings) {
    String self = input.name().orElse("");
    Set<String> ancestors = ancestors(input.world().view(), parentName.text().orElse(""), self);
    if (ancestors.contains(self) && !ancestors.iterator().next().equals(self)) {
      findings.warn(
          "%s: closes the cycle %s: its queues admit nothing while it lasts"
              .formatted(
                  parentName.path(),
                  ancestors.stream()
                      .limit(MAX_SHOWN)
                      .map(ValueText::quoted)
                      .collect(Collectors.joining(", "))));
    }
  }

  /** Parent, grandparent and so on, until one was met before or there are no more. */
  private static Set<String> ancestors(ClusterView view, String parent, String self) {
    GroupKind cohorts = ApiKind.COHORT.groupKind();
    Set<String> met = new LinkedHashSet<>();
    String next = parent;
    while (!next.isEmpty() && met.add(next) && !next.equals(self)) {
      next =
          view.find(cohorts, "", next)
              .map(it -> it.path("spec").path("parentName").asText())
              .orElse("");
    }
    return met;
  }
}
