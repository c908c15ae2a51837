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
  public static final GroupKind LIMIT_RANGE = new GroupKind("", "LimitRange");
  public static final GroupKind RUNTIME_CLASS = new GroupKind("node.k8s.io", "RuntimeClass");
  public static final GroupKind PRIORITY_CLASS =
      new GroupKind("scheduling.k8s.io", "PriorityClass");
  public static final GroupKind REPLICA_SET = new GroupKind("apps", "ReplicaSet");

  private static final Keep WHOLE =
      Keep.allBut("apiVersion", "kind").with("metadata", Keep.allBut("managedFields"));
  private static final Keep METADATA = Keep.only().with("metadata", Keep.allBut("managedFields"));

  private Kinds() {}

  /**
   * The kinds to watch.
   *
   * @param jobs the kinds of jobs that are managed
   */
  public static List<WatchedKind> watched(Set<GroupVersionKind> jobs) {
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
