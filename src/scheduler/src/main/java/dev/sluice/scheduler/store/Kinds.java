package dev.sluice.scheduler.store;

import dev.sluice.api.ApiKind;
import dev.sluice.api.GroupKind;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.cluster.json.Keep;
import dev.sluice.cluster.view.WatchedKind;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What the scheduler watches, each kind at the version it is stored at. */
public final class Kinds {
  public static final GroupKind NAMESPACE = new GroupKind("", "Namespace");
  public static final GroupKind POD = new GroupKind("", "Pod");
  public static final GroupKind NODE = new GroupKind("", "Node");
  public static final GroupKind LIMIT_RANGE = new GroupKind("", "LimitRange");
  public static final GroupKind RUNTIME_CLASS = new GroupKind("node.k8s.io", "RuntimeClass");
  public static final GroupKind PRIORITY_CLASS =
      new GroupKind("scheduling.k8s.io", "PriorityClass");
  public static final GroupKind REPLICA_SET = new GroupKind("apps", "ReplicaSet");

  private static final Keep WHOLE =
      Keep.allBut("apiVersion", "kind").with("metadata", Keep.allBut("managedFields"));
  private static final Keep METADATA = Keep.only().with("metadata", Keep.allBut("managedFields"));

  /** What placement reads of a node. */
  private static final Keep NODE_ROOM =
      Keep.only()
          .with("metadata", Keep.only("name", "uid", "resourceVersion", "labels"))
          .with("spec", Keep.only("unschedulable", "taints"))
          .with("status", Keep.only("allocatable", "conditions"));

  /** What placement reads of a pod: what it takes of its node, and whether it is one of ours. */
  private static final Keep POD_ROOM =
      Keep.only()
          .with(
              "metadata",
              Keep.only(
                  "name",
                  "namespace",
                  "uid",
                  "resourceVersion",
                  "labels",
                  "annotations",
                  "deletionTimestamp"))
          .with(
              "spec",
              Keep.only("nodeName", "nodeSelector", "overhead", "resources", "schedulingGates")
                  .with("containers", Keep.only("name", "resources", "restartPolicy"))
                  .with("initContainers", Keep.only("name", "resources", "restartPolicy")))
          .with("status", Keep.only("phase"));

  private Kinds() {}

  /**
   * The kinds to watch.
   *
   * @param jobs the kinds of jobs that are managed
   * @param placing whether pods are placed by topology, for which nodes and their pods count
   */
  public static List<WatchedKind> watched(Set<GroupVersionKind> jobs, boolean placing) {
    Map<GroupKind, WatchedKind> kinds = new LinkedHashMap<>();
    put(kinds, core("", "v1", NAMESPACE), "namespaces", METADATA, true);
    for (ApiKind kind : ApiKind.values()) {
      put(kinds, kind.hub(), kind.plural(), WHOLE, false);
    }
    put(kinds, core("", "v1", LIMIT_RANGE), "limitranges", WHOLE, false);
    put(kinds, core("node.k8s.io", "v1", RUNTIME_CLASS), "runtimeclasses", WHOLE, false);
    put(kinds, core("scheduling.k8s.io", "v1", PRIORITY_CLASS), "priorityclasses", WHOLE, false);
    jobs.forEach(
        job -> kinds.putIfAbsent(job.groupKind(), watched(job, Optional.empty(), WHOLE, false)));
    if (placing) {
      put(kinds, core("", "v1", NODE), "nodes", NODE_ROOM, false);
      GroupVersionKind pods = core("", "v1", POD);
      kinds.putIfAbsent(POD, watched(pods, Optional.of("pods"), POD_ROOM, false));
    }
    if (jobs.stream().anyMatch(job -> job.groupKind().equals(POD))) {
      put(kinds, core("apps", "v1", REPLICA_SET), "replicasets", METADATA, true);
    }
    return List.copyOf(kinds.values());
  }

  private static GroupVersionKind core(String group, String version, GroupKind kind) {
    return new GroupVersionKind(group, version, kind.kind());
  }

  private static void put(
      Map<GroupKind, WatchedKind> kinds,
      GroupVersionKind type,
      String plural,
      Keep keep,
      boolean metadataOnly) {
    kinds.put(type.groupKind(), watched(type, Optional.of(plural), keep, metadataOnly));
  }

  private static WatchedKind watched(
      GroupVersionKind type, Optional<String> plural, Keep keep, boolean metadataOnly) {
    return new WatchedKind(type, plural, keep, metadataOnly);
  }
}
