package dev.sluice.multicluster.sweep;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.meta.ObjectKey;
import java.util.List;
import java.util.Optional;

/**
 * Objects with our origin on a worker under the name of one Workload that this manager does not
 * have.
 *
 * @param key the name of the Workload
 * @param workload the Workload there; empty if only jobs are left
 * @param jobs its jobs that a list has, by kind
 * @param absence what is known of the Workload here
 */
public record Leftover(
    ObjectKey key, Optional<JsonNode> workload, List<JobLeft> jobs, Absence absence) {
  /**
   * A job on the worker.
   *
   * @param object the job; empty if the worker itself said that it is not there
   */
  public record JobLeft(GroupVersionKind kind, String name, Optional<JsonNode> object) {
    public JobLeft {
      requireNonNull(kind, "kind");
      requireNonNull(name, "name");
      requireNonNull(object, "object");
    }
  }

  /** What is known of the Workload of this manager. */
  public enum Absence {
    /** The lists of this manager are not complete: nothing is concluded. */
    UNKNOWN,
    /** No list has it. */
    UNLISTED,
    /** The API server of this manager said that it is not there. */
    ASKED
  }

  public Leftover {
    requireNonNull(key, "key");
    requireNonNull(workload, "workload");
    jobs = List.copyOf(jobs);
    requireNonNull(absence, "absence");
  }
}
