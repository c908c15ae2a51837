package dev.sluice.lifecycle.workload;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.meta.Condition;
import dev.sluice.api.meta.ObjectMeta;
import dev.sluice.api.queue.ClusterQueue;
import dev.sluice.api.queue.LocalQueue;
import dev.sluice.api.vocabulary.Annotations;
import dev.sluice.api.vocabulary.ConditionTypes;
import dev.sluice.api.vocabulary.Finalizers;
import dev.sluice.api.vocabulary.Labels;
import dev.sluice.api.vocabulary.PendingReason;
import dev.sluice.api.workload.StatusEditor;
import dev.sluice.api.workload.Workload;
import dev.sluice.api.write.ObjectRef;
import dev.sluice.api.write.Write;
import java.time.Instant;
import java.util.Optional;

/**
 * A Workload with its dependencies and settings at one moment.
 *
 * @param leadsSince when this scheduler began to look after Workloads
 */
record WorkloadContext(
    Workload workload,
    WorkloadDependencies dependencies,
    LifeSettings settings,
    Instant leadsSince,
    Instant now) {
  static final String REPORTER = "kueue-workload-controller";
  private static final String MANAGER = "kueue-admission";

  ObjectMeta metadata() {
    return workload.metadata();
  }

  boolean isTrue(String type) {
    return workload.status().isTrue(type);
  }

  Optional<Condition> condition(String type) {
    return workload.status().condition(type);
  }

  boolean reserved() {
    return isTrue(ConditionTypes.QUOTA_RESERVED);
  }

  /** Whether its job wants no pods for now; set and reset by the job's reconciler. */
  boolean isOnHold() {
    return condition(ConditionTypes.QUOTA_RESERVED)
        .filter(c -> c.reason().equals(PendingReason.ON_HOLD.text()))
        .isPresent();
  }

  boolean active() {
    return workload.spec().active();
  }

  /** Whether its variants are queued, and hold quota, in its place. */
  boolean isSplit() {
    return settings.splits() && metadata().labels().containsKey(Labels.CONCURRENT_ADMISSION_PARENT);
  }

  /** Whether it is a variant of another Workload. */
  boolean isVariant() {
    return metadata().annotations().containsKey(Annotations.ALLOWED_RESOURCE_FLAVORS)
        && metadata().ownerReferences().stream()
            .anyMatch(
                it ->
                    it.kind().equals(ApiKind.WORKLOAD.groupKind().kind())
                        && Boolean.TRUE.equals(it.controller()));
  }

  StatusEditor edit() {
    return new StatusEditor(workload, settings.detail(), now);
  }

  String queueName() {
    return workload.spec().queueName() == null ? "" : workload.spec().queueName();
  }

  Optional<LocalQueue> localQueue() {
    return dependencies.localQueue(metadata().namespace(), queueName());
  }

  /** The ClusterQueue that it has quota of, or would have. */
  Optional<ClusterQueue> clusterQueue() {
    return clusterQueueName().flatMap(dependencies::clusterQueue);
  }

  Optional<String> clusterQueueName() {
    if (reserved() && workload.status().admission() != null) {
      return Optional.ofNullable(workload.status().admission().clusterQueue());
    }
    return localQueue().map(queue -> queue.spec().clusterQueue());
  }

  ObjectRef ref() {
    return new ObjectRef(
        ApiKind.WORKLOAD.hub(), metadata().namespace(), metadata().name(), metadata().uid());
  }

  Write.Event event(String type, String reason, String message) {
    return new Write.Event(ref(), REPORTER, type, reason, message);
  }

  Write.MergePatch patch(ObjectNode body) {
    return new Write.MergePatch(ref(), "", body, MANAGER, metadata().resourceVersion());
  }

  Write.MergePatch withoutFinalizer() {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    var left = body.putObject("metadata").putArray("finalizers");
    metadata().finalizers().stream()
        .filter(f -> !f.equals(Finalizers.RESOURCE_IN_USE))
        .forEach(left::add);
    return patch(body);
  }

  boolean hasFinalizer() {
    return metadata().finalizers().contains(Finalizers.RESOURCE_IN_USE);
  }
}
