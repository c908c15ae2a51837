package dev.sluice.rules.gates;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.vocabulary.Annotations;
import dev.sluice.rules.Field;
import dev.sluice.rules.FieldError;
import dev.sluice.rules.RuleInput;
import dev.sluice.rules.ValidationResult;
import dev.sluice.rules.ValueText;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Rules of the annotation with the names of admission gates. Names can be removed one by one, but
 * not added later: gates are set at creation.
 */
public final class AdmissionGatedBy {
  /** The key of the annotation. */
  public static final String ANNOTATION = Annotations.ADMISSION_GATED_BY;

  private static final int MAX_BYTES = 63;

  private AdmissionGatedBy() {}

  /** Checks the names of the new object and, on an UPDATE, that none was added. */
  public static void check(RuleInput input, ValidationResult findings) {
    checkNew(input, findings);
    if (isOn(input)) {
      Field annotation = annotation(input.root());
      input.oldRoot().ifPresent(old -> checkChange(annotation(old), annotation, findings));
    }
  }

  /** Checks the names of the new object alone. */
  public static void checkNew(RuleInput input, ValidationResult findings) {
    if (isOn(input)) {
      checkNames(annotation(input.root()), findings);
    }
  }

  private static boolean isOn(RuleInput input) {
    return input.world().settings().isOn(FeatureGate.ADMISSION_GATED_BY);
  }

  private static Field annotation(Field root) {
    return root.child("metadata").child("annotations").key(ANNOTATION);
  }

  /** The names in the order they stand; none for an annotation that is absent or blank. */
  private static List<String> names(Field annotation) {
    String text = annotation.text().orElse("");
    return text.isBlank()
        ? List.of()
        : Arrays.stream(text.split(",", -1)).map(String::strip).toList();
  }

  private static void checkNames(Field annotation, ValidationResult findings) {
    List<String> names = names(annotation);
    if (names.contains("")) {
      findings.add(
          FieldError.invalid(
              annotation, "has an empty name (expected: names separated by commas)"));
    }
    Set<String> seen = new HashSet<>();
    for (String name : names) {
      if (!name.isEmpty()) {
        if (!seen.add(name)) {
          findings.add(
              FieldError.invalid(annotation, "names " + ValueText.quoted(name) + " twice"));
        }
        DomainPath.check(annotation.path(), name, findings);
        if (name.getBytes(UTF_8).length > MAX_BYTES) {
          findings.add(
              FieldError.tooLong(
                  annotation, "each name may have 63 bytes: " + ValueText.quoted(name)));
        }
      }
    }
  }

  private static void checkChange(Field before, Field after, ValidationResult findings) {
    if (after.text().orElse("").isEmpty()) {
      return;
    }
    if (before.text().orElse("").isEmpty()) {
      findings.add(
          FieldError.forbidden(
              after, "can only be set when the object is created, not added later"));
      return;
    }
    List<String> old = names(before);
    Optional<String> added = names(after).stream().filter(name -> !old.contains(name)).findFirst();
    added.ifPresent(
        name ->
            findings.add(
                FieldError.forbidden(
                    after,
                    "names can be removed but not added; new is " + ValueText.quoted(name))));
  }
}
