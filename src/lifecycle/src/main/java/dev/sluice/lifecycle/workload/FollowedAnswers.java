package dev.sluice.lifecycle.workload;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.read.HubObjects;
import dev.sluice.api.read.MalformedObjectException;
import dev.sluice.api.workload.Workload;
import dev.sluice.api.workload.WorkloadStatus;
import dev.sluice.api.write.MergePatch;
import dev.sluice.api.write.Write;
import java.time.Instant;
import java.util.List;

/**
 * Completes a write that answers an admission check by the steps that would follow once it is seen:
 * a Workload whose checks are all ready is admitted by the write that says so of the last one.
 * Pure, and safe for threads if the dependencies are.
 */
public final class FollowedAnswers {
  private static final String STATUS = "status";

  private final WorkloadReconciler reconciler;
  private final WorkloadDependencies dependencies;

  /**
   * What to send.
   *
   * @param write in place of the one that was given
   * @param events to send once that is stored
   */
  public record Completed(Write write, List<Write.Event> events) {
    public Completed {
      events = List.copyOf(events);
    }

    /** The write as it is. */
    public static Completed alone(Write write) {
      return new Completed(write, List.of());
    }
  }

  /** Adds what that reconciler says. */
  public FollowedAnswers(WorkloadReconciler reconciler, WorkloadDependencies dependencies) {
    this.reconciler = reconciler;
    this.dependencies = dependencies;
  }

  /**
   * The write to send in place of that one; any other than an answer to a check is as it was.
   *
   * @param stored the Workload that the write was made for
   * @param leadsSince when this scheduler began to look after Workloads
   */
  public Completed complete(JsonNode stored, Write write, Instant leadsSince, Instant now) {
    if (!(write instanceof Write.MergePatch patch) || !answers(patch)) {
      return Completed.alone(write);
    }
    JsonNode answered = MergePatch.applied(stored, patch.patch());
    Workload read;
    try {
      read = HubObjects.read(Workload.class, answered);
    } catch (MalformedObjectException _) {
      return Completed.alone(write); // who reads it once it is stored tells that
    }
    ReconcileStep step = reconciler.following(read, dependencies, leadsSince, now);
    return step.status()
        .map(status -> new Completed(patched(stored, patch, answered, read, status), step.events()))
        .orElseGet(() -> Completed.alone(write));
  }

  private static boolean answers(Write.MergePatch patch) {
    return patch.subresource().equals(STATUS)
        && patch.target().kind().groupKind().equals(ApiKind.WORKLOAD.groupKind())
        && patch.patch().path(STATUS).has("admissionChecks");
  }

  private static Write patched(
      JsonNode stored,
      Write.MergePatch patch,
      JsonNode answered,
      Workload read,
      WorkloadStatus following) {
    JsonNode more =
        MergePatch.between(HubObjects.write(read.status()), HubObjects.write(following));
    JsonNode whole = MergePatch.applied(answered.path(STATUS), more);
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    body.set(STATUS, MergePatch.between(stored.path(STATUS), whole));
    return new Write.MergePatch(
        patch.target(), STATUS, body, patch.fieldManager(), patch.resourceVersion());
  }
}
