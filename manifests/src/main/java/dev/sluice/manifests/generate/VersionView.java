package dev.sluice.manifests.generate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiVersion;
import java.util.Map;
import java.util.Optional;

/**
 * A kind file as one version sees it.
 *
 * <p>One rule holds everywhere in a file: an object whose keys are all version ranges stands for
 * the value beside the range that contains the version. Where no range contains it, the key, or the
 * item of a list, is not there.
 */
record VersionView(ApiVersion version) {

  /**
   * The tree with every such choice made; a copy that shares nothing with the input. Empty if the
   * root itself is a choice without this version.
   *
   * @throws IllegalArgumentException if ranges of a choice overlap, or stand beside other keys
   */
  Optional<JsonNode> of(JsonNode node) {
    return switch (node) {
      case ObjectNode object when isChoice(object) -> choose(object).flatMap(this::of);
      case ObjectNode object -> Optional.of(each(object));
      case ArrayNode array -> Optional.of(each(array));
      default -> Optional.of(node);
    };
  }

  private JsonNode each(ObjectNode object) {
    ObjectNode seen = JsonNodeFactory.instance.objectNode();
    object.forEachEntry((key, value) -> of(value).ifPresent(kept -> seen.set(key, kept)));
    return seen;
  }

  private JsonNode each(ArrayNode array) {
    ArrayNode seen = JsonNodeFactory.instance.arrayNode();
    array.forEach(item -> of(item).ifPresent(seen::add));
    return seen;
  }

  private static boolean isChoice(ObjectNode object) {
    long ranges =
        object.propertyStream().filter(e -> VersionRange.find(e.getKey()).isPresent()).count();
    if (ranges > 0 && ranges < object.size()) {
      throw new IllegalArgumentException(
          keys(object) + " (expected: version ranges only, or none)");
    }
    return ranges > 0;
  }

  private Optional<JsonNode> choose(ObjectNode choice) {
    var matching =
        choice
            .propertyStream()
            .filter(e -> VersionRange.find(e.getKey()).orElseThrow().contains(version))
            .map(Map.Entry::getValue)
            .toList();
    if (matching.size() > 1) {
      throw new IllegalArgumentException(
          keys(choice) + " (expected: at most one range with " + version + ")");
    }
    return matching.stream().findFirst();
  }

  private static String keys(ObjectNode object) {
    return String.join(", ", object.propertyStream().map(Map.Entry::getKey).toList());
  }
}
