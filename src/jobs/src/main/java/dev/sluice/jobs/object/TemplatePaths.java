package dev.sluice.jobs.object;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.sluice.api.configuration.ObjectPath;
import java.util.ArrayList;
import java.util.List;

/** Where a path with wildcards leads in one object, step by step. */
public final class TemplatePaths {
  private static final int MAX_PLACES = 512;

  private TemplatePaths() {}

  /** The steps to each place that is there, at most 512. */
  public static List<String[]> of(ObjectPath path, JsonNode object) {
    List<List<String>> found = List.of(List.of());
    for (String step : path.steps()) {
      List<List<String>> next = new ArrayList<>();
      for (List<String> steps : found) {
        names(step, at(object, steps)).forEach(name -> next.add(and(steps, name)));
      }
      found = next.subList(0, Math.min(MAX_PLACES, next.size()));
    }
    return found.stream().map(steps -> steps.toArray(String[]::new)).toList();
  }

  private static List<String> names(String step, JsonNode node) {
    List<String> names = new ArrayList<>();
    if (!step.equals(ObjectPath.EACH)) {
      names.add(step);
    } else if (node.isObject()) {
      node.fieldNames().forEachRemaining(names::add);
    } else {
      for (int i = 0; i < node.size(); i++) {
        names.add(String.valueOf(i));
      }
    }
    return names.stream().filter(name -> at(node, List.of(name)).isContainerNode()).toList();
  }

  /** The value at the path; an item of a list is named by its index. Missing if there is none. */
  public static JsonNode at(JsonNode object, List<String> steps) {
    JsonNode node = object;
    for (String step : steps) {
      node = node.isArray() ? item(node, step) : node.path(step);
    }
    return node;
  }

  /** Missing where a list stands in place of an object. */
  private static JsonNode item(JsonNode list, String step) {
    boolean isIndex = step.length() < 10 && step.chars().allMatch(c -> c >= '0' && c <= '9');
    return isIndex && !step.isEmpty()
        ? list.path(Integer.parseInt(step))
        : MissingNode.getInstance();
  }

  private static List<String> and(List<String> steps, String name) {
    List<String> all = new ArrayList<>(steps);
    all.add(name);
    return all;
  }
}
