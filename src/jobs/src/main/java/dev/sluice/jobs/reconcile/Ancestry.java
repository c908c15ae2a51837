package dev.sluice.jobs.reconcile;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.GroupKind;
import dev.sluice.api.configuration.Framework;
import dev.sluice.jobs.object.JobObject;
import dev.sluice.jobs.plan.JobSettings;
import dev.sluice.jobs.plan.JobWorld;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * The chain of controlling owners of a job, as far as they are of kinds of jobs, enabled or not.
 * The topmost managed owner of an enabled kind is queued in place of the job.
 *
 * @param manager that owner; empty if the job is queued itself
 * @param missing an owner that is not observed yet; the other members are meaningless then
 * @param isTooDeep whether there are more than 10 owners, or a cycle
 */
record Ancestry(Optional<Owner> manager, Optional<JobObject.Owner> missing, boolean isTooDeep) {
  private static final int MAX_OWNERS = 10;
  private static final GroupKind REPLICA_SET = new GroupKind("apps", "ReplicaSet");

  /** An owner by what names it. */
  record Owner(GroupKind kind, String name, String uid) {}

  static Ancestry of(JobObject job, String namespace, JobWorld world, JobSettings settings) {
    Optional<Owner> manager = Optional.empty();
    Set<String> seen = new HashSet<>(Set.of(job.uid()));
    JobObject at = job;
    for (int hops = 0; hops <= MAX_OWNERS; hops++) {
      Optional<JobObject.Owner> next = at.controller().filter(it -> isKnown(it.kind(), settings));
      if (next.isEmpty()) {
        return new Ancestry(manager, Optional.empty(), false);
      }
      Optional<JsonNode> found = world.find(next.get().kind(), namespace, next.get().name());
      if (found.isEmpty()) {
        return world.watches(next.get().kind())
            ? new Ancestry(Optional.empty(), next, false)
            : endingAt(next.get(), manager, namespace, world, settings);
      }
      at = JobObject.of(found.get());
      if (!at.uid().equals(next.get().uid())) {
        return new Ancestry(manager, Optional.empty(), false);
      }
      if (!seen.add(at.uid())) {
        break;
      }
      if (manages(next.get().kind(), at, settings)) {
        manager = Optional.of(owner(next.get()));
      }
    }
    return new Ancestry(Optional.empty(), Optional.empty(), true);
  }

  private static Ancestry endingAt(
      JobObject.Owner unseen,
      Optional<Owner> below,
      String namespace,
      JobWorld world,
      JobSettings settings) {
    Optional<Owner> last =
        isOn(unseen.kind(), settings) ? unseen(unseen, namespace, world) : Optional.empty();
    return new Ancestry(last.isPresent() ? last : below, Optional.empty(), false);
  }

  private static Owner owner(JobObject.Owner reference) {
    return new Owner(reference.kind(), reference.name(), reference.uid());
  }

  /** An owner of an unwatched kind is managed if it has a Workload. */
  private static Optional<Owner> unseen(
      JobObject.Owner reference, String namespace, JobWorld world) {
    return world.workloadsOwnedBy(reference.kind(), namespace, reference.name()).stream()
        .flatMap(it -> JobObject.of(it).controller().stream())
        .filter(it -> it.uid().equals(reference.uid()))
        .findFirst()
        .map(Ancestry::owner);
  }

  private static boolean isKnown(GroupKind kind, JobSettings settings) {
    return kind.equals(REPLICA_SET)
        || Framework.find(kind.group(), kind.kind()).isPresent()
        || isOn(kind, settings);
  }

  private static boolean isOn(GroupKind kind, JobSettings settings) {
    return Framework.find(kind.group(), kind.kind())
            .filter(it -> settings.management().isEnabled(it))
            .isPresent()
        || settings.management().isExternal(kind.group(), kind.kind())
        || settings.customKinds().stream().anyMatch(it -> it.type().groupKind().equals(kind));
  }

  private static boolean isQueuedByWhatItOwns(GroupKind kind, JobSettings settings) {
    return settings.customKinds().stream()
        .anyMatch(it -> it.type().groupKind().equals(kind) && it.suspendPath().isEmpty());
  }

  private static boolean manages(GroupKind kind, JobObject owner, JobSettings settings) {
    return isOn(kind, settings)
        && !isQueuedByWhatItOwns(kind, settings)
        && (settings.management().withoutQueueName() || !owner.queueName().isEmpty());
  }
}
