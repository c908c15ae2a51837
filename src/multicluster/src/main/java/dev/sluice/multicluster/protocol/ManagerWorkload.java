package dev.sluice.multicluster.protocol;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.meta.Conditions;
import dev.sluice.api.meta.Messages;
import dev.sluice.api.vocabulary.ConditionTypes;
import dev.sluice.api.vocabulary.Controllers;
import dev.sluice.api.vocabulary.EventReasons;
import dev.sluice.api.vocabulary.Reasons;
import dev.sluice.api.write.ObjectRef;
import dev.sluice.api.write.Write;
import dev.sluice.jobs.plan.Patches;
import dev.sluice.jobs.plan.Writes;
import dev.sluice.jobs.reconcile.SliceOrder;
import dev.sluice.jobs.workload.WorkloadEdit;
import dev.sluice.jobs.workload.WorkloadView;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The manager's Workload: what it says, and the patches of its status. Each patch demands the
 * resourceVersion, since it replaces the list of checks.
 */
final class ManagerWorkload {
  private static final String CHECKS = "admissionChecks";
  private static final String CLUSTER = "clusterName";
  private static final String NOMINATED = "nominatedClusterNames";
  private static final String STATUS = "status";

  private final JsonNode tree;
  private final String check;

  ManagerWorkload(JsonNode tree, String check) {
    this.tree = tree;
    this.check = check;
  }

  JsonNode tree() {
    return tree;
  }

  boolean is(String condition) {
    return Conditions.isTrue(tree, condition);
  }

  /** What a condition says to users; empty if there is none. */
  String message(String condition) {
    return Conditions.find(tree, condition).map(it -> it.path("message").asText()).orElse("");
  }

  private Optional<JsonNode> state() {
    return tree.path(STATUS)
        .path(CHECKS)
        .valueStream()
        .filter(it -> it.path("name").asText().equals(check))
        .findFirst();
  }

  boolean isBeingDeleted() {
    return Withdrawal.isBeingDeleted(tree);
  }

  /** Whether nothing is to run for it: it is over, goes, has no quota, or no such check. */
  boolean isIdle() {
    return isBeingDeleted()
        || is(ConditionTypes.FINISHED)
        || !is(ConditionTypes.QUOTA_RESERVED)
        || state().isEmpty();
  }

  /**
   * Whether its check was taken out of the ClusterQueue while its job runs on a worker. It goes on
   * there, as Workloads of any other check do.
   */
  boolean runsWithoutCheck() {
    return state().isEmpty()
        && !cluster().isEmpty()
        && is(ConditionTypes.ADMITTED)
        && is(ConditionTypes.QUOTA_RESERVED)
        && !is(ConditionTypes.EVICTED)
        && !is(ConditionTypes.FINISHED)
        && !isBeingDeleted();
  }

  /** Whether nobody waits for a clean end of what runs elsewhere. */
  boolean isOver() {
    return isBeingDeleted()
        || (is(ConditionTypes.FINISHED) && !SliceOrder.isReplaced(new WorkloadView(tree)));
  }

  /** The state of the check; empty if there is none. */
  String checkState() {
    return state().map(it -> it.path("state").asText()).orElse("");
  }

  String checkMessage() {
    return state().map(it -> it.path("message").asText()).orElse("");
  }

  /** Since when the check has its state, by our clock; empty if that cannot be read. */
  Optional<Instant> checkSince() {
    return state().flatMap(ManagerWorkload::transition);
  }

  /** Since when workers could have admitted it: the last change of state of a check or of quota. */
  Optional<Instant> offeredSince() {
    return Stream.concat(
            tree.path(STATUS).path(CHECKS).valueStream(),
            Conditions.find(tree, ConditionTypes.QUOTA_RESERVED).stream())
        .flatMap(it -> transition(it).stream())
        .max(Instant::compareTo);
  }

  /** When a condition or a check became what it is; empty for a time that cannot be read. */
  static Optional<Instant> transition(JsonNode state) {
    try {
      return Optional.of(Instant.parse(state.path("lastTransitionTime").asText()));
    } catch (DateTimeParseException _) {
      return Optional.empty();
    }
  }

  boolean areOtherChecksReady() {
    return tree.path(STATUS)
        .path(CHECKS)
        .valueStream()
        .filter(it -> !it.path("name").asText().equals(check))
        .allMatch(it -> it.path("state").asText().equals("Ready"));
  }

  /** The chosen cluster; empty for none. */
  String cluster() {
    return tree.path(STATUS).path(CLUSTER).asText("");
  }

  List<String> nominated() {
    return tree.path(STATUS).path(NOMINATED).valueStream().map(JsonNode::asText).toList();
  }

  /** Says that the check refuses or wants another try; what it was before stands at the end. */
  Write reset(String state, String message, Instant now) {
    String suffix = ", Previously: \"" + checkState() + "\"";
    return check(state, message + suffix, Controllers.MULTI_KUEUE, now, _ -> {});
  }

  /** The same after an eviction on the worker, which is told in other words. */
  Write evictedThere(String cluster, Instant now) {
    String message =
        "Workload evicted on worker cluster: \"%s\", resetting for re-admission. Previously: \"%s\""
            .formatted(cluster, checkState());
    return check("Retry", message, Writes.ADMISSION, now, _ -> {});
  }

  /** The message of a Ready check. */
  static String admittedOn(String cluster) {
    return "The workload was admitted on \"" + cluster + "\"";
  }

  /** Says in one patch where it runs. */
  Write choose(String cluster, Instant now) {
    return check(
        "Ready",
        admittedOn(cluster),
        Controllers.MULTI_KUEUE,
        now,
        status -> {
          status.put(CLUSTER, cluster);
          status.putNull(NOMINATED);
          delayedTopologyReady(status);
        });
  }

  private void delayedTopologyReady(ObjectNode status) {
    JsonNode assignments = tree.path(STATUS).path("admission").path("podSetAssignments");
    ArrayNode changed = Patches.object().arrayNode();
    boolean isPending = false;
    for (JsonNode assignment : assignments) {
      ObjectNode copy = assignment.deepCopy();
      if (copy.path("delayedTopologyRequest").asText().equals("Pending")) {
        copy.put("delayedTopologyRequest", "Ready");
        isPending = true;
      }
      changed.add(copy);
    }
    if (isPending) {
      status.putObject("admission").set("podSetAssignments", changed);
    }
  }

  /** Says why it waits; state and time of transition stay. */
  Write tell(String message, Instant now) {
    return check(checkState(), message, Controllers.MULTI_KUEUE, now, _ -> {});
  }

  /** Stores the clusters that it is offered to. */
  Write nominate(List<String> clusters) {
    ObjectNode patch = Patches.object();
    ArrayNode names = patch.putObject(STATUS).putArray(NOMINATED);
    clusters.forEach(names::add);
    return patch(patch, Controllers.MULTI_KUEUE);
  }

  private Write check(
      String state, String message, String manager, Instant now, Consumer<ObjectNode> more) {
    ObjectNode patch = Patches.object();
    ObjectNode status = patch.putObject(STATUS);
    ArrayNode checks = status.putArray(CHECKS);
    for (JsonNode it : tree.path(STATUS).path(CHECKS)) {
      ObjectNode copy = it.deepCopy();
      if (copy.path("name").asText().equals(check)) {
        if (!copy.path("state").asText().equals(state)) {
          copy.put("lastTransitionTime", now.toString());
        }
        copy.put("state", state).put("message", Messages.cut(message));
      }
      checks.add(copy);
    }
    more.accept(status);
    return patch(patch, manager);
  }

  private Write patch(ObjectNode patch, String manager) {
    return new Write.MergePatch(
        ObjectRef.of(WorkloadView.TYPE, tree), STATUS, patch, manager, Withdrawal.version(tree));
  }

  /** Says that it is over, in the words of the worker. */
  List<Write> finish(String reason, String message, Instant now) {
    Writes writes = new Writes("");
    WorkloadEdit edit = WorkloadEdit.of(new WorkloadView(tree), now);
    edit.status().finish(reason, message);
    edit.addTo(writes, Writes.ADMISSION);
    return writes.all();
  }

  /** Says that it is to be deactivated, as when its time is over here, and tells users. */
  List<Write> ranTooLong(String cluster, Instant now) {
    String message = "exceeding the maximum execution time on worker cluster \"" + cluster + "\"";
    Writes writes = new Writes("");
    WorkloadEdit edit = WorkloadEdit.of(new WorkloadView(tree), now);
    edit.status()
        .set(
            ConditionTypes.DEACTIVATION_TARGET,
            true,
            Reasons.MAXIMUM_EXECUTION_TIME_EXCEEDED,
            message);
    edit.addTo(writes, Writes.ADMISSION);
    List<Write> all = new ArrayList<>(writes.all());
    all.add(event("Warning", "Workload is deactivated due to " + message));
    return all;
  }

  Write event(String type, String message) {
    return new Write.Event(
        ObjectRef.of(WorkloadView.TYPE, tree),
        type,
        EventReasons.MULTI_KUEUE,
        Messages.cut(message, 1024));
  }
}
