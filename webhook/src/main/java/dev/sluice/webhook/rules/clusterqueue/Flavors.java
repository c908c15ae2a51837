package dev.sluice.webhook.rules.clusterqueue;

import dev.sluice.rules.Field;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads the flavors of a ClusterQueue; of lists that are longer than the schema allows a part. */
final class Flavors {
  private static final int MAX_GROUPS = 16;
  private static final int MAX_ITEMS = 64;

  private Flavors() {}

  /** The flavors of all groups, in their order. */
  static List<Field> of(Field spec) {
    List<Field> flavors = new ArrayList<>();
    for (Field group : spec.child("resourceGroups").items(MAX_GROUPS)) {
      flavors.addAll(group.child("flavors").items(MAX_ITEMS));
    }
    return flavors;
  }

  /** The flavors of all groups by their names, in their order; of two with one name the first. */
  static Map<String, Field> byName(Field spec) {
    Map<String, Field> flavors = new LinkedHashMap<>();
    for (Field flavor : of(spec)) {
      flavor.child("name").text().ifPresent(name -> flavors.putIfAbsent(name, flavor));
    }
    return flavors;
  }

  /** The quota of a resource in a flavor; empty if the queue has none. */
  static Optional<Field> quota(Field spec, String flavor, String resource) {
    return Optional.ofNullable(byName(spec).get(flavor)).map(Flavors::resources).stream()
        .flatMap(List::stream)
        .filter(it -> it.child("name").text().orElse("").equals(resource))
        .findFirst();
  }

  /** The resources of a flavor. */
  static List<Field> resources(Field flavor) {
    return flavor.child("resources").items(MAX_ITEMS);
  }
}
