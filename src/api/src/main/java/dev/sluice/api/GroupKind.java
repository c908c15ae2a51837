package dev.sluice.api;

import static java.util.Objects.requireNonNull;

/**
 * A kind whatever its version.
 *
 * @param group the API group; empty for the core group
 * @param kind the value of an object's {@code kind}
 */
public record GroupKind(String group, String kind) {
  public GroupKind {
    requireNonNull(group, "group");
    requireNonNull(kind, "kind");
  }

  /** The kind as it is written in messages, such as {@code Job.batch} or {@code Pod}. */
  @Override
  public String toString() {
    return group.isEmpty() ? kind : kind + "." + group;
  }
}
