package dev.sluice.cli.scan;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * A record of a database in the OSV format.
 *
 * @param record as it was read
 */
record Advisory(JsonNode record) {
  private static final String INTRODUCED = "introduced";
  private static final String FIXED = "fixed";
  private static final String LAST = "last_affected";

  /** A version at which something begins or ends. */
  private record Event(String version, String kind) {}

  String id() {
    return record.path("id").asText();
  }

  /** Its names elsewhere, such as of a CVE. */
  List<String> aliases() {
    return record.path("aliases").valueStream().map(JsonNode::asText).toList();
  }

  /** What it is about, in a few words. */
  String summary() {
    String summary = record.path("summary").asText();
    return summary.isEmpty()
        ? record.path("details").asText().lines().findFirst().orElse("")
        : summary;
  }

  boolean isWithdrawn() {
    return !record.path("withdrawn").asText().isEmpty();
  }

  /** Whether a component of that version is affected. */
  boolean affects(Component component) {
    return about(component).stream()
        .anyMatch(
            it ->
                it.path("versions").valueStream().anyMatch(is(component.version()))
                    || it.path("ranges")
                        .valueStream()
                        .filter(Advisory::isOrdered)
                        .anyMatch(range -> isWithin(range, component)));
  }

  private static Predicate<JsonNode> is(String version) {
    return it -> it.asText().equals(version);
  }

  private List<JsonNode> about(Component component) {
    return record
        .path("affected")
        .valueStream()
        .filter(it -> it.at("/package/name").asText().equals(component.name()))
        .filter(it -> component.isIn(it.at("/package/ecosystem").asText()))
        .toList();
  }

  /** Others are ranges of commits. */
  private static boolean isOrdered(JsonNode range) {
    String type = range.path("type").asText();
    return type.equals("ECOSYSTEM") || type.equals("SEMVER");
  }

  private static boolean isWithin(JsonNode range, Component component) {
    Comparator<String> order = component.ecosystem().order();
    boolean affected = false;
    for (Event event : events(range, order)) {
      int compared =
          event.version().equals("0") ? 1 : order.compare(component.version(), event.version());
      switch (event.kind()) {
        case INTRODUCED -> affected |= compared >= 0;
        case FIXED -> affected &= compared < 0;
        default -> affected &= compared <= 0;
      }
    }
    return affected;
  }

  /** In the order of their versions; 0 is before all. */
  private static List<Event> events(JsonNode range, Comparator<String> order) {
    List<Event> events = new ArrayList<>();
    for (JsonNode event : range.path("events")) {
      for (String kind : List.of(INTRODUCED, FIXED, LAST)) {
        if (event.has(kind)) {
          events.add(new Event(event.path(kind).asText(), kind));
        }
      }
    }
    events.sort(
        Comparator.comparing((Event it) -> !it.version().equals("0"))
            .thenComparing(Event::version, order));
    return events;
  }

  /** The first version after that of the component in which it is fixed; empty if there is none. */
  Optional<String> fixedAfter(Component component) {
    Comparator<String> order = component.ecosystem().order();
    return about(component).stream()
        .flatMap(it -> it.path("ranges").valueStream())
        .filter(Advisory::isOrdered)
        .flatMap(range -> range.path("events").valueStream())
        .filter(event -> event.has(FIXED))
        .map(event -> event.path(FIXED).asText())
        .filter(version -> order.compare(version, component.version()) > 0)
        .min(order);
  }
}
