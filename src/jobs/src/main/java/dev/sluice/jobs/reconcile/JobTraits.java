package dev.sluice.jobs.reconcile;

import dev.sluice.api.meta.TypedObjectKey;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Optional properties of a job. A kind overrides those that its jobs have. */
public interface JobTraits {
  /** A job without any of these traits. */
  JobTraits NONE = new JobTraits() {};

  /** A job that may change its number of Pods while it runs, and nothing else of these. */
  JobTraits ELASTIC =
      new JobTraits() {
        @Override
        public boolean canBeElastic() {
          return true;
        }
      };

  /** A job that runs on this cluster once it is started, and nothing else of these. */
  JobTraits RUNS_WHERE_IT_STARTS =
      new JobTraits() {
        @Override
        public boolean runsWhereItStarts() {
          return true;
        }
      };

  /** Whether jobs of the kind may change their number of Pods while they run. */
  default boolean canBeElastic() {
    return false;
  }

  /**
   * What identifies the size of an elastic job beside its own generation, such as the generation of
   * an object that its operator made; empty for nothing. Part of the names of its Workloads.
   */
  default String sizeRevision() {
    return "";
  }

  /** Annotations that the Workload of the job gets when it is created. */
  default Map<String, String> workloadAnnotations() {
    return Map.of();
  }

  /** The PriorityClass by a rule of the kind; empty to use the first that a template names. */
  default String priorityClass() {
    return "";
  }

  /**
   * Whether the job is on hold: it cannot run as it is, so it releases its quota and leaves its
   * queue.
   */
  default boolean isOnHold() {
    return false;
  }

  /** Whether Pods of the job, which is being deleted, still need its quota. */
  default boolean needsQuotaWhileDeleted() {
    return false;
  }

  /**
   * Whether such a job runs on this cluster once it is started, since no field of it names another
   * controller. While it runs on another cluster, it stays held back here.
   */
  default boolean runsWhereItStarts() {
    return false;
  }

  /** The field that names the controller of the job; empty if the kind has none. */
  default List<String> managedBy() {
    return List.of("spec", "managedBy");
  }

  /** Whether the job, if a managed owner made it, is resumed when that owner is admitted. */
  default boolean resumesWithOwner() {
    return false;
  }

  /**
   * Objects beside the job that its Pod sets are read from. The job is planned again when one of
   * them changes; while one is missing, its Workload is neither created, started nor compared with
   * the job.
   */
  default Set<TypedObjectKey> sources() {
    return Set.of();
  }

  /**
   * Whether the Pods of the job are settled because they run: an admitted Workload then fits it
   * whatever its Pod sets are now.
   */
  default boolean isSettled() {
    return false;
  }
}
