package dev.sluice.lifecycle.memory;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.GroupKind;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.meta.ObjectChange;
import dev.sluice.api.meta.TypedObjectKey;
import dev.sluice.jobs.integration.JobIntegration;
import dev.sluice.jobs.integration.JobLife;
import dev.sluice.jobs.object.JobObject;
import dev.sluice.jobs.plan.JobKey;
import dev.sluice.jobs.pod.Pods;
import dev.sluice.jobs.reconcile.WorkloadMaker;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Creates the Pods of objects that are queued by their Pods only, such as Deployments, like their
 * controllers: the requested number, and replacements for deleted ones. For one thread.
 */
final class PodMaker {
  private final Map<GroupKind, GroupVersionKind> kinds;
  private final MemoryObjects objects;
  private final SequencedSet<TypedObjectKey> due = new LinkedHashSet<>();
  private final Map<TypedObjectKey, Integer> made = new HashMap<>();

  PodMaker(Collection<JobIntegration> kinds, MemoryObjects objects) {
    this.kinds =
        kinds.stream()
            .filter(it -> it.life() instanceof JobLife.ByItsPods)
            .map(JobIntegration::kind)
            .collect(Collectors.toMap(GroupVersionKind::groupKind, Function.identity()));
    this.objects = objects;
  }

  /** Something changed. */
  void note(GroupKind kind, ObjectChange change) {
    JsonNode object = change.latest();
    if (kinds.containsKey(kind)) {
      due.add(TypedObjectKey.of(kind, object));
    } else if (kind.equals(JobKey.POD)) {
      JobObject.of(object)
          .controller()
          .filter(it -> kinds.containsKey(it.kind()))
          .map(it -> new TypedObjectKey(it.kind(), namespace(object), it.name()))
          .ifPresent(due::add);
    }
  }

  private static String namespace(JsonNode object) {
    return object.path("metadata").path("namespace").asText();
  }

  /** Makes the Pods that are missing; whether there were any. */
  boolean make(Consumer<ObjectNode> creator) {
    boolean missing = false;
    while (!due.isEmpty()) {
      TypedObjectKey key = due.removeFirst();
      List<ObjectNode> pods =
          objects
              .find(key.kind(), key.namespace(), key.name())
              .map(owner -> missing(key, owner))
              .orElse(List.of());
      pods.forEach(creator);
      missing |= !pods.isEmpty();
    }
    return missing;
  }

  private List<ObjectNode> missing(TypedObjectKey key, JsonNode owner) {
    long present =
        objects.controlledBy(JobKey.POD, JobObject.of(owner).uid()).stream()
            .filter(it -> !Pods.isDeleting(it) && !Pods.isTerminal(it))
            .count();
    List<ObjectNode> pods = new ArrayList<>();
    for (long i = present; i < owner.path("spec").path("replicas").asInt(1); i++) {
      pods.add(pod(key, owner));
    }
    return pods;
  }

  private ObjectNode pod(TypedObjectKey key, JsonNode owner) {
    ObjectNode pod = owner.path("spec").path("template").deepCopy();
    pod.put("apiVersion", Pods.KIND.apiVersion()).put("kind", Pods.KIND.kind());
    ObjectNode metadata = pod.withObjectProperty("metadata");
    metadata.put("name", key.name() + "-" + made.merge(key, 1, Integer::sum));
    metadata.put("namespace", key.namespace());
    GroupVersionKind kind = requireNonNull(kinds.get(key.kind()));
    metadata
        .putArray("ownerReferences")
        .add(WorkloadMaker.owner(kind, owner).put("controller", true));
    return pod;
  }
}
