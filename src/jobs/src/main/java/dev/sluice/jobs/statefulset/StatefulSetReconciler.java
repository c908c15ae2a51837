package dev.sluice.jobs.statefulset;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.configuration.Framework;
import dev.sluice.api.vocabulary.Annotations;
import dev.sluice.jobs.plan.JobKey;
import dev.sluice.jobs.plan.Patches;
import dev.sluice.jobs.plan.PlanContext;
import dev.sluice.jobs.plan.Writes;
import dev.sluice.jobs.serving.GroupPlace;
import dev.sluice.jobs.serving.ServingPods;
import dev.sluice.jobs.serving.ServingSet;
import dev.sluice.jobs.workload.OnHold;
import dev.sluice.jobs.workload.PodSetShape;
import dev.sluice.jobs.workload.PodSetTopology;
import dev.sluice.jobs.workload.WorkloadView;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A StatefulSet, whose Pods are one group that serves. While it has no replicas, the Workload stays
 * and has no quota. One thread, one plan.
 */
final class StatefulSetReconciler {
  static final GroupVersionKind KIND = Framework.STATEFUL_SET.type();
  static final String PARENT = Framework.STATEFUL_SET.frameworkName();
  static final String REPORTER = "statefulset-kueue-controller";

  private static final String INDEX = "apps.kubernetes.io/pod-index";
  private static final String ROLE = "main";

  private final JsonNode tree;
  private final PlanContext context;
  private final Writes writes;
  private final ServingSet set;

  StatefulSetReconciler(JsonNode tree, PlanContext context, Writes writes) {
    this.tree = tree;
    this.context = context;
    this.writes = writes;
    this.set = new ServingSet(KIND, PARENT, tree, context, writes);
  }

  private int replicas() {
    return tree.path("spec").path("replicas").asInt(1);
  }

  private JsonNode template() {
    return tree.path("spec").path("template");
  }

  /** Plans the next writes, and returns when to plan again without a change. */
  Optional<Instant> plan() {
    if (set.isQueued(template())) {
      List<String> names = set.names(set.name());
      set.find(names)
          .ifPresentOrElse(
              this::planWith,
              () -> {
                if (replicas() > 0) {
                  set.create(names.getFirst(), podSets(), Map.of());
                }
              });
    }
    return set.again();
  }

  private List<PodSetShape> podSets() {
    ObjectNode bare = Patches.object();
    bare.putObject("metadata");
    bare.set("spec", PodSetShape.podSpec(template().path("spec")));
    JsonNode annotations = template().path("metadata").path("annotations");
    return List.of(
        new PodSetShape(
            ROLE,
            bare,
            replicas(),
            OptionalInt.empty(),
            PodSetTopology.request(annotations, INDEX)));
  }

  private void planWith(WorkloadView workload) {
    List<PodSetShape> podSets = replicas() > 0 ? podSets() : List.of();
    if (workload.meta().isBeingDeleted()) {
      set.release(workload);
    } else if (!set.follow(workload, podSets, Map.of()) && !hold(workload)) {
      ServingPods members = set.pods();
      GroupPlace place = place(workload);
      pods().forEach(pod -> members.plan(pod, tree, place));
    }
  }

  /** Takes the quota of a set without replicas once its Pods are gone, and asks again with some. */
  private boolean hold(WorkloadView workload) {
    boolean isHeld = OnHold.isHeld(workload);
    if (replicas() == 0 && !isHeld) {
      if (pods().isEmpty()) {
        String message = "StatefulSet scaled to zero; workload on hold";
        OnHold.begin(workload, message, context.settings(), context.now(), writes);
      }
      return true;
    }
    if (replicas() > 0 && isHeld) {
      OnHold.end(workload, context.settings(), context.now(), writes);
      return true;
    }
    return isHeld;
  }

  private List<JsonNode> pods() {
    return context.world().controlledBy(JobKey.POD, set.namespace(), set.meta().uid());
  }

  private GroupPlace place(WorkloadView workload) {
    return new GroupPlace(
        workload.name(),
        ROLE,
        replicas(),
        Map.of(
            Annotations.POD_GROUP_FAST_ADMISSION,
            "true",
            Annotations.POD_GROUP_POD_INDEX_LABEL,
            INDEX),
        context.world().remoteStop(workload.tree()).isElsewhere());
  }
}
