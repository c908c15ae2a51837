package dev.sluice.lifecycle.variant;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.GroupKind;
import dev.sluice.api.meta.ObjectChange;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.meta.OwnerReference;
import dev.sluice.api.queue.ClusterQueue;
import dev.sluice.api.read.MalformedObjectException;
import dev.sluice.api.workload.Workload;
import dev.sluice.lifecycle.store.ObjectIndex;
import dev.sluice.lifecycle.store.ObjectLookup;
import dev.sluice.lifecycle.workload.WorkloadDependencies;
import dev.sluice.lifecycle.workload.WorkloadTriggers;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Finds Workloads with their variants, and the Workloads that a change affects. Thread-safe. */
public final class Families {
  private static final GroupKind WORKLOAD = ApiKind.WORKLOAD.groupKind();

  private final ObjectLookup objects;
  private final Function<JsonNode, Workload> reader;
  private final WorkloadTriggers triggers;
  private final WorkloadDependencies dependencies;
  private final ObjectIndex variants = new ObjectIndex(Families::parent);

  /**
   * An index that is empty at first.
   *
   * @param reader throws {@link MalformedObjectException} if an object is no valid Workload
   * @param triggers indexes each change before this does
   */
  public Families(
      ObjectLookup objects,
      Function<JsonNode, Workload> reader,
      WorkloadTriggers triggers,
      WorkloadDependencies dependencies) {
    this.objects = objects;
    this.reader = reader;
    this.triggers = triggers;
    this.dependencies = dependencies;
  }

  private static Set<String> parent(JsonNode workload) {
    return parentOf(workload).map(ObjectKey::toString).map(Set::of).orElse(Set.of());
  }

  private static Optional<ObjectKey> parentOf(JsonNode workload) {
    String namespace = ObjectKey.of(workload).namespace();
    return workload
        .at("/metadata/ownerReferences")
        .valueStream()
        .filter(it -> it.path("controller").asBoolean())
        .filter(it -> it.path("kind").asText().equals(WORKLOAD.kind()))
        .map(it -> new ObjectKey(namespace, it.path("name").asText()))
        .findFirst();
  }

  /** Indexes a change, and returns the Workloads to plan since. */
  public Collection<ObjectKey> concernedBy(GroupKind kind, ObjectChange change) {
    if (!kind.equals(WORKLOAD)) {
      return triggers.queuedBehind(kind, change);
    }
    variants.note(change);
    return Set.of(parentOf(change.latest()).orElseGet(() -> ObjectKey.of(change.latest())));
  }

  /** The Workloads whose LocalQueue points to that ClusterQueue. */
  public Collection<ObjectKey> queuedIn(String clusterQueue) {
    return triggers.queuedIn(clusterQueue);
  }

  /** The Workloads to be planned, among these. */
  public Collection<ObjectKey> among(Collection<JsonNode> workloads) {
    Set<ObjectKey> all = new LinkedHashSet<>();
    workloads.forEach(it -> all.add(parentOf(it).orElseGet(() -> ObjectKey.of(it))));
    return all;
  }

  /** The Workload of that name, if there is one, with the variants of any Workload of that name. */
  public Family of(ObjectKey name) {
    Optional<Workload> parent = find(name);
    List<Workload> own = new ArrayList<>();
    for (ObjectKey key : variants.find(name.toString())) {
      find(key).ifPresent(own::add);
    }
    return new Family(parent, own, parent.flatMap(this::clusterQueue));
  }

  private Optional<Workload> find(ObjectKey key) {
    try {
      return objects.find(WORKLOAD, key.namespace(), key.name()).map(reader);
    } catch (MalformedObjectException _) {
      return Optional.empty(); // the controller of Workloads reports it
    }
  }

  private Optional<ClusterQueue> clusterQueue(Workload workload) {
    String queue = workload.spec().queueName();
    return queue == null
        ? Optional.empty()
        : dependencies
            .localQueue(workload.metadata().namespace(), queue)
            .map(it -> it.spec().clusterQueue())
            .flatMap(dependencies::clusterQueue);
  }

  /** The uid of the Workload that controls this one. */
  static Optional<String> parentUid(Workload workload) {
    return workload.metadata().ownerReferences().stream()
        .filter(it -> it.kind().equals(WORKLOAD.kind()) && Boolean.TRUE.equals(it.controller()))
        .map(OwnerReference::uid)
        .findFirst();
  }

  /**
   * A Workload with its variants.
   *
   * @param parent empty if it is gone
   * @param clusterQueue that of its LocalQueue; empty while it is unknown
   */
  public record Family(
      Optional<Workload> parent, List<Workload> variants, Optional<ClusterQueue> clusterQueue) {
    public Family {
      variants = List.copyOf(variants);
    }
  }
}
