package dev.sluice.jobs.pod;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.vocabulary.EventReasons;
import dev.sluice.jobs.plan.Writes;
import java.util.Comparator;
import java.util.List;

/** Pods of a group beyond those that it may have. */
final class ExcessPods {
  /** The Pods to keep come first: with our finalizer, then ungated, then older ones. */
  private static final Comparator<JsonNode> ORDER =
      Comparator.<JsonNode, Boolean>comparing(it -> !Pods.hasFinalizer(it))
          .thenComparing(Pods::isGated)
          .thenComparing(ExcessPods::created)
          .thenComparing(it -> it.path("metadata").path("name").asText());

  private ExcessPods() {}

  /** When a Pod was made, as text that sorts by time. */
  static String created(JsonNode pod) {
    return pod.path("metadata").path("creationTimestamp").asText();
  }

  /**
   * Deletes Pods of one role.
   *
   * @param count how many stay
   */
  static void delete(String group, List<JsonNode> pods, int count, Writes writes) {
    List<JsonNode> excess = pods.stream().sorted(ORDER).skip(count).toList();
    for (JsonNode pod : excess) {
      Pods.release(pod, writes);
      writes.delete(Pods.KIND, pod);
      writes.event(
          Pods.KIND,
          pod,
          EventReasons.EXCESS_POD_DELETED,
          "Group " + group + " has its " + count + " Pods of this role without this one");
    }
  }
}
