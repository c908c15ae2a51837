package dev.sluice.cli.schema;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.rules.FieldError;
import org.jspecify.annotations.Nullable;

/**
 * A violation of the schema.
 *
 * @param stopsRules whether rules in CEL are left out because of it: they could not be evaluated
 */
record Fault(FieldError violation, boolean stopsRules) {

  static Fault wrongType(String path, JsonNode value, String expected) {
    return of(FieldError.Type.INVALID, path, value, "must be " + expected, true);
  }

  static Fault required(String path) {
    return of(FieldError.Type.REQUIRED, path, null, "", true);
  }

  static Fault notSupported(String path, JsonNode value, String detail) {
    return of(FieldError.Type.NOT_SUPPORTED, path, value, detail, true);
  }

  static Fault tooLong(String path, String detail) {
    return of(FieldError.Type.TOO_LONG, path, null, detail, true);
  }

  static Fault tooMany(String path, JsonNode count, String detail) {
    return of(FieldError.Type.TOO_MANY, path, count, detail, true);
  }

  static Fault invalid(String path, JsonNode value, String detail) {
    return of(FieldError.Type.INVALID, path, value, detail, false);
  }

  static Fault duplicate(String path, JsonNode value) {
    return of(FieldError.Type.DUPLICATE, path, value, "", false);
  }

  private static Fault of(
      FieldError.Type type,
      String path,
      @Nullable JsonNode value,
      String detail,
      boolean stopsRules) {
    return new Fault(new FieldError(type, path, value, detail), stopsRules);
  }
}
