package dev.sluice.jobs.serving;

import static java.util.Objects.requireNonNull;

import dev.sluice.jobs.injection.Injection;
import java.util.Map;
import java.util.Optional;

/**
 * The place of a Pod in a group.
 *
 * @param group the name of the group, which is that of its Workload
 * @param role the Pod set of the Pod
 * @param size how many Pods the group has
 * @param annotations what the Pods of the kind are annotated with beside that
 * @param isElsewhere whether the group runs on another cluster, so that no Pod of it may run here
 * @param start what the Pod starts with as it joins; empty if it has to wait
 * @param message told when it starts
 */
public record GroupPlace(
    String group,
    String role,
    int size,
    Map<String, String> annotations,
    boolean isElsewhere,
    Optional<Injection> start,
    String message) {
  /** The place of a Pod that waits in its group. */
  public GroupPlace(
      String group, String role, int size, Map<String, String> annotations, boolean isElsewhere) {
    this(group, role, size, annotations, isElsewhere, Optional.empty(), "");
  }

  public GroupPlace {
    requireNonNull(group, "group");
    requireNonNull(role, "role");
    annotations = Map.copyOf(annotations);
  }
}
