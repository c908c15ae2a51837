package dev.sluice.lifecycle.jobs;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.GroupKind;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.meta.ObjectChange;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.jobs.plan.JobWorld;
import dev.sluice.jobs.plan.RemoteStop;
import dev.sluice.lifecycle.store.ObjectCache;
import dev.sluice.lifecycle.store.ObjectIndex;
import dev.sluice.quota.ObjectKind;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/** The watched objects, as the planner of jobs needs them. Thread-safe. */
public final class IndexedJobWorld implements JobWorld {
  private static final GroupKind WORKLOAD = ApiKind.WORKLOAD.groupKind();

  private final ObjectCache objects;
  private final ObjectIndex owners = new ObjectIndex(IndexedJobWorld::owners);
  private final ObjectIndex groups;
  private final Function<JsonNode, RemoteStop> remoteStop;
  private final Predicate<JsonNode> isReadyElsewhere;

  /** The objects of a cluster that sends nothing to others. */
  public IndexedJobWorld(ObjectCache objects, Function<JsonNode, String> groupOf) {
    this(objects, groupOf, _ -> RemoteStop.LOCAL, _ -> false);
  }

  /**
   * The objects of a cluster.
   *
   * @param groupOf the group that a Pod names; empty for none
   * @param remoteStop whether Pods of a Workload run on other clusters
   * @param isReadyElsewhere whether all of them are up, where no object here says so
   */
  public IndexedJobWorld(
      ObjectCache objects,
      Function<JsonNode, String> groupOf,
      Function<JsonNode, RemoteStop> remoteStop,
      Predicate<JsonNode> isReadyElsewhere) {
    this.objects = objects;
    this.remoteStop = remoteStop;
    this.isReadyElsewhere = isReadyElsewhere;
    this.groups =
        new ObjectIndex(
            pod -> {
              String group = groupOf.apply(pod);
              return group.isEmpty() ? Set.of() : Set.of(inNamespace(pod, group));
            });
  }

  private static String inNamespace(JsonNode object, String value) {
    return object.path("metadata").path("namespace").asText() + "/" + value;
  }

  private static Set<String> owners(JsonNode workload) {
    Set<String> owners = new HashSet<>();
    for (JsonNode owner : workload.path("metadata").path("ownerReferences")) {
      GroupVersionKind kind =
          GroupVersionKind.of(owner.path("apiVersion").asText(), owner.path("kind").asText());
      owners.add(inNamespace(workload, owner(kind.groupKind(), owner.path("name").asText())));
    }
    return owners;
  }

  private static String owner(GroupKind kind, String name) {
    return kind + "/" + name;
  }

  public void note(GroupKind kind, ObjectChange change) {
    if (kind.equals(WORKLOAD)) {
      owners.note(change);
    } else if (kind.equals(ObjectKind.POD.id())) {
      groups.note(change);
    }
  }

  @Override
  public Optional<JsonNode> find(GroupKind kind, String namespace, String name) {
    return objects.find(kind, namespace, name);
  }

  @Override
  public boolean watches(GroupKind kind) {
    return objects.watches(kind);
  }

  @Override
  public boolean knows(GroupKind kind) {
    return objects.knows(kind);
  }

  @Override
  public List<JsonNode> list(GroupKind kind) {
    return List.copyOf(objects.all(kind));
  }

  @Override
  public List<JsonNode> workloadsOwnedBy(GroupKind kind, String namespace, String name) {
    return found(WORKLOAD, owners.find(namespace + "/" + owner(kind, name)));
  }

  @Override
  public List<JsonNode> controlledBy(GroupKind kind, String namespace, String ownerUid) {
    List<JsonNode> controlled = objects.controlledBy(kind, ownerUid);
    if (controlled.isEmpty()) {
      return List.of(); // asked for each kind of each change of a Workload
    }
    return controlled.stream()
        .filter(it -> it.path("metadata").path("namespace").asText().equals(namespace))
        .sorted(Comparator.comparing(it -> it.path("metadata").path("name").asText()))
        .toList();
  }

  @Override
  public List<JsonNode> podsOfGroup(String namespace, String group) {
    return found(ObjectKind.POD.id(), groups.find(namespace + "/" + group));
  }

  @Override
  public RemoteStop remoteStop(JsonNode workload) {
    return remoteStop.apply(workload);
  }

  @Override
  public boolean isReadyElsewhere(JsonNode workload) {
    return isReadyElsewhere.test(workload);
  }

  private List<JsonNode> found(GroupKind kind, List<ObjectKey> keys) {
    return keys.stream()
        .flatMap(key -> objects.find(kind, key.namespace(), key.name()).stream())
        .toList();
  }
}
