package dev.sluice.cli.validate;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.ApiVersion;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.server.objects.ManifestObject;
import java.util.List;
import java.util.Optional;

/**
 * Whether a document has apiVersion and kind. With only one of them, any API server would refuse
 * it, so it is reported; without both, it may serve another purpose, such as the values of a chart.
 */
final class IdentityCheck {
  private static final String CORE_VERSION = "v1";

  private IdentityCheck() {}

  /** What is wrong with it, if anything is; no rules can be chosen for such a document. */
  static Optional<Finding> check(ManifestObject object) {
    GroupVersionKind said = object.kind();
    boolean isWhole = !said.group().isEmpty() || said.version().equals(CORE_VERSION);
    if (isWhole && !said.version().isEmpty() && !said.kind().isEmpty()) {
      return Optional.empty(); // as nearly all of them, so no tree is made of them for this
    }
    JsonNode tree = object.tree();
    if (!tree.isObject()) {
      return Optional.of(
          warning(
              object,
              "%s (expected: an object); not checked".formatted(object.json().type().words())));
    }
    boolean untold = List.of("apiVersion", "kind").stream().noneMatch(tree::hasNonNull);
    if (untold) {
      return Optional.of(warning(object, "neither apiVersion nor kind; not checked"));
    }
    return missing(object, tree, "apiVersion", ApiVersion.HUB.groupVersion())
        .or(() -> missing(object, tree, "kind", "ClusterQueue"))
        .or(() -> withoutVersion(object, tree.path("apiVersion").asText()));
  }

  private static Optional<Finding> missing(
      ManifestObject object, JsonNode tree, String field, String example) {
    JsonNode value = tree.path(field);
    if (value.isTextual() && !value.asText().isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        violation(
            object,
            field,
            value.isContainerNode() || value.isNumber() ? "Invalid value" : "Required value",
            "a string (such as %s)".formatted(example)));
  }

  /** All groups but the nameless one stand before a version. */
  private static Optional<Finding> withoutVersion(ManifestObject object, String apiVersion) {
    if (apiVersion.contains("/") || apiVersion.equals(CORE_VERSION)) {
      return Optional.empty();
    }
    return Optional.of(
        violation(
            object,
            "apiVersion",
            "Invalid value",
            "\"%s\": a group and a version (such as %s)"
                .formatted(apiVersion, ApiVersion.HUB.groupVersion())));
  }

  private static Finding violation(
      ManifestObject object, String field, String type, String expected) {
    return new Finding(
        object.placeOf(field),
        "object",
        field,
        type,
        "%s: %s: %s".formatted(field, type, expected),
        true);
  }

  private static Finding warning(ManifestObject object, String message) {
    return new Finding(object.placeOf(""), "document", "", "Warning", message, false);
  }
}
