package dev.sluice.lifecycle.memory;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.meta.TypedObjectKey;
import dev.sluice.jobs.workload.WorkloadView;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The jobs that own Workloads, as far as they are or were here. For one thread. */
final class Owners {
  private final MemoryObjects objects;

  Owners(MemoryObjects objects) {
    this.objects = objects;
  }

  /** Whether a job of the Workload is or was here. */
  boolean hasJob(JsonNode workload) {
    return of(workload).anyMatch(objects::hasSeen);
  }

  private static Stream<TypedObjectKey> of(JsonNode workload) {
    JsonNode metadata = workload.path("metadata");
    return metadata
        .path("ownerReferences")
        .valueStream()
        .map(
            owner ->
                new TypedObjectKey(
                    GroupVersionKind.of(
                            owner.path("apiVersion").asText(), owner.path("kind").asText())
                        .groupKind(),
                    metadata.path("namespace").asText(),
                    owner.path("name").asText()));
  }

  /**
   * What owns the Workload, and what owns that as far as it is here, such as the Deployment of its
   * Pod.
   */
  Set<TypedObjectKey> all(JsonNode workload) {
    Set<TypedObjectKey> found = new LinkedHashSet<>();
    Deque<JsonNode> owned = new ArrayDeque<>(List.of(workload));
    while (!owned.isEmpty()) {
      of(owned.removeFirst())
          .filter(found::add)
          .flatMap(it -> objects.find(it.kind(), it.namespace(), it.name()).stream())
          .forEach(owned::add);
    }
    return found;
  }

  /** The Workload, and the jobs that own it as far as they are here. */
  List<JsonNode> withOwners(ObjectKey key) {
    return objects
        .find(WorkloadView.KIND, key.namespace(), key.name())
        .map(it -> Stream.concat(Stream.of(it), present(it)).toList())
        .orElse(List.of());
  }

  /** Those that are here. */
  Stream<JsonNode> present(JsonNode workload) {
    return of(workload).flatMap(it -> objects.find(it.kind(), it.namespace(), it.name()).stream());
  }
}
