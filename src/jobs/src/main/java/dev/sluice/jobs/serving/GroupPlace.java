package dev.sluice.jobs.serving;

import static java.util.Objects.requireNonNull;

import java.util.Map;

/**
 * The place of a Pod in a group.
 *
 * @param group the name of the group, which is that of its Workload
 * @param role the Pod set of the Pod
 * @param size how many Pods the group has
 * @param annotations what the Pods of the kind are annotated with beside that
 * @param isElsewhere whether the group runs on another cluster, so that no Pod of it may run here
 */
public record GroupPlace(
    String group, String role, int size, Map<String, String> annotations, boolean isElsewhere) {
  public GroupPlace {
    requireNonNull(group, "group");
    requireNonNull(role, "role");
    annotations = Map.copyOf(annotations);
  }
}
