package dev.sluice.multicluster.copy;

import static java.util.Objects.requireNonNull;

/**
 * The identity of this manager on its workers.
 *
 * @param origin the label that all its copies have
 * @param manager the uid of its namespace kube-system, which tells it from others of that origin
 */
public record Identity(String origin, String manager) {
  public Identity {
    requireNonNull(origin, "origin");
    requireNonNull(manager, "manager");
    if (origin.isEmpty() || manager.isEmpty()) {
      throw new IllegalArgumentException(
          "identity: origin '%s', manager '%s' (expected: both)".formatted(origin, manager));
    }
  }
}
