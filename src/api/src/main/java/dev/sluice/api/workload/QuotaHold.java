package dev.sluice.api.workload;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.meta.Condition;
import dev.sluice.api.meta.ConditionStatus;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Whether a Workload holds quota. This is the one definition: conditions decide, and the admission
 * says of which ClusterQueue. An admission that is left over from before holds nothing, and without
 * an admission there is no quota that anybody could count.
 */
public final class QuotaHold {
  private static final String QUOTA_RESERVED = "QuotaReserved";
  private static final String ADMITTED = "Admitted";
  private static final String FINISHED = "Finished";

  /** A status that says two things of which at most one is true. */
  public enum Contradiction {
    /** Its job may run, and nobody counts what it uses. */
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
        isTrue(status, QUOTA_RESERVED),
        isTrue(status, FINISHED),
        names(status.admission()));
  }

  /**
   * Whether its conditions say that quota is reserved for it, and it is not finished. One that was
   * deactivated or that names no ClusterQueue keeps its reservation until it is given back,
   * although it holds no quota that counts.
   */
  public static boolean isReservedBy(Workload workload) {
    return isTrue(workload.status(), QUOTA_RESERVED) && !isTrue(workload.status(), FINISHED);
  }

  /** The same of a Workload as JSON, in the form of the hub version. */
  public static boolean isHeldBy(JsonNode workload) {
    return isHeld(
        workload.path("spec").path("active").asBoolean(true),
        isTrue(workload, QUOTA_RESERVED),
        isTrue(workload, FINISHED),
        names(workload));
  }

  private static boolean isHeld(
      boolean active, boolean reserved, boolean finished, boolean namesQueue) {
    return active && reserved && !finished && namesQueue;
  }

  /** In which way the status contradicts itself; of a finished Workload nothing is said. */
  public static Optional<Contradiction> contradiction(WorkloadStatus status) {
    return contradiction(
        isTrue(status, FINISHED),
        isTrue(status, QUOTA_RESERVED),
        isTrue(status, ADMITTED),
        names(status.admission()),
        status.admission() != null);
  }

  /** The same of a Workload as JSON, in the form of the hub version. */
  public static Optional<Contradiction> contradiction(JsonNode workload) {
    return contradiction(
        isTrue(workload, FINISHED),
        isTrue(workload, QUOTA_RESERVED),
        isTrue(workload, ADMITTED),
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

  private static boolean isTrue(WorkloadStatus status, String type) {
    for (Condition condition : status.conditions()) {
      if (condition.type().equals(type)) {
        return condition.status() == ConditionStatus.TRUE;
      }
    }
    return false;
  }

  private static boolean isTrue(JsonNode workload, String type) {
    for (JsonNode condition : workload.path("status").path("conditions")) {
      if (condition.path("type").asText().equals(type)) {
        return condition.path("status").asText().equals("True");
      }
    }
    return false;
  }
}
