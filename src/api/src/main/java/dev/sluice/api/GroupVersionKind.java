package dev.sluice.api;

import static java.util.Objects.requireNonNull;

/**
 * A kind at one version.
 *
 * @param group the API group; empty for the core group
 * @param version the version, such as {@code v1}
 * @param kind the value of an object's {@code kind}
 */
public record GroupVersionKind(String group, String version, String kind) {
  public GroupVersionKind {
    requireNonNull(group, "group");
    requireNonNull(version, "version");
    requireNonNull(kind, "kind");
  }

  /**
   * The kind that an object names in {@code apiVersion} and {@code kind}; the part before the last
   * slash is the group, and without a slash the group is the core one.
   */
  public static GroupVersionKind of(String apiVersion, String kind) {
    int slash = apiVersion.lastIndexOf('/');
    return new GroupVersionKind(
        slash < 0 ? "" : apiVersion.substring(0, slash), apiVersion.substring(slash + 1), kind);
  }

  /** The kind whatever its version. */
  public GroupKind groupKind() {
    return new GroupKind(group, kind);
  }

  /** The value of {@code apiVersion}. */
  public String apiVersion() {
    return group.isEmpty() ? version : group + "/" + version;
  }

  /** The kind as it is written in messages, such as {@code Job of batch/v1}. */
  @Override
  public String toString() {
    return kind + " of " + apiVersion();
  }
}
