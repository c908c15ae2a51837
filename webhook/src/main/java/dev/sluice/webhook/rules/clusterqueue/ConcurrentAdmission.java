package dev.sluice.webhook.rules.clusterqueue;

import com.fasterxml.jackson.databind.node.IntNode;
import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.rules.Field;
import dev.sluice.rules.FieldError;
import dev.sluice.rules.RuleInput;
import dev.sluice.rules.SameValue;
import dev.sluice.rules.ValidationResult;

/** What {@code spec.concurrentAdmissionPolicy} must be; it never changes, feature or not. */
final class ConcurrentAdmission {
  private static final int MAX_FLAVORS = 16;
  private static final String MODE = "TryPreferredFlavors";

  private ConcurrentAdmission() {}

  static void check(RuleInput input, ValidationResult findings) {
    Field spec = input.root().child("spec");
    Field policy = policy(input.root());
    if (policy.isPresent() && input.world().settings().isOn(FeatureGate.CONCURRENT_ADMISSION)) {
      checkGroups(spec, findings);
      checkConstraints(policy.child("migration"), spec, findings);
      checkStrategy(spec.child("queueingStrategy"), findings);
    }
    input
        .oldRoot()
        .filter(old -> !SameValue.of(policy(old).node(), policy.node()))
        .ifPresent(
            _ ->
                findings.add(
                    FieldError.immutable(
                        policy, "it cannot be added, changed or removed after the create")));
  }

  private static Field policy(Field root) {
    return root.child("spec").child("concurrentAdmissionPolicy");
  }

  private static void checkGroups(Field spec, ValidationResult findings) {
    Field groups = spec.child("resourceGroups");
    int count = groups.node().isArray() ? groups.node().size() : 0;
    if (count != 1) {
      findings.add(
          FieldError.invalid(
              groups.path(),
              IntNode.valueOf(count),
              "must be exactly one group while there is a concurrentAdmissionPolicy"));
      return;
    }
    Field flavors = groups.items(1).getFirst().child("flavors");
    if (flavors.node().size() > MAX_FLAVORS) {
      findings.add(
          FieldError.invalid(
              flavors.path(),
              IntNode.valueOf(flavors.node().size()),
              "must be at most 16 flavors while there is a concurrentAdmissionPolicy"));
    }
  }

  private static void checkConstraints(Field migration, Field spec, ValidationResult findings) {
    Field constraints = migration.child("constraints");
    if (!constraints.isPresent()) {
      return;
    }
    String mode = migration.child("mode").text().orElse("");
    if (!mode.isEmpty() && !mode.equals(MODE)) {
      findings.add(FieldError.forbidden(constraints, "is only for the mode " + MODE));
      return;
    }
    Field last = constraints.child("lastAcceptableFlavorName");
    String name = last.text().orElse("");
    if (!name.isEmpty() && !Flavors.byName(spec).containsKey(name)) {
      findings.add(FieldError.invalid(last, "must be a flavor of this ClusterQueue"));
    }
  }

  private static void checkStrategy(Field strategy, ValidationResult findings) {
    if (strategy.text().orElse("").equals("StrictFIFO")) {
      findings.add(
          FieldError.invalid(
              strategy, "must be BestEffortFIFO while there is a concurrentAdmissionPolicy"));
    }
  }
}
