package dev.sluice.webhook.rules.clusterqueue;

import dev.sluice.api.ApiKind;
import dev.sluice.api.Quantity;
import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.rules.Field;
import dev.sluice.rules.RuleInput;
import dev.sluice.rules.ValidationResult;
import dev.sluice.rules.ValueText;
import dev.sluice.webhook.rules.references.References;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What is allowed in a ClusterQueue and is seldom meant. */
final class ClusterQueueWarnings {
  private static final int MAX_STATUS_FLAVORS = 64;
  private static final int MAX_ITEMS = 256;
  private static final String IDLE = "the queue admits nothing until it exists";

  private ClusterQueueWarnings() {}

  static void check(RuleInput input, ValidationResult findings) {
    Field spec = input.root().child("spec");
    warnOfNamespaces(spec, findings);
    warnOfThreshold(spec.child("preemption").child("borrowWithinCohort"), findings);
    warnOfManyFlavors(spec, findings);
    warnOfPolicy(spec.child("concurrentAdmissionPolicy"), input, findings);
    warnOfReferences(spec, References.of(input), findings);
    input.oldRoot().ifPresent(old -> warnOfUse(input, old, spec, findings));
  }

  private static void warnOfNamespaces(Field spec, ValidationResult findings) {
    if (!spec.child("namespaceSelector").isPresent()) {
      findings.warn(
          "spec.namespaceSelector: absent, so no namespace may use this queue;"
              + " {} lets all of them");
    }
  }

  private static void warnOfThreshold(Field borrowing, ValidationResult findings) {
    Field threshold = borrowing.child("maxPriorityThreshold");
    if (threshold.isPresent() && borrowing.child("policy").text().orElse("Never").equals("Never")) {
      findings.warn(threshold.path() + ": has no effect while the policy beside it is Never");
    }
  }

  private static void warnOfManyFlavors(Field spec, ValidationResult findings) {
    int count = Flavors.of(spec).size();
    if (count > MAX_STATUS_FLAVORS) {
      findings.warn(
          "spec.resourceGroups: %d flavors in all groups; its status and those of its LocalQueues have"
                  .formatted(count)
              + " room for the usage of %d".formatted(MAX_STATUS_FLAVORS));
    }
  }

  private static void warnOfPolicy(Field policy, RuleInput input, ValidationResult findings) {
    if (policy.isPresent() && !input.world().settings().isOn(FeatureGate.CONCURRENT_ADMISSION)) {
      findings.warn(
          policy.path()
              + ": has no effect while the feature gate ConcurrentAdmission is off,"
              + " and cannot be changed later");
    }
  }

  private static void warnOfReferences(
      Field spec, References references, ValidationResult findings) {
    for (Field flavor : Flavors.of(spec)) {
      references.warnIfMissing(flavor.child("name"), ApiKind.RESOURCE_FLAVOR, IDLE, findings);
    }
    Field checks = spec.child("admissionChecksStrategy").child("admissionChecks");
    for (Field check : checks.items(MAX_STATUS_FLAVORS)) {
      Field name = check.child("name");
      references.warnIfMissing(name, ApiKind.ADMISSION_CHECK, IDLE, findings);
      if (name.text().orElse("x").isEmpty()) {
        findings.warn(name.path() + ": empty, so no AdmissionCheck can be meant; " + IDLE);
      }
    }
  }

  private static void warnOfUse(RuleInput input, Field old, Field spec, ValidationResult findings) {
    boolean isTold = UseWarnings.check(input, old, findings); // else the status is what we know
    boolean moves = !cohort(old.child("spec")).equals(cohort(spec));
    Map<String, Field> flavors = Flavors.byName(spec);
    for (Field used : old.child("status").child("flavorsReservation").items(MAX_ITEMS)) {
      for (Field resource : used.child("resources").items(MAX_ITEMS)) {
        if (!isTold) {
          warnOfUse(used, resource, flavors, findings);
        }
        if (moves && isPositive(resource.child("borrowed"))) {
          findings.warn(
              "spec.cohortName: workloads of this queue hold %s of %s borrowed from cohort %s"
                  .formatted(
                      text(resource.child("borrowed")),
                      what(used, resource),
                      ValueText.quoted(cohort(old.child("spec")))));
        }
      }
    }
  }

  private static void warnOfUse(
      Field used, Field resource, Map<String, Field> flavors, ValidationResult findings) {
    Optional<Quantity> total = resource.child("total").quantity();
    if (total.isEmpty() || total.get().signum() <= 0) {
      return;
    }
    Optional<Field> quota = quota(flavors, used, resource);
    if (quota.isEmpty()) {
      findings.warn(
          "spec.resourceGroups: %s of %s is reserved, and no longer part of this queue"
              .formatted(total.get(), what(used, resource)));
      return;
    }
    Field nominal = quota.get().child("nominalQuota");
    Optional<Quantity> own =
        total.filter(it -> !isPositive(resource.child("borrowed"))); // else it was above before
    if (own.isPresent()
        && nominal.quantity().filter(it -> it.compareTo(own.get()) < 0).isPresent()) {
      findings.warn(
          "%s: less than the %s that is reserved; it must be borrowed or is taken back"
              .formatted(nominal.path(), total.get()));
    }
  }

  private static Optional<Field> quota(Map<String, Field> flavors, Field used, Field resource) {
    Field flavor = flavors.get(text(used.child("name")));
    List<Field> resources = flavor == null ? List.of() : Flavors.resources(flavor);
    String name = text(resource.child("name"));
    return resources.stream().filter(it -> text(it.child("name")).equals(name)).findFirst();
  }

  private static String what(Field used, Field resource) {
    return ValueText.quoted(text(resource.child("name")))
        + " in flavor "
        + ValueText.quoted(text(used.child("name")));
  }

  private static String cohort(Field spec) {
    return text(spec.child("cohortName"));
  }

  private static String text(Field field) {
    return field.node().asText();
  }

  private static boolean isPositive(Field quantity) {
    return quantity.quantity().filter(it -> it.signum() > 0).isPresent();
  }
}
