package dev.sluice.api.workload;

import static dev.sluice.api.vocabulary.ConditionTypes.ADMITTED;
import static dev.sluice.api.vocabulary.ConditionTypes.FINISHED;
import static dev.sluice.api.vocabulary.ConditionTypes.QUOTA_RESERVED;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.meta.Conditions;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Whether a Workload holds quota. This is the only definition: conditions decide, and the admission
 * names the ClusterQueue. A leftover admission holds nothing, and without an admission there is no
 * quota to count.
 */
public final class QuotaHold {
  /** A status that says two things of which at most one is true. */
  public enum Contradiction {
    /** Its job may run, and its usage is not counted. */
    RESERVED_WITHOUT_ADMISSION("QuotaReserved is True, and there is no status.admission"),
    /** Its job may run on quota that it does not have. */
    ADMITTED_WITHOUT_RESERVATION("Admitted is True, and QuotaReserved is not"),
    /** A leftover of an earlier reservation. */
    ADMISSION_WITHOUT_RESERVATION("status.admission is there, and QuotaReserved is not True");

    private final String sentence;

    Contradiction(String sentence) {
      this.sentence = sentence;
    }

    /** What is wrong, without the name of the Workload. */
    public String sentence() {
      return sentence;
    }
  }

  private QuotaHold() {}

  /** Whether it has quota, is active and is not finished. */
  public static boolean isHeldBy(Workload workload) {
    WorkloadStatus status = workload.status();
    return isHeld(
        workload.spec().active(),
        status.isTrue(QUOTA_RESERVED),
        status.isTrue(FINISHED),
        names(status.admission()));
  }

  /**
   * Whether its conditions say that quota is reserved for it, and it is not finished. One that was
   * deactivated or that names no ClusterQueue keeps its reservation until it is given back,
   * although it holds no quota that counts.
   */
  public static boolean isReservedBy(Workload workload) {
    WorkloadStatus status = workload.status();
    return status.isTrue(QUOTA_RESERVED) && !status.isTrue(FINISHED);
  }

  /** The same of a Workload as JSON, in the form of the hub version. */
  public static boolean isHeldBy(JsonNode workload) {
    return isHeld(
        workload.path("spec").path("active").asBoolean(true),
        Conditions.isTrue(workload, QUOTA_RESERVED),
        Conditions.isTrue(workload, FINISHED),
        names(workload));
  }

  private static boolean isHeld(
      boolean active, boolean reserved, boolean finished, boolean namesQueue) {
    return active && reserved && !finished && namesQueue;
  }

  /** In which way the status contradicts itself; of a finished Workload nothing is said. */
  public static Optional<Contradiction> contradiction(WorkloadStatus status) {
    return contradiction(
        status.isTrue(FINISHED),
        status.isTrue(QUOTA_RESERVED),
        status.isTrue(ADMITTED),
        names(status.admission()),
        status.admission() != null);
  }

  /** The same of a Workload as JSON, in the form of the hub version. */
  public static Optional<Contradiction> contradiction(JsonNode workload) {
    return contradiction(
        Conditions.isTrue(workload, FINISHED),
        Conditions.isTrue(workload, QUOTA_RESERVED),
        Conditions.isTrue(workload, ADMITTED),
        names(workload),
        workload.path("status").path("admission").isObject());
  }

  private static Optional<Contradiction> contradiction(
      boolean finished, boolean reserved, boolean admitted, boolean namesQueue, boolean left) {
    if (finished) {
      return Optional.empty();
    }
    if (reserved) {
      return namesQueue ? Optional.empty() : Optional.of(Contradiction.RESERVED_WITHOUT_ADMISSION);
    }
    if (admitted) {
      return Optional.of(Contradiction.ADMITTED_WITHOUT_RESERVATION);
    }
    return left ? Optional.of(Contradiction.ADMISSION_WITHOUT_RESERVATION) : Optional.empty();
  }

  private static boolean names(@Nullable Admission admission) {
    return admission != null && admission.clusterQueue() != null;
  }

  private static boolean names(JsonNode workload) {
    return workload.path("status").path("admission").path("clusterQueue").isTextual();
  }
}
