package dev.sluice.jobs.plan;

import static java.util.Objects.requireNonNull;

import dev.sluice.api.GroupKind;

/**
 * What is planned as one: a job by its name, or the Pods that name one group.
 *
 * @param kind the kind of the job; Pod for a group
 * @param name the name of the job, or of the group
 * @param isGroup whether the name is that of a group
 */
public record JobKey(GroupKind kind, String namespace, String name, boolean isGroup) {
  public static final GroupKind POD = new GroupKind("", "Pod");

  public JobKey {
    requireNonNull(kind, "kind");
    requireNonNull(namespace, "namespace");
    requireNonNull(name, "name");
    if (isGroup && !kind.equals(POD)) {
      throw new IllegalArgumentException("kind: " + kind + " (expected: Pod for a group)");
    }
  }

  /** The job of that name. */
  public static JobKey of(GroupKind kind, String namespace, String name) {
    return new JobKey(kind, namespace, name, false);
  }

  /** The Pods that name that group. */
  public static JobKey group(String namespace, String name) {
    return new JobKey(POD, namespace, name, true);
  }
}
