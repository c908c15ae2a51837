package dev.sluice.webhook.rules.workload;

import dev.sluice.rules.Field;
import dev.sluice.rules.FieldError;
import dev.sluice.rules.ValidationResult;
import dev.sluice.rules.metadata.AnnotationRules;
import dev.sluice.rules.metadata.LabelRules;
import java.util.Set;
import java.util.TreeSet;

/** Rules of the pod updates of admission checks. */
final class CheckUpdates {
  private CheckUpdates() {}

  static void check(Field root, ValidationResult findings) {
    var workload = new WorkloadView(root);
    Set<String> names = new TreeSet<>(workload.podSetsByName().keySet());
    for (Field check : checks(workload)) {
      for (Field update : updates(check).items(WorkloadView.MAX_ITEMS)) {
        if (update.child("name").text().filter(it -> !names.contains(it)).isPresent()) {
          findings.add(FieldError.notSupported(update.child("name"), names));
        }
        checkContent(update, findings);
      }
    }
  }

  static Iterable<Field> checks(WorkloadView workload) {
    return list(workload).items(WorkloadView.MAX_ITEMS);
  }

  static Field list(WorkloadView workload) {
    return workload.status().child("admissionChecks");
  }

  static Field updates(Field check) {
    return check.child("podSetUpdates");
  }

  private static void checkContent(Field update, ValidationResult findings) {
    for (Field toleration : update.child("tolerations").items(WorkloadView.MAX_ITEMS)) {
      Field key = toleration.child("key");
      if (!key.text().orElse("").isEmpty()) {
        LabelRules.checkKey(key, findings);
      }
    }
    AnnotationRules.check(update.child("annotations"), findings);
    LabelRules.checkLabels(update.child("nodeSelector"), findings);
    LabelRules.checkLabels(update.child("labels"), findings);
  }
}
