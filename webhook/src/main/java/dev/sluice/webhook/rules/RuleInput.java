package dev.sluice.webhook.rules;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a rule may know of a request. The trees belong to the caller, and rules only read them.
 *
 * @param object the object as it would be stored, at the hub version; anything for a DELETE
 * @param oldObject the stored object; null unless it is an UPDATE or a DELETE
 */
public record RuleInput(Operation operation, JsonNode object, @Nullable JsonNode oldObject) {

  /** What is done to the object. */
  public enum Operation {
    CREATE,
    UPDATE,
    DELETE
  }

  public RuleInput {
    requireNonNull(operation, "operation");
    requireNonNull(object, "object");
  }

  /** The new object. */
  public Field root() {
    return Field.root(object);
  }

  /** The stored object; empty unless this is an UPDATE that came with it. */
  public Optional<Field> oldRoot() {
    return operation == Operation.UPDATE
        ? Optional.ofNullable(oldObject).map(Field::root)
        : Optional.empty();
  }

  /** The name of the object; empty while the API server has yet to generate one. */
  public Optional<String> name() {
    return root().child("metadata").child("name").text();
  }

  /** Whether this is an UPDATE that leaves the spec as it was. */
  boolean hasSameSpec() {
    Field spec = root().child("spec");
    return oldRoot()
        .map(old -> old.child("spec"))
        .filter(old -> old.node().equals(spec.node()) || (!old.isPresent() && !spec.isPresent()))
        .isPresent();
  }

  /**
   * Whether the object is going away, and this UPDATE only lets it: it removes a finalizer, say.
   */
  boolean onlyLetsGo() {
    return root().child("metadata").child("deletionTimestamp").isPresent() && hasSameSpec();
  }
}
