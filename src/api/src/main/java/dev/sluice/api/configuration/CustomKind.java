package dev.sluice.api.configuration;

import static java.util.Objects.requireNonNull;

import dev.sluice.api.GroupVersionKind;
import java.util.List;
import java.util.Optional;

/**
 * A kind of jobs that a configuration describes: a field that suspends it, pod templates, or both.
 *
 * @param type the kind, at the version that reviews have
 * @param resource its plural, as in URLs
 * @param suspendPath the field that is true while it must not run; empty if it has none, then its
 *     pods are queued one by one
 * @param podTemplatePaths where its pod templates are; may be empty only if there is a suspend path
 * @param managedByPath the field that names another controller; empty if it has none
 */
public record CustomKind(
    GroupVersionKind type,
    String resource,
    Optional<ObjectPath> suspendPath,
    List<ObjectPath> podTemplatePaths,
    Optional<ObjectPath> managedByPath) {
  public CustomKind {
    requireNonNull(type, "type");
    podTemplatePaths = List.copyOf(podTemplatePaths);
    if (suspendPath.isEmpty() && podTemplatePaths.isEmpty()) {
      throw new IllegalArgumentException(
          "podTemplatePaths: [] (expected: at least one where there is no suspendPath)");
    }
  }
}
