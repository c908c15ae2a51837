package dev.sluice.cli.schema;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.cli.schema.Schema.Rule;
import dev.sluice.rules.FieldError;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Evaluates the rules in CEL of a schema: those about a change where there is a value before and
 * after it, others where the value is not as it was. For one object.
 */
final class RuleCheck {
  private final CelPrograms programs;
  private final List<FieldError> violations;

  /** A check that adds what it finds to this list. */
  RuleCheck(CelPrograms programs, List<FieldError> violations) {
    this.programs = programs;
    this.violations = violations;
  }

  /** Checks an object whose values the schema admits. */
  void checkRoot(Schema schema, JsonNode object, @Nullable JsonNode old) {
    if (!schema.rules().isEmpty()) {
      Object oldSelf = old == null ? null : CelValues.ofRoot(schema, old);
      evaluate(schema, CelValues.ofRoot(schema, object), oldSelf, object.equals(old), "");
    }
    checkMembers(schema, object, old, "");
  }

  private void check(Schema schema, JsonNode value, @Nullable JsonNode old, String path) {
    if (!schema.hasRules()) {
      return;
    }
    if (!schema.rules().isEmpty()) {
      Object oldSelf = old == null ? null : CelValues.of(schema, old);
      evaluate(schema, CelValues.of(schema, value), oldSelf, value.equals(old), path);
    }
    if (value.isObject()) {
      checkMembers(schema, value, old, path);
    } else if (value.isArray()) {
      checkItems(schema, value, old, path);
    }
  }

  private void checkMembers(Schema schema, JsonNode object, @Nullable JsonNode old, String path) {
    for (Map.Entry<String, JsonNode> member : object.properties()) {
      String name = member.getKey();
      Schema known = schema.member(name);
      if (known != null) {
        boolean named = schema.properties().containsKey(name);
        check(
            known,
            member.getValue(),
            old == null ? null : old.get(name),
            named ? Path.member(path, name) : Path.entry(path, name));
      }
    }
  }

  private void checkItems(Schema schema, JsonNode list, @Nullable JsonNode old, String path) {
    Schema items = schema.items();
    if (items != null) {
      OldItems before = OldItems.of(schema, list, old);
      for (int i = 0; i < list.size(); i++) {
        check(items, list.get(i), before.of(i, list.get(i)), Path.item(path, i));
      }
    }
  }

  private void evaluate(
      Schema schema, Object self, @Nullable Object oldSelf, boolean isUnchanged, String path) {
    for (Rule rule : schema.rules()) {
      CelProgram program = programs.of(rule.expression());
      boolean asked = program.comparesWithOld() ? oldSelf != null : !isUnchanged;
      if (asked) {
        evaluate(rule, program, self, oldSelf, path);
      }
    }
  }

  private void evaluate(
      Rule rule, CelProgram program, Object self, @Nullable Object oldSelf, String path) {
    switch (program.evaluate(self, oldSelf)) {
      case CelProgram.Result.Held() -> {}
      case CelProgram.Result.Broken() -> add(path, rule.message());
      case CelProgram.Result.Failed(String why) ->
          add(path, rule.message() + " (the rule cannot be evaluated: " + why + ")");
    }
  }

  private void add(String path, String message) {
    violations.add(new FieldError(FieldError.Type.INVALID, path, null, message));
  }
}
