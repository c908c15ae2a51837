package dev.sluice.jobs.statefulset;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.configuration.Framework;
import dev.sluice.api.vocabulary.Annotations;
import dev.sluice.api.vocabulary.Labels;
import dev.sluice.api.vocabulary.SchedulingGates;
import dev.sluice.jobs.injection.Injection;
import dev.sluice.jobs.object.JobObject;
import dev.sluice.jobs.object.WorkloadName;
import dev.sluice.jobs.plan.JobKey;
import dev.sluice.jobs.plan.JobSettings;
import dev.sluice.jobs.plan.JobWorld;
import dev.sluice.jobs.plan.Patches;
import dev.sluice.jobs.plan.PlanContext;
import dev.sluice.jobs.plan.Writes;
import dev.sluice.jobs.pod.Pods;
import dev.sluice.jobs.reconcile.JobReconciler;
import dev.sluice.jobs.reconcile.WorkloadMaker;
import dev.sluice.jobs.reconcile.WorkloadMatcher;
import dev.sluice.jobs.workload.OnHold;
import dev.sluice.jobs.workload.PodSetShape;
import dev.sluice.jobs.workload.PodSetTopology;
import dev.sluice.jobs.workload.Priority;
import dev.sluice.jobs.workload.WorkloadFinalizer;
import dev.sluice.jobs.workload.WorkloadView;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A StatefulSet, whose Pods are a group that serves: the set makes the group's Workload and tells
 * its Pods which group they are in; then they are planned as any group. While it has no replicas,
 * the Workload stays and has no quota. One thread, one plan.
 */
final class StatefulSetReconciler {
  static final GroupVersionKind KIND = Framework.STATEFUL_SET.type();
  static final String REPORTER = "statefulset-kueue-controller";

  private static final String INDEX = "apps.kubernetes.io/pod-index";
  private static final String PARENT = "statefulset";
  private static final String ROLE = "main";
  private static final Duration LATER = Duration.ofSeconds(10);

  private final JsonNode set;
  private final JobWorld world;
  private final JobSettings settings;
  private final Instant now;
  private final Writes writes;
  private Optional<Instant> again = Optional.empty();

  StatefulSetReconciler(JsonNode set, PlanContext context, Writes writes) {
    this.set = set;
    this.world = context.world();
    this.settings = context.settings();
    this.now = context.now();
    this.writes = writes;
  }

  private JobObject meta() {
    return JobObject.of(set);
  }

  private String namespace() {
    return set.path("metadata").path("namespace").asText();
  }

  private int replicas() {
    return set.path("spec").path("replicas").asInt(1);
  }

  /** Plans the next writes, and tells when to plan again though nothing changed. */
  Optional<Instant> plan() {
    if (!meta().isBeingDeleted()
        && JobReconciler.isManaged(meta(), settings)
        && JobReconciler.isManagedNamespace(namespace(), world, settings)
        && isQueuedByItself()) {
      planSet();
    }
    return again;
  }

  private void planSet() {
    List<String> names = names();
    Optional<WorkloadView> workload =
        names.stream()
            .flatMap(it -> world.find(WorkloadView.KIND, namespace(), it).stream())
            .map(WorkloadView::new)
            .findFirst();
    if (workload.isPresent()) {
      planWith(workload.get());
    } else if (replicas() > 0) {
      create(names.getFirst());
    }
  }

  /** A set that belongs to another kind says so in its template. */
  private boolean isQueuedByItself() {
    String parent =
        JobObject.of(set.path("spec").path("template"))
            .annotationText(Annotations.POD_SUSPENDING_PARENT);
    return parent.isEmpty() || parent.equals(PARENT);
  }

  private List<String> names() {
    return WorkloadName.of(
        KIND.kind(), KIND.group(), meta(), settings.isOn(FeatureGate.SHORT_WORKLOAD_NAMES));
  }

  private void create(String name) {
    JsonNode template = set.path("spec").path("template");
    ObjectNode bare = Patches.object();
    bare.putObject("metadata");
    bare.set("spec", PodSetShape.podSpec(template.path("spec")));
    List<PodSetShape> podSets =
        List.of(
            new PodSetShape(
                ROLE,
                bare,
                replicas(),
                OptionalInt.empty(),
                PodSetTopology.request(template.path("metadata").path("annotations"), INDEX)));
    Priority.Found priority = Priority.of(meta(), podSets, world);
    if (priority.priority().isEmpty()) {
      again = Optional.of(now.plus(LATER));
      priority.tellMissing(KIND, set, writes);
      return;
    }
    var maker = new WorkloadMaker(settings);
    ObjectNode spec = maker.spec(meta(), podSets, priority.priority().get());
    spec.remove("maximumExecutionTimeSeconds"); // what serves has no end (reference: OPP-59)
    ObjectNode workload = maker.bare(namespace(), name, spec);
    maker.describe(workload, meta());
    WorkloadMaker.label(workload, meta().uid());
    own(workload);
    writes.create(WorkloadView.TYPE, workload);
    writes.event(KIND, set, "CreatedWorkload", "Created Workload: " + namespace() + "/" + name);
  }

  /** Says whose it is, as far as that is not said. */
  private void own(ObjectNode workload) {
    ObjectNode metadata = Patches.child(workload, "metadata");
    Patches.child(metadata, "annotations")
        .put(Annotations.IS_GROUP_WORKLOAD, "true")
        .put(Annotations.JOB_OWNER_GVK, "apps/v1, Kind=StatefulSet")
        .put(Annotations.JOB_OWNER_NAME, set.path("metadata").path("name").asText());
    boolean isOwner =
        WorkloadView.items(metadata.path("ownerReferences")).stream()
            .anyMatch(it -> it.path("uid").asText().equals(meta().uid()));
    if (!isOwner) {
      metadata.withArray("ownerReferences").add(WorkloadMaker.owner(KIND, set));
    }
  }

  private void planWith(WorkloadView workload) {
    if (workload.meta().isBeingDeleted()) {
      WorkloadFinalizer.release(workload, writes);
    } else if (!follow(workload) && !hold(workload)) {
      for (JsonNode pod : pods()) {
        planPod(pod, workload);
      }
    }
  }

  private boolean follow(WorkloadView workload) {
    ObjectNode wanted = workload.tree().deepCopy();
    own(wanted);
    WorkloadMatcher.followGate(meta(), wanted, settings);
    ObjectNode spec = Patches.child(wanted, "spec");
    if (!workload.hasReservation() && !meta().queueName().isEmpty()) {
      spec.put("queueName", meta().queueName());
    }
    boolean mayResize = !workload.hasReservation() && replicas() > 0;
    if (mayResize && spec.path("podSets").path(0) instanceof ObjectNode podSet) {
      podSet.put("count", replicas());
    }
    ObjectNode patch = Patches.between(workload.tree(), wanted);
    writes.patch(WorkloadView.TYPE, workload.tree(), patch);
    return !patch.isEmpty();
  }

  /** Takes the quota of a set without replicas once its Pods are gone, and asks again with some. */
  private boolean hold(WorkloadView workload) {
    boolean isHeld = OnHold.isHeld(workload);
    if (replicas() == 0 && !isHeld) {
      if (pods().isEmpty()) {
        String message = "StatefulSet scaled to zero; workload on hold";
        OnHold.begin(workload, message, settings, now, writes);
      }
      return true;
    }
    if (replicas() > 0 && isHeld) {
      OnHold.end(workload, settings, now, writes);
      return true;
    }
    return isHeld;
  }

  private List<JsonNode> pods() {
    return world.controlledBy(JobKey.POD, namespace(), meta().uid());
  }

  private void planPod(JsonNode pod, WorkloadView workload) {
    boolean isOurs =
        JobObject.of(pod).annotationText(Annotations.POD_SUSPENDING_PARENT).equals(PARENT);
    if (!isOurs || Pods.isDeleting(pod)) {
      return;
    }
    if (Pods.isTerminal(pod)) {
      Pods.release(pod, writes);
      return;
    }
    ObjectNode wanted = pod.deepCopy();
    if (isOfOldRevision(pod)) {
      ObjectNode spec = Patches.child(wanted, "spec");
      Injection.removeGate(spec, SchedulingGates.ADMISSION);
      Injection.removeGate(spec, SchedulingGates.TOPOLOGY);
    } else if (Pods.isGated(pod)) {
      join(Patches.child(wanted, "metadata"), workload.name());
    }
    writes.patch(Pods.KIND, pod, Patches.between(pod, wanted));
  }

  /** A Pod that a roll-out replaces must not wait, or the roll-out would. */
  private boolean isOfOldRevision(JsonNode pod) {
    String current = set.path("status").path("currentRevision").asText("");
    return !current.isEmpty()
        && !current.equals(set.path("status").path("updateRevision").asText(""))
        && JobObject.of(pod).labelText("controller-revision-hash").equals(current);
  }

  private void join(ObjectNode metadata, String group) {
    ObjectNode labels = Patches.child(metadata, "labels");
    labels.put(Labels.MANAGED, "true");
    for (String key : List.of(Labels.QUEUE_NAME, Labels.PRIORITY_CLASS)) {
      if (!meta().labelText(key).isEmpty()) {
        labels.put(key, meta().labelText(key));
      }
    }
    boolean byAnnotation = settings.isOn(FeatureGate.WORKLOAD_IDENTIFIER_ANNOTATIONS);
    ObjectNode annotations = Patches.child(metadata, "annotations");
    (byAnnotation ? annotations : labels)
        .put(Labels.POD_GROUP_NAME, group)
        .put(Labels.PREBUILT_WORKLOAD, group);
    annotations
        .put(Annotations.POD_GROUP_TOTAL_COUNT, Integer.toString(replicas()))
        .put(Annotations.POD_GROUP_FAST_ADMISSION, "true")
        .put(Annotations.POD_GROUP_SERVING, "true")
        .put(Annotations.POD_GROUP_POD_INDEX_LABEL, INDEX)
        .put(Annotations.ROLE_HASH, ROLE);
  }
}
