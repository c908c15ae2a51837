package dev.sluice.webhook.rules.flavor;

import dev.sluice.api.ApiKind;
import dev.sluice.api.names.LabelValue;
import dev.sluice.rules.AdmissionRules;
import dev.sluice.rules.Field;
import dev.sluice.rules.FieldError;
import dev.sluice.rules.Ratchet;
import dev.sluice.rules.RuleInput;
import dev.sluice.rules.ValidationResult;
import dev.sluice.rules.metadata.LabelRules;
import dev.sluice.webhook.rules.references.References;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What a ResourceFlavor must be: labels and taints that a Node can have, and tolerations that a Pod
 * can have, for they are put into the Pods that run on the flavor.
 */
public final class ResourceFlavorRules implements AdmissionRules {
  private static final int MAX_ITEMS = 256;

  @Override
  public void check(RuleInput input, ValidationResult findings) {
    Field spec = input.root().child("spec");
    LabelRules.checkLabels(spec.child("nodeLabels"), findings);
    checkTaints(spec.child("nodeTaints"), findings);
    for (Field toleration : tolerations(spec)) {
      checkKey(toleration.child("key"), findings);
    }
    Ratchet.check(input, findings, ResourceFlavorRules::checkTolerations);
    checkTopologyIsKept(input, findings);
    if (!input.hasSameSpec()) {
      warnOfTopology(input, findings);
      FlavorUse.warnOfChange(input, findings);
    }
  }

  private static List<Field> tolerations(Field spec) {
    return spec.child("tolerations").items(MAX_ITEMS);
  }

  private static void checkTaints(Field taints, ValidationResult findings) {
    Set<List<String>> seen = new HashSet<>();
    for (Field taint : taints.items(MAX_ITEMS)) {
      LabelRules.checkKey(taint.child("key"), findings);
      checkValue(taint.child("value"), findings);
      String key = taint.child("key").text().orElse("");
      String effect = taint.child("effect").text().orElse("");
      if (!seen.add(List.of(key, effect))) {
        findings.add(FieldError.duplicate(taint));
      }
    }
  }

  private static void checkKey(Field key, ValidationResult findings) {
    if (!key.text().orElse("").isEmpty()) {
      LabelRules.checkKey(key, findings);
    }
  }

  private static void checkValue(Field value, ValidationResult findings) {
    List<String> problems = value.text().map(LabelValue::problems).orElse(List.of());
    if (!problems.isEmpty()) {
      findings.add(FieldError.invalid(value, String.join("; ", problems)));
    }
  }

  /** What Kubernetes refuses in the tolerations of a Pod, and so each Pod on the flavor. */
  private static void checkTolerations(Field root, ValidationResult findings) {
    for (Field toleration : tolerations(root.child("spec"))) {
      checkValue(toleration.child("value"), findings);
      Field key = toleration.child("key");
      boolean exists = toleration.child("operator").text().orElse("").equals("Exists");
      if (key.text().filter(String::isEmpty).isPresent() && !exists) {
        findings.add(
            FieldError.invalid(
                toleration.child("operator"), "must be Exists while the key is empty"));
      }
    }
  }

  private static void checkTopologyIsKept(RuleInput input, ValidationResult findings) {
    Field spec = input.root().child("spec");
    boolean had =
        input.oldRoot().filter(old -> topology(old.child("spec")).isPresent()).isPresent();
    if (had && !spec.isPresent()) {
      findings.add(
          FieldError.forbidden(
              spec,
              "an update must not remove the spec: topologyName cannot change once it is set"));
    }
  }

  private static Field topology(Field spec) {
    return spec.child("topologyName");
  }

  private static void warnOfTopology(RuleInput input, ValidationResult findings) {
    References.of(input)
        .warnIfMissing(
            topology(input.root().child("spec")),
            ApiKind.TOPOLOGY,
            "queues with this flavor admit nothing until it exists",
            findings);
  }
}
