package dev.sluice.webhook.rules.clusterqueue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.rules.Field;
import dev.sluice.rules.FieldError;
import dev.sluice.rules.RuleInput;
import dev.sluice.rules.ValidationResult;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The flavors that an admission check is limited to must be flavors of the queue. An update that
 * changes neither the check nor the set of flavors may keep a violation, unless a feature gate
 * forbids it.
 */
final class CheckFlavors {
  // v1beta1 sets no limit; far more than is used in practice
  private static final int MAX_ITEMS = 1024;

  private CheckFlavors() {}

  static void check(RuleInput input, ValidationResult findings) {
    Field spec = input.root().child("spec");
    List<Field> checks = checks(spec);
    if (checks.isEmpty()) {
      return;
    }
    Set<String> flavors = Flavors.byName(spec).keySet();
    Map<String, Set<String>> kept = kept(input, flavors);
    for (Field check : checks) {
      Set<String> before = kept.get(check.child("name").text().orElse(""));
      boolean stays = before != null && before.equals(texts(check.child("onFlavors")));
      checkFlavors(check, flavors, stays, findings);
    }
  }

  private static void checkFlavors(
      Field check, Set<String> flavors, boolean stays, ValidationResult findings) {
    for (Field flavor : check.child("onFlavors").items(MAX_ITEMS)) {
      if (flavor.text().isEmpty() || flavors.contains(flavor.text().get())) {
        continue;
      }
      if (stays) {
        findings.warn(
            flavor.path() + ": no flavor of this ClusterQueue (kept as it was before this update)");
      } else {
        findings.add(FieldError.notSupported(flavor, flavors));
      }
    }
  }

  private static List<Field> checks(Field spec) {
    return spec.child("admissionChecksStrategy").child("admissionChecks").items(MAX_ITEMS);
  }

  /** The stored checks, by name, whose violations may stay. */
  private static Map<String, Set<String>> kept(RuleInput input, Set<String> flavors) {
    Map<String, Set<String>> kept = new HashMap<>();
    if (!input.world().settings().isOn(FeatureGate.REJECT_UPDATES_TO_CQ_WITH_INVALID_ON_FLAVORS)) {
      input
          .oldRoot()
          .map(old -> old.child("spec"))
          .filter(old -> Flavors.byName(old).keySet().equals(flavors))
          .ifPresent(old -> checks(old).forEach(check -> keep(check, kept)));
    }
    return kept;
  }

  private static void keep(Field check, Map<String, Set<String>> kept) {
    check.child("name").text().ifPresent(name -> kept.put(name, texts(check.child("onFlavors"))));
  }

  private static Set<String> texts(Field list) {
    Set<String> texts = new HashSet<>();
    for (JsonNode item : list.node()) {
      texts.add(item.asText());
    }
    return texts;
  }
}
