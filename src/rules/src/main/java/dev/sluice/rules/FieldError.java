package dev.sluice.rules;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.Collection;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One reason to refuse an object: a field, what is wrong with it, the value it has, and a sentence
 * that says what was expected.
 *
 * @param badValue what the field has; null where nothing can be shown
 * @param detail may be empty
 */
public record FieldError(Type type, String field, @Nullable JsonNode badValue, String detail) {

  private static final int MAX_SHOWN = 20;

  /** The kinds of violation that Kubernetes distinguishes, with the words it has for them. */
  public enum Type {
    NOT_FOUND("Not found", true),
    REQUIRED("Required value", false),
    DUPLICATE("Duplicate value", true),
    INVALID("Invalid value", true),
    NOT_SUPPORTED("Unsupported value", true),
    FORBIDDEN("Forbidden", false),
    TOO_LONG("Too long", false),
    TOO_MANY("Too many", true),
    TOO_FEW("Too few", true),
    INTERNAL("Internal error", false);

    private final String text;
    private final boolean showsValue;

    Type(String text, boolean showsValue) {
      this.text = text;
      this.showsValue = showsValue;
    }

    /** The words that stand after the field in a message. */
    public String text() {
      return text;
    }
  }

  /** The value breaks a rule. */
  public static FieldError invalid(Field field, String detail) {
    return new FieldError(Type.INVALID, field.path(), field.node(), detail);
  }

  /** The value breaks a rule that is best shown by another value, such as a sum, or by none. */
  public static FieldError invalid(String path, @Nullable JsonNode badValue, String detail) {
    return new FieldError(Type.INVALID, path, badValue, detail);
  }

  /** The quantity breaks a rule; it is shown as text, also where it was written as a number. */
  public static FieldError invalidQuantity(String path, Field quantity, String detail) {
    return invalid(path, TextNode.valueOf(quantity.node().asText()), detail);
  }

  /** The field is missing. */
  public static FieldError required(Field field, String detail) {
    return new FieldError(Type.REQUIRED, field.path(), null, detail);
  }

  /** The value was seen before, where it may stand once. */
  public static FieldError duplicate(Field field) {
    return new FieldError(Type.DUPLICATE, field.path(), field.node(), "");
  }

  /** The field may not be set, or not be changed in this way. */
  public static FieldError forbidden(Field field, String detail) {
    return new FieldError(Type.FORBIDDEN, field.path(), null, detail);
  }

  /** The value names something that is not there. */
  public static FieldError notFound(Field field, String detail) {
    return new FieldError(Type.NOT_FOUND, field.path(), field.node(), detail);
  }

  /** The value is none of those that are allowed. */
  public static FieldError notSupported(Field field, Collection<String> allowed) {
    String values =
        allowed.stream().limit(MAX_SHOWN).map(ValueText::quoted).collect(Collectors.joining(", "));
    String more = allowed.size() > MAX_SHOWN ? ", ..." : "";
    return new FieldError(
        Type.NOT_SUPPORTED,
        field.path(),
        field.node(),
        allowed.isEmpty()
            ? "there is nothing it could name"
            : "supported values: " + values + more);
  }

  /** The value was set once and may not change. */
  public static FieldError immutable(Field field, String detail) {
    return new FieldError(
        Type.INVALID, field.path(), field.node(), "field is immutable: " + detail);
  }

  /** The value, or what the field holds in all, is longer than it may be. */
  public static FieldError tooLong(Field field, String detail) {
    return new FieldError(Type.TOO_LONG, field.path(), null, detail);
  }

  /** The list has more items than it may have. */
  public static FieldError tooMany(Field list, int max) {
    return new FieldError(
        Type.TOO_MANY,
        list.path(),
        IntNode.valueOf(list.node().size()),
        "must have at most " + max + " items");
  }

  /** One line: {@code field: type: value: detail}, of bounded length. */
  public String text() {
    var text = new StringBuilder(field).append(": ").append(type.text);
    if (type.showsValue && badValue != null) {
      text.append(": ").append(ValueText.of(badValue));
    }
    if (!detail.isEmpty()) {
      text.append(": ").append(detail);
    }
    return text.toString();
  }
}
