package dev.sluice.api.configuration;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A path through an object: {@code spec.suspend}, {@code spec.groups[*].template}. {@code [*]}
 * stands for every item of a list and every value of a map.
 *
 * @param steps the names of fields, {@link #EACH} where all are meant
 */
public record ObjectPath(List<String> steps) {
  /** The step to every item or value. */
  public static final String EACH = "*";

  private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_-]{0,62}");
  private static final int MAX_STEPS = 16;

  /**
   * A place in an object.
   *
   * @param path where: {@code spec.groups[2].template}, or {@code spec.roles[worker].template} in a
   *     map
   * @param node what is there
   */
  public record Place(String path, JsonNode node) {}

  public ObjectPath {
    steps = List.copyOf(steps);
    if (steps.isEmpty() || steps.getFirst().equals(EACH) || steps.size() > MAX_STEPS) {
      throw new IllegalArgumentException(
          "steps: " + steps + " (expected: 1 to 16, the first one a field)");
    }
  }

  /** Reads the whole text; empty if it is no path. */
  public static Optional<ObjectPath> parse(String text) {
    List<String> steps = new ArrayList<>();
    for (String part : text.split("\\.", -1)) {
      String name = part;
      int each = 0;
      while (name.endsWith("[*]")) {
        name = name.substring(0, name.length() - 3);
        each++;
      }
      if (!NAME.matcher(name).matches()) {
        return Optional.empty();
      }
      steps.add(name);
      for (int i = 0; i < each; i++) {
        steps.add(EACH);
      }
    }
    return steps.size() <= MAX_STEPS ? Optional.of(new ObjectPath(steps)) : Optional.empty();
  }

  /** Whether it may match several values. */
  public boolean hasMany() {
    return steps.contains(EACH);
  }

  /** All matching values of an object that are present and not null, in the object's order. */
  public List<Place> find(JsonNode object) {
    List<Place> places = List.of(new Place("", object));
    for (String step : steps) {
      List<Place> next = new ArrayList<>();
      for (Place place : places) {
        follow(step, place, next);
      }
      places = next;
    }
    return List.copyOf(places);
  }

  private static void follow(String step, Place from, List<Place> to) {
    if (!step.equals(EACH)) {
      String path = from.path().isEmpty() ? step : from.path() + "." + step;
      add(new Place(path, from.node().path(step)), to);
    } else if (from.node().isArray()) {
      for (int i = 0; i < from.node().size(); i++) {
        add(new Place(from.path() + "[" + i + "]", from.node().path(i)), to);
      }
    } else {
      for (Map.Entry<String, JsonNode> member : from.node().properties()) {
        add(new Place(from.path() + "[" + member.getKey() + "]", member.getValue()), to);
      }
    }
  }

  private static void add(Place place, List<Place> to) {
    if (!place.node().isMissingNode() && !place.node().isNull()) {
      to.add(place);
    }
  }

  /** As it is written. */
  @Override
  public String toString() {
    return String.join(".", steps).replace(".*", "[*]");
  }
}
