package dev.sluice.jobs.serving;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.meta.ObjectChange;
import dev.sluice.api.vocabulary.Annotations;
import dev.sluice.api.vocabulary.Labels;
import dev.sluice.api.vocabulary.SchedulingGates;
import dev.sluice.jobs.injection.Injection;
import dev.sluice.jobs.object.JobObject;
import dev.sluice.jobs.plan.JobKey;
import dev.sluice.jobs.plan.JobSettings;
import dev.sluice.jobs.plan.Patches;
import dev.sluice.jobs.plan.PlanContext;
import dev.sluice.jobs.plan.Writes;
import dev.sluice.jobs.pod.Pods;
import dev.sluice.jobs.workload.WorkloadView;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The Pods of a kind that queues them in groups. One thread, one plan.
 *
 * @param parent the framework of the kind, as its Pods name it
 * @param owner the object that has the queue
 */
public record ServingPods(String parent, JobObject owner, JobSettings settings, Writes writes) {
  /** Whether a Pod is queued by its owner, and the owner is of this kind. */
  public static boolean areOf(String parent, JsonNode pod) {
    return JobObject.of(pod).annotationText(Annotations.POD_SUSPENDING_PARENT).equals(parent);
  }

  /**
   * Whether the plan of the set may differ after that change of one of its Pods: it adds Pods to
   * their group before they start, and looks at them when they end. A change of what links the Pod
   * to the set is not asked for.
   */
  public static boolean isNews(ObjectChange change) {
    if (change.before().isEmpty() || change.after().isEmpty()) {
      return true;
    }
    JsonNode before = change.before().get();
    JsonNode after = change.after().get();
    return Pods.isGated(after)
        || Pods.isTerminal(after)
        || Pods.isDeleting(after)
        || (Pods.phase(before).equals("Running") && !Pods.phase(after).equals("Running"));
  }

  /**
   * Adds a gated Pod to its group, unless a roll-out is about to replace it here.
   *
   * @param set the StatefulSet that made the Pod
   */
  public void plan(JsonNode pod, JsonNode set, GroupPlace place) {
    if (!areOf(parent, pod) || Pods.isDeleting(pod)) {
      return;
    }
    if (Pods.isTerminal(pod)) {
      Pods.release(pod, writes);
    } else if (isOfOldRevision(pod, set) && !isKept(pod, set) && !place.isElsewhere()) {
      letGo(pod, writes);
    } else if (Pods.isGated(pod)) {
      join(pod, place);
    }
  }

  /** A roll-out, or a deletion, waits for such a Pod, so the Pod must not wait itself. */
  private static void letGo(JsonNode pod, Writes writes) {
    ObjectNode free = pod.deepCopy();
    ObjectNode spec = Patches.child(free, "spec");
    Injection.removeGate(spec, SchedulingGates.ADMISSION);
    Injection.removeGate(spec, SchedulingGates.TOPOLOGY);
    writes.patch(Pods.KIND, pod, Patches.between(pod, free));
  }

  private static boolean isOfOldRevision(JsonNode pod, JsonNode set) {
    String current = set.path("status").path("currentRevision").asText("");
    return !current.isEmpty()
        && !current.equals(set.path("status").path("updateRevision").asText(""))
        && JobObject.of(pod).labelText("controller-revision-hash").equals(current);
  }

  /**
   * Whether a rolling update of a set with a queue of its own stops before that Pod, so that it
   * stays at its revision. The partitions of what makes Pods of a larger set are moved while it is
   * rolled out.
   */
  private boolean isKept(JsonNode pod, JsonNode set) {
    JsonNode spec = set.path("spec");
    long firstUpdated =
        spec.at("/ordinals/start").asLong(0)
            + spec.at("/updateStrategy/rollingUpdate/partition").asLong(0);
    return JobObject.of(set).uid().equals(owner.uid()) && ordinal(pod, set) < firstUpdated;
  }

  /** The number at the end of the Pod's name; the largest there is if there is none. */
  private static long ordinal(JsonNode pod, JsonNode set) {
    String name = pod.path("metadata").path("name").asText();
    String prefix = set.path("metadata").path("name").asText() + "-";
    String number = name.startsWith(prefix) ? name.substring(prefix.length()) : "";
    return number.matches("[0-9]{1,18}") ? Long.parseLong(number) : Long.MAX_VALUE;
  }

  private void join(JsonNode pod, GroupPlace place) {
    ObjectNode joined = pod.deepCopy();
    ObjectNode metadata = Patches.child(joined, "metadata");
    ObjectNode labels = Patches.child(metadata, "labels");
    labels.put(Labels.MANAGED, "true");
    for (String key : List.of(Labels.QUEUE_NAME, Labels.PRIORITY_CLASS)) {
      if (!owner.labelText(key).isEmpty()) {
        labels.put(key, owner.labelText(key));
      }
    }
    boolean byAnnotation = settings.isOn(FeatureGate.WORKLOAD_IDENTIFIER_ANNOTATIONS);
    ObjectNode annotations = Patches.child(metadata, "annotations");
    (byAnnotation ? annotations : labels)
        .put(Labels.POD_GROUP_NAME, place.group())
        .put(Labels.PREBUILT_WORKLOAD, place.group());
    Map<String, String> own = new TreeMap<>(place.annotations());
    own.put(Annotations.POD_GROUP_TOTAL_COUNT, Integer.toString(place.size()));
    own.put(Annotations.POD_GROUP_SERVING, "true");
    own.put(Annotations.ROLE_HASH, place.role());
    own.forEach(annotations::put);
    writes.patch(Pods.KIND, pod, Patches.between(pod, joined));
  }

  /** Releases the Pods of a deleted owner of that kind: they are not replaced. */
  public static void letGo(String parent, JobKey gone, PlanContext context, Writes writes) {
    for (JsonNode workload :
        context.world().workloadsOwnedBy(gone.kind(), gone.namespace(), gone.name())) {
      String group = new WorkloadView(workload).name();
      boolean isElsewhere = context.world().remoteStop(workload).isElsewhere();
      for (JsonNode pod : context.world().podsOfGroup(gone.namespace(), group)) {
        if (areOf(parent, pod) && Pods.isTerminal(pod)) {
          Pods.release(pod, writes);
        } else if (areOf(parent, pod) && !Pods.isDeleting(pod) && !isElsewhere) {
          letGo(pod, writes);
        }
      }
    }
  }
}
