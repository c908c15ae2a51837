package dev.sluice.cli.schema;

import static java.util.stream.Collectors.joining;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.google.re2j.Pattern;
import dev.sluice.cli.schema.Schema.Limits;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Holds values against a schema: types, required members, allowed values, sizes, patterns. What an
 * update leaves as it was is not asked again. For one object.
 */
final class ValueCheck {
  private final List<Fault> faults;

  /** A check that adds what it finds to this list. */
  ValueCheck(List<Fault> faults) {
    this.faults = faults;
  }

  /**
   * Checks a value and what is below.
   *
   * @param old the stored value that this one replaces; null if there is none
   */
  void check(Schema schema, JsonNode value, @Nullable JsonNode old, String path) {
    if (value.equals(old)) {
      return;
    }
    if (!schema.type().admits(value)) {
      faults.add(Fault.wrongType(path, value, schema.type().words()));
      return;
    }
    checkAllowed(schema, value, path);
    switch (value.getNodeType()) {
      case OBJECT -> checkObject(schema, value, old, path);
      case ARRAY -> checkList(schema, value, old, path);
      case STRING -> checkText(schema, value, path);
      case NUMBER -> checkNumber(schema, value, path);
      default -> {} // there is nothing more to ask of true and false
    }
  }

  private void checkAllowed(Schema schema, JsonNode value, String path) {
    List<JsonNode> allowed = schema.allowed();
    if (!allowed.isEmpty() && !allowed.contains(value)) {
      String words = allowed.stream().map(JsonNode::toString).collect(joining(", "));
      faults.add(Fault.notSupported(path, value, "supported values: " + words));
    }
  }

  private void checkObject(Schema schema, JsonNode object, @Nullable JsonNode old, String path) {
    Limits members = schema.memberCount();
    if (object.size() > members.most()) {
      faults.add(
          Fault.tooMany(
              path,
              IntNode.valueOf(object.size()),
              "must have at most " + members.most() + " entries"));
    } else if (object.size() < members.least()) {
      faults.add(Fault.invalid(path, object, "must have at least " + members.least() + " entries"));
    }
    for (String name : schema.required()) {
      if (!object.has(name)) {
        faults.add(Fault.required(Path.member(path, name)));
      }
    }
    for (Map.Entry<String, JsonNode> member : object.properties()) {
      Schema known = schema.member(member.getKey());
      if (known != null) {
        JsonNode before = old == null ? null : old.get(member.getKey());
        check(known, member.getValue(), before, Path.member(path, member.getKey()));
      }
    }
  }

  private void checkList(Schema schema, JsonNode list, @Nullable JsonNode old, String path) {
    Limits items = schema.itemCount();
    if (list.size() > items.most()) {
      faults.add(
          Fault.tooMany(
              path, IntNode.valueOf(list.size()), "must have at most " + items.most() + " items"));
    } else if (list.size() < items.least()) {
      faults.add(
          Fault.invalid(
              path,
              list,
              "must have at least "
                  + (items.least() == 1 ? "one item" : items.least() + " items")));
    }
    Schema ofItems = schema.items();
    if (ofItems != null) {
      OldItems before = OldItems.of(schema, list, old);
      for (int i = 0; i < list.size(); i++) {
        check(ofItems, list.get(i), before.of(i, list.get(i)), Path.item(path, i));
      }
    }
  }

  private void checkText(Schema schema, JsonNode value, String path) {
    String text = value.textValue();
    int length = text.codePointCount(0, text.length());
    Limits limits = schema.length();
    if (length > limits.most()) {
      faults.add(
          Fault.tooLong(path, "must have at most " + limits.most() + " characters, not " + length));
    } else if (length < limits.least()) {
      faults.add(
          Fault.invalid(path, value, "must have at least " + limits.least() + " characters"));
    }
    Pattern pattern = schema.pattern();
    if (pattern != null && !pattern.matcher(text).find()) {
      faults.add(Fault.invalid(path, value, "must match " + pattern.pattern()));
    }
    if (schema.format().equals("date-time") && !isTime(text)) {
      faults.add(Fault.wrongType(path, value, "a time, such as 2026-01-31T12:00:00Z"));
    }
  }

  private static boolean isTime(String text) {
    try {
      OffsetDateTime.parse(text);
      return true;
    } catch (DateTimeException _) {
      return false;
    }
  }

  private void checkNumber(Schema schema, JsonNode value, String path) {
    if (schema.format().equals("int32") && !value.canConvertToInt()) {
      faults.add(Fault.invalid(path, value, "must be an integer of 32 bits"));
      return;
    }
    Limits range = schema.range();
    if (value.doubleValue() < range.least()) {
      faults.add(Fault.invalid(path, value, "must be at least " + range.least()));
    } else if (value.doubleValue() > range.most()) {
      faults.add(Fault.invalid(path, value, "must be at most " + range.most()));
    }
  }
}
