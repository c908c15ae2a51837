package dev.sluice.webhook.rules.quota;

import static dev.sluice.webhook.rules.quota.ResourceGroupShape.MAX_GROUPS;
import static dev.sluice.webhook.rules.quota.ResourceGroupShape.MAX_ITEMS;

import com.fasterxml.jackson.databind.node.IntNode;
import dev.sluice.api.Quantity;
import dev.sluice.api.names.LabelKey;
import dev.sluice.rules.Field;
import dev.sluice.rules.FieldError;
import dev.sluice.rules.ValidationResult;
import dev.sluice.rules.ValueText;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What {@code spec.resourceGroups} must be beyond its {@link ResourceGroupShape}: each resource and
 * flavor once, resources in the order the group covers them, quantities that make sense, limits
 * only with a cohort to borrow from. Values of a wrong type are skipped here.
 */
public final class ResourceGroupRules {
  private static final int MAX_FLAVORS = 256;
  private static final int MAX_RESOURCES = 256;
  private static final int MAX_COMBINATIONS = 512;

  private final QuotaOwner owner;

  public ResourceGroupRules(QuotaOwner owner) {
    this.owner = owner;
  }

  /** Reports each deviation at its path, group by group; the totals are checked elsewhere. */
  public void check(Field spec, ValidationResult findings) {
    boolean alone = spec.child(owner.parentField()).text().orElse("").isEmpty();
    Set<String> resources = new HashSet<>();
    Set<String> flavors = new HashSet<>();
    for (Field group : groups(spec)) {
      List<Field> covered = group.child("coveredResources").items(MAX_ITEMS);
      covered.forEach(resource -> checkCovered(resource, resources, findings));
      for (Field flavor : group.child("flavors").items(MAX_ITEMS)) {
        checkQuotas(flavor, covered, alone, findings);
        checkOnce(flavor.child("name"), flavors, findings);
      }
    }
  }

  private static List<Field> groups(Field spec) {
    return spec.child("resourceGroups").items(MAX_GROUPS);
  }

  private static void checkCovered(Field resource, Set<String> seen, ValidationResult findings) {
    resource
        .text()
        .map(LabelKey::problems)
        .ifPresent(
            problems ->
                problems.forEach(
                    problem ->
                        findings.add(
                            FieldError.invalid(resource, "must be a resource name: " + problem))));
    checkOnce(resource, seen, findings);
  }

  private static void checkOnce(Field name, Set<String> seen, ValidationResult findings) {
    if (name.text().isPresent() && !seen.add(name.text().get())) {
      findings.add(FieldError.duplicate(name));
    }
  }

  private void checkQuotas(
      Field flavor, List<Field> covered, boolean alone, ValidationResult findings) {
    // resources beyond the covered ones are counted, and refused, by the shape
    List<Field> resources = flavor.child("resources").items(covered.size());
    for (int i = 0; i < resources.size(); i++) {
      checkName(resources.get(i).child("name"), covered.get(i), findings);
      checkQuota(resources.get(i), alone, findings);
    }
  }

  private static void checkName(Field name, Field covered, ValidationResult findings) {
    Optional<String> expected = covered.text();
    if (name.text().isPresent() && expected.isPresent() && !name.text().equals(expected)) {
      findings.add(
          FieldError.invalid(
              name, "must be " + ValueText.quoted(expected.get()) + ", as in " + covered.path()));
    }
  }

  private void checkQuota(Field resource, boolean alone, ValidationResult findings) {
    Amount nominal = Amount.of(resource.child("nominalQuota"));
    Amount lending = Amount.of(resource.child("lendingLimit"));
    checkNotNegative(nominal, findings);
    Amount borrowing = Amount.of(resource.child("borrowingLimit"));
    checkAlone(borrowing, alone, findings);
    checkNotNegative(borrowing, findings);
    checkNotNegative(lending, findings);
    checkAlone(lending, alone, findings);
    if (owner.isLimited()) {
      checkLending(lending, nominal, findings);
    }
  }

  /**
   * A quantity that is read once, for all rules that ask of it.
   *
   * @param value null where there is none that can be read
   */
  private record Amount(Field field, @Nullable Quantity value) {
    static Amount of(Field field) {
      return new Amount(field, field.quantity().orElse(null));
    }

    FieldError invalid(String detail) {
      return FieldError.invalidQuantity(field.path(), field, detail);
    }
  }

  private void checkAlone(Amount limit, boolean alone, ValidationResult findings) {
    if (alone && limit.value() != null) {
      findings.add(limit.invalid("must not be set while " + owner.parentField() + " is empty"));
    }
  }

  private static void checkNotNegative(Amount amount, ValidationResult findings) {
    if (amount.value() != null && amount.value().signum() < 0) {
      findings.add(amount.invalid("must not be less than 0"));
    }
  }

  private static void checkLending(Amount lending, Amount nominal, ValidationResult findings) {
    if (lending.value() != null
        && nominal.value() != null
        && lending.value().compareTo(nominal.value()) > 0) {
      findings.add(lending.invalid("must not be greater than the nominalQuota " + nominal.value()));
    }
  }

  /** Reports what is too much of all groups together, then of one group. */
  public void checkTotals(Field spec, ValidationResult findings) {
    int flavors = 0;
    int resources = 0;
    for (Field group : groups(spec)) {
      flavors += group.child("flavors").node().size();
      resources += group.child("coveredResources").node().size();
    }
    Field all = spec.child("resourceGroups");
    checkTotal(all, flavors, MAX_FLAVORS, "flavors in all groups", findings);
    checkTotal(all, resources, MAX_RESOURCES, "coveredResources in all groups", findings);
    for (Field group : groups(spec)) {
      checkTotal(group, combinations(group), MAX_COMBINATIONS, "flavor resources", findings);
    }
  }

  private static int combinations(Field group) {
    int combinations = 0;
    for (Field flavor : group.child("flavors").items(MAX_ITEMS)) {
      combinations += flavor.child("resources").node().size();
    }
    return combinations;
  }

  private void checkTotal(Field field, int total, int max, String what, ValidationResult findings) {
    if (total <= max) {
      return;
    }
    if (owner.isLimited()) {
      findings.add(
          FieldError.invalid(
              field.path(), IntNode.valueOf(total), "must have at most " + max + " " + what));
    } else {
      findings.warn(
          "%s: %d %s (a ClusterQueue may have at most %d)"
              .formatted(field.path(), total, what, max));
    }
  }
}
