package dev.sluice.server.install;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * How two states of one object differ, a line for each field: {@code ~} for another value, {@code
 * +} for one that comes, {@code -} for one that goes. Items of lists are matched by their names
 * where all have one. Pure.
 */
final class ObjectDifference {
  private static final int LONGEST_VALUE = 80;
  private static final String NAME = "name";

  private final List<String> lines = new ArrayList<>();

  private ObjectDifference() {}

  /** The lines, in the order of the fields; none if both are the same. */
  static List<String> lines(JsonNode before, JsonNode after) {
    ObjectDifference difference = new ObjectDifference();
    difference.compare("", before, after);
    return difference.lines;
  }

  private void compare(String path, JsonNode before, JsonNode after) {
    if (before.equals(after)) {
      return;
    }
    if (before.isMissingNode()) {
      lines.add("+ %s: %s".formatted(path, brief(after)));
    } else if (after.isMissingNode()) {
      lines.add("- %s: %s".formatted(path, brief(before)));
    } else if (before.isObject() && after.isObject()) {
      Set<String> names = new LinkedHashSet<>();
      before.fieldNames().forEachRemaining(names::add);
      after.fieldNames().forEachRemaining(names::add);
      for (String name : names) {
        compare(path.isEmpty() ? name : path + "." + name, before.path(name), after.path(name));
      }
    } else if (before.isArray() && after.isArray()) {
      compareItems(path, before, after);
    } else {
      lines.add("~ %s: %s -> %s".formatted(path, brief(before), brief(after)));
    }
  }

  private void compareItems(String path, JsonNode before, JsonNode after) {
    if (areNamed(before) && areNamed(after)) {
      Set<String> names = new LinkedHashSet<>();
      before.forEach(it -> names.add(it.path(NAME).asText()));
      after.forEach(it -> names.add(it.path(NAME).asText()));
      for (String name : names) {
        compare("%s[%s]".formatted(path, name), named(before, name), named(after, name));
      }
      return;
    }
    for (int i = 0; i < Math.max(before.size(), after.size()); i++) {
      compare("%s[%d]".formatted(path, i), before.path(i), after.path(i));
    }
  }

  private static boolean areNamed(JsonNode list) {
    return list.valueStream().allMatch(it -> it.path(NAME).isTextual())
        && list.valueStream().map(it -> it.path(NAME)).distinct().count() == list.size();
  }

  private static JsonNode named(JsonNode list, String name) {
    return find(list, name).orElse(MissingNode.getInstance());
  }

  private static Optional<JsonNode> find(JsonNode list, String name) {
    return list.valueStream().filter(it -> it.path(NAME).asText().equals(name)).findFirst();
  }

  private static String brief(JsonNode value) {
    String text = value.toString();
    return text.length() > LONGEST_VALUE ? text.substring(0, LONGEST_VALUE) + "..." : text;
  }

  /**
   * Takes from a state what was applied before and is applied no more, as {@code kubectl apply}
   * does by the record that it keeps.
   *
   * @param state is changed
   * @param applied what was applied the last time
   * @param wanted what is to be applied
   */
  static void removeAbandoned(JsonNode state, JsonNode applied, JsonNode wanted) {
    if (state instanceof ObjectNode object && applied.isObject() && wanted.isObject()) {
      applied
          .propertyStream()
          .forEach(
              field -> {
                JsonNode kept = wanted.path(field.getKey());
                if (kept.isMissingNode()) {
                  object.remove(field.getKey());
                } else {
                  removeAbandoned(object.path(field.getKey()), field.getValue(), kept);
                }
              });
    } else if (state instanceof ArrayNode list && areNamed(applied) && areNamed(wanted)) {
      for (JsonNode item : applied) {
        String name = item.path(NAME).asText();
        Optional<JsonNode> kept = find(wanted, name);
        Optional<JsonNode> there = find(list, name);
        if (kept.isPresent()) {
          there.ifPresent(it -> removeAbandoned(it, item, kept.get()));
        } else {
          list.removeIf(it -> it.path(NAME).asText().equals(name));
        }
      }
    }
  }
}
