package dev.sluice.cli.validate;

import dev.sluice.cli.schema.UnknownField;
import dev.sluice.rules.FieldError;
import dev.sluice.rules.ValidationResult;
import dev.sluice.server.objects.ManifestObject;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Collects the findings of one object; a finding of two checks is reported once. */
final class ObjectFindings {
  private final ManifestObject object;
  private final String name;
  private final List<Finding> findings = new ArrayList<>();
  private final Set<Said> said = new HashSet<>();

  private record Said(String field, FieldError.Type type) {}

  /**
   * Nothing yet.
   *
   * @param name kind and name, for people
   */
  ObjectFindings(ManifestObject object, String name) {
    this.object = object;
    this.name = name;
  }

  void addUnknown(List<UnknownField> fields) {
    fields.forEach(field -> add(field.path(), "Unknown field", field.text(), false));
  }

  /** Adds violations but those of a type that was found at the same field before. */
  void addViolations(List<FieldError> violations) {
    List<Said> now = new ArrayList<>();
    for (FieldError violation : violations) {
      Said what = new Said(violation.field(), violation.type());
      if (!said.contains(what)) {
        now.add(what);
        add(violation.field(), violation.type().text(), violation.text(), true);
      }
    }
    said.addAll(now);
  }

  void addAll(ValidationResult found) {
    addViolations(found.violations());
    if (found.omittedViolations() > 0) {
      add("", "Invalid value", "and " + found.omittedViolations() + " more", true);
    }
    found.failure().ifPresent(failure -> add("", failure.reason(), failure.message(), true));
    found.warnings().forEach(this::warn);
  }

  void warn(String sentence) {
    add("", "Warning", sentence, false);
  }

  private void add(String field, String type, String message, boolean refuses) {
    findings.add(new Finding(object.placeOf(field), name, field, type, message, refuses));
  }

  List<Finding> all() {
    return List.copyOf(findings);
  }
}
