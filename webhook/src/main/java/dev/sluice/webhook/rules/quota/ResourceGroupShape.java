package dev.sluice.webhook.rules.quota;

import dev.sluice.api.names.Subdomain;
import dev.sluice.rules.Field;
import dev.sluice.rules.FieldError;
import dev.sluice.rules.ValidationResult;
import java.util.List;

/**
 * What the schema asks of {@code spec.resourceGroups}: types, members that must be there, lengths
 * of lists, names of flavors, and as many resources per flavor as the group covers.
 */
public final class ResourceGroupShape {
  static final int MAX_GROUPS = 16;
  static final int MAX_ITEMS = 64;

  private ResourceGroupShape() {}

  /** Reports each deviation at its path. */
  public static void check(Field spec, ValidationResult findings) {
    for (Field group : spec.child("resourceGroups").expectItems(MAX_GROUPS, findings)) {
      if (group.requireObject(findings)) {
        checkGroup(group, findings);
      }
    }
  }

  /** Reports only what is there and no quantity, at its path. */
  public static void checkQuantities(Field spec, ValidationResult findings) {
    for (Field group : spec.child("resourceGroups").items(MAX_GROUPS)) {
      for (Field flavor : group.child("flavors").items(MAX_ITEMS)) {
        for (Field resource : flavor.child("resources").items(MAX_ITEMS)) {
          resource.child("nominalQuota").expectQuantity(findings);
          checkLimits(resource, findings);
        }
      }
    }
  }

  private static void checkLimits(Field resource, ValidationResult findings) {
    resource.child("borrowingLimit").expectQuantity(findings);
    resource.child("lendingLimit").expectQuantity(findings);
  }

  private static void checkGroup(Field group, ValidationResult findings) {
    Field covered = group.child("coveredResources");
    covered
        .requireItems(MAX_ITEMS, findings)
        .forEach(name -> name.requireText("the name of a resource", findings));
    List<Field> flavors = group.child("flavors").requireItems(MAX_ITEMS, findings);
    for (Field flavor : flavors) {
      if (flavor.requireObject(findings)) {
        checkFlavor(flavor, findings);
      }
    }
    if (covered.node().isArray()) {
      checkCounts(group, covered.node().size(), flavors, findings);
    }
  }

  private static void checkFlavor(Field flavor, ValidationResult findings) {
    Field name = flavor.child("name");
    name.requireText("the name of a flavor", findings)
        .map(Subdomain::problems)
        .ifPresent(
            problems ->
                problems.forEach(problem -> findings.add(FieldError.invalid(name, problem))));
    for (Field resource : flavor.child("resources").requireItems(MAX_ITEMS, findings)) {
      if (resource.requireObject(findings)) {
        resource.child("name").requireText("the name of a resource", findings);
        resource.child("nominalQuota").requireQuantity(findings);
        checkLimits(resource, findings);
      }
    }
  }

  private static void checkCounts(
      Field group, int covered, List<Field> flavors, ValidationResult findings) {
    for (Field flavor : flavors) {
      Field resources = flavor.child("resources");
      if (resources.node().isArray() && resources.node().size() != covered) {
        findings.add(
            FieldError.invalid(
                group,
                "each flavor must list all %d coveredResources; %s has %d"
                    .formatted(covered, resources.path(), resources.node().size())));
        return;
      }
    }
  }
}
