package dev.sluice.jobs.workload;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.meta.ObjectChange;
import dev.sluice.api.vocabulary.ConditionTypes;
import dev.sluice.jobs.object.Members;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Which changes of a Workload may start, stop or end its job. The others are what plans write
 * themselves about a job, and they can wait for further changes.
 */
public final class WorkloadNews {
  /** What does not depend on the queues. */
  private static final List<String> OF_ITS_PODS = List.of("conditions", "reclaimablePods");

  private static final List<String> OF_A_RELEASE =
      Stream.concat(Members.OF_A_WRITE.stream(), Stream.of("finalizers")).toList();

  private WorkloadNews() {}

  /** Whether a plan may differ: there is none for a finished one that has lost its finalizer. */
  public static boolean isNews(ObjectChange change) {
    if (change.before().isEmpty() || change.after().isEmpty()) {
      return true;
    }
    JsonNode before = change.before().get();
    JsonNode after = change.after().get();
    return !isFinished(before)
        || new WorkloadView(after).hasFinalizer()
        || !before.path("status").equals(after.path("status"))
        || !before.path("spec").equals(after.path("spec"))
        || !Members.areSame(before.path("metadata"), after.path("metadata"), OF_A_RELEASE);
  }

  /** Whether the job is to be planned at once. */
  public static boolean isUrgent(ObjectChange change) {
    if (change.after().isEmpty()) {
      return true;
    }
    return change.before().isEmpty()
        ? new WorkloadView(change.after().get()).isAdmitted()
        : isDecision(change.before().get(), change.after().get());
  }

  /** Whether a plan of a job under the Workload's owner may differ. */
  public static boolean concernsChildren(ObjectChange change) {
    return change.before().isEmpty() || isUrgent(change);
  }

  private static boolean isDecision(JsonNode before, JsonNode after) {
    if (isFinished(before) && isFinished(after)) {
      return !deletion(before).equals(deletion(after));
    }
    return !hasSameConditions(before, after)
        || !Members.areSame(before.path("status"), after.path("status"), OF_ITS_PODS)
        || !Members.areSame(before.path("metadata"), after.path("metadata"), Members.OF_A_WRITE)
        || !before.path("spec").equals(after.path("spec"));
  }

  private static boolean isFinished(JsonNode workload) {
    return new WorkloadView(workload).isFinished();
  }

  private static JsonNode deletion(JsonNode workload) {
    return workload.path("metadata").path("deletionTimestamp");
  }

  private static boolean hasSameConditions(JsonNode before, JsonNode after) {
    Iterator<JsonNode> old = decisions(before);
    Iterator<JsonNode> now = decisions(after);
    while (old.hasNext() && now.hasNext()) {
      if (!old.next().equals(now.next())) {
        return false;
      }
    }
    return !old.hasNext() && !now.hasNext();
  }

  private static Iterator<JsonNode> decisions(JsonNode workload) {
    return WorkloadView.items(workload.path("status").path("conditions")).stream()
        .filter(it -> !it.path("type").asText().equals(ConditionTypes.PODS_READY))
        .iterator();
  }
}
