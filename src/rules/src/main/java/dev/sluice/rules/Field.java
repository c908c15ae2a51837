package dev.sluice.rules;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.Quantity;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A place in an object: its path as messages name it, such as {@code spec.levels[2].nodeLabel}, and
 * what stands there, which may be nothing, or of any type.
 *
 * <p>No method throws because of what the object holds. The plain readers answer a value of the
 * wrong type like a missing one; those that start with {@code expect} report it as a violation, and
 * those that start with {@code require} report a missing value (absent or null) too.
 *
 * <p>Its path is written only when it is asked for: most fields have nothing wrong with them.
 */
public final class Field {
  private final @Nullable Field parent;
  private final Step step;
  private final String name; // of an item none
  private final int index;
  private final JsonNode node;

  /** How a place is reached from the one above it. */
  private enum Step {
    PATH,
    MEMBER,
    KEY,
    ITEM
  }

  private Field(@Nullable Field parent, Step step, String name, int index, JsonNode node) {
    this.parent = parent;
    this.step = step;
    this.name = name;
    this.index = index;
    this.node = node;
  }

  /** What stands at this path, which is empty for the object itself. */
  public Field(String path, JsonNode node) {
    this(null, Step.PATH, path, 0, node);
  }

  /** The whole object. */
  public static Field root(JsonNode object) {
    return new Field("", object);
  }

  /** The path; empty for the object itself. */
  public String path() {
    String above = parent == null ? "" : parent.path();
    return switch (step) {
      case PATH -> name;
      case MEMBER -> above.isEmpty() ? name : above + "." + name;
      case KEY -> above + "[" + ValueText.plain(name) + "]";
      case ITEM -> above + "[" + index + "]";
    };
  }

  /** What stands here; a {@code MissingNode} where the object has nothing. */
  public JsonNode node() {
    return node;
  }

  /** The member with that name. */
  public Field child(String member) {
    return new Field(this, Step.MEMBER, member, 0, node.path(member));
  }

  /** The entry of a map whose keys are chosen by users; the path names it as {@code map[key]}. */
  public Field key(String key) {
    return new Field(this, Step.KEY, key, 0, node.path(key));
  }

  /** Whether anything but null stands here. */
  public boolean isPresent() {
    return !node.isMissingNode() && !node.isNull();
  }

  /** The text here. */
  public Optional<String> text() {
    return node.isTextual() ? Optional.of(node.textValue()) : Optional.empty();
  }

  /** The integer here, if it is one of 64 bits. */
  public Optional<Long> integer() {
    return node.isIntegralNumber() && node.canConvertToLong()
        ? Optional.of(node.longValue())
        : Optional.empty();
  }

  /** The quantity here, written as text or as an integer. */
  public Optional<Quantity> quantity() {
    boolean readable = node.isTextual() || (node.isIntegralNumber() && !isHuge());
    return readable ? Quantity.parse(node.asText()) : Optional.empty();
  }

  private boolean isHuge() {
    return node.isBigInteger() && node.bigIntegerValue().bitLength() > 3 * Quantity.MAX_LENGTH;
  }

  /** The first items of the list here, at most {@code max}; none if it is no list. */
  public List<Field> items(int max) {
    int size = node.isArray() ? Math.min(node.size(), max) : 0;
    var items = new ArrayList<Field>(size);
    for (int i = 0; i < size; i++) {
      items.add(new Field(this, Step.ITEM, "", i, node.get(i)));
    }
    return items;
  }

  /** Whether an object stands here. */
  public boolean expectObject(ValidationResult findings) {
    return expect(node.isObject(), "an object", findings);
  }

  /** Whether an object stands here. */
  public boolean requireObject(ValidationResult findings) {
    return require("must be an object", findings) && expectObject(findings);
  }

  /** The text here. */
  public Optional<String> expectText(ValidationResult findings) {
    expect(node.isTextual(), "text", findings);
    return text();
  }

  /** The text here; where there is none, the violation says that it must be {@code expected}. */
  public Optional<String> requireText(String expected, ValidationResult findings) {
    return require("must be " + expected, findings) ? expectText(findings) : Optional.empty();
  }

  /** The quantity here, written as text or as an integer. */
  public Optional<Quantity> expectQuantity(ValidationResult findings) {
    Optional<Quantity> quantity = quantity();
    if (quantity.isEmpty() && isPresent()) {
      findings.add(FieldError.invalid(this, "must be a quantity, such as 500m, 2 or 10Gi"));
    }
    return quantity;
  }

  /** Reports each value of the map here that is no quantity. */
  public void expectQuantities(ValidationResult findings) {
    for (Map.Entry<String, JsonNode> entry : node.properties()) {
      key(entry.getKey()).expectQuantity(findings);
    }
  }

  /** The quantity here, written as text or as an integer. */
  public Optional<Quantity> requireQuantity(ValidationResult findings) {
    return require("must be a quantity, such as 500m, 2 or 10Gi", findings)
        ? expectQuantity(findings)
        : Optional.empty();
  }

  /** The first items of the list here, at most {@code max}; reports a longer list. */
  public List<Field> expectItems(int max, ValidationResult findings) {
    if (expect(node.isArray(), "a list", findings) && node.size() > max) {
      findings.add(FieldError.tooMany(this, max));
    }
    return items(max);
  }

  /** The first items of the list here, at most {@code max}; reports a longer or an empty list. */
  public List<Field> requireItems(int max, ValidationResult findings) {
    if (!require("must be a list of 1 to " + max + " items", findings)) {
      return List.of();
    }
    if (node.isArray() && node.isEmpty()) {
      findings.add(FieldError.invalid(this, "must have at least one item"));
    }
    return expectItems(max, findings);
  }

  private boolean expect(boolean met, String expected, ValidationResult findings) {
    if (!met && isPresent()) {
      findings.add(FieldError.invalid(this, "must be " + expected + ", not " + typeName()));
    }
    return met;
  }

  private boolean require(String expected, ValidationResult findings) {
    if (!isPresent()) {
      findings.add(FieldError.required(this, expected));
    }
    return isPresent();
  }

  private String typeName() {
    return switch (node.getNodeType()) {
      case OBJECT, POJO -> "an object";
      case ARRAY -> "a list";
      case STRING, BINARY -> "text";
      case NUMBER -> "a number";
      case BOOLEAN -> "a boolean";
      case NULL, MISSING -> "null";
    };
  }
}
