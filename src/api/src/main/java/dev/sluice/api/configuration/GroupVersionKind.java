package dev.sluice.api.configuration;

import java.util.Optional;

/**
 * A kind of object at one version.
 *
 * @param group its API group, empty for the core group
 * @param version the version
 * @param kind the kind, in camel case
 */
public record GroupVersionKind(String group, String version, String kind) {
  /**
   * Reads {@code Kind.version.group}, for example {@code Job.v1.batch}; empty if a part is missing.
   */
  static Optional<GroupVersionKind> parse(String text) {
    String[] parts = text.split("\\.", 3);
    return parts.length == 3 && !parts[0].isEmpty() && !parts[1].isEmpty() && !parts[2].isEmpty()
        ? Optional.of(new GroupVersionKind(parts[2], parts[1], parts[0]))
        : Optional.empty();
  }

  /** As {@code apiVersion} has it: {@code group/version}, or the version in the core group. */
  public String apiVersion() {
    return group.isEmpty() ? version : group + "/" + version;
  }

  /** As the Configuration file has it: {@code Kind.version.group}. */
  @Override
  public String toString() {
    return kind + "." + version + "." + group;
  }
}
