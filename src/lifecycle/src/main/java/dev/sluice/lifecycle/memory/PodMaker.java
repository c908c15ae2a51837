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
import dev.sluice.jobs.object.TemplatePaths;
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

/**
 * Creates the Pods of objects that are queued by their Pods only, such as Deployments, like their
 * controllers: the requested number, and replacements for deleted ones. For one thread.
 */
final class PodMaker {
  /**
   * A kind whose objects have Pods made.
   *
   * @param templates where the templates of an object are
   */
  private record Maker(GroupVersionKind kind, JobLife.TemplateFinder templates) {}

  private final Map<GroupKind, Maker> kinds = new HashMap<>();
  private final MemoryObjects objects;
  private final SequencedSet<TypedObjectKey> due = new LinkedHashSet<>();
  private final Map<TypedObjectKey, Integer> made = new HashMap<>();

  PodMaker(Collection<JobIntegration> kinds, MemoryObjects objects) {
    for (JobIntegration kind : kinds) {
      if (kind.life() instanceof JobLife.ByItsPods(var templates)) {
        this.kinds.put(kind.kind().groupKind(), new Maker(kind.kind(), templates));
      }
    }
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
    Maker maker = requireNonNull(kinds.get(key.kind()));
    List<String> present =
        objects.controlledBy(JobKey.POD, JobObject.of(owner).uid()).stream()
            .filter(it -> !Pods.isDeleting(it) && !Pods.isTerminal(it))
            .map(it -> it.path("metadata").path("name").asText())
            .toList();
    List<List<String>> templates = maker.templates().find(owner);
    List<ObjectNode> pods = new ArrayList<>();
    for (int i = 0; i < templates.size(); i++) {
      List<String> way = templates.get(i);
      String start = key.name() + "-" + (templates.size() == 1 ? "" : i + "-");
      long running = present.stream().filter(it -> isNumbered(it, start)).count();
      JsonNode parent = TemplatePaths.at(owner, way.subList(0, way.size() - 1));
      for (long pod = running; pod < parent.path("replicas").asInt(1); pod++) {
        pods.add(pod(key, start, TemplatePaths.at(owner, way), maker.kind(), owner));
      }
    }
    return pods;
  }

  /** Whether it is a name of that start and a number. */
  private static boolean isNumbered(String name, String start) {
    return name.startsWith(start)
        && name.substring(start.length()).chars().allMatch(Character::isDigit);
  }

  private ObjectNode pod(
      TypedObjectKey key, String start, JsonNode template, GroupVersionKind kind, JsonNode owner) {
    ObjectNode pod = template.deepCopy();
    pod.put("apiVersion", Pods.KIND.apiVersion()).put("kind", Pods.KIND.kind());
    ObjectNode metadata = pod.withObjectProperty("metadata");
    metadata.put("name", start + made.merge(key, 1, Integer::sum));
    metadata.put("namespace", key.namespace());
    metadata
        .putArray("ownerReferences")
        .add(WorkloadMaker.owner(kind, owner).put("controller", true));
    return pod;
  }
}
