package dev.sluice.scheduler.store;

import dev.sluice.api.ApiKind;
import dev.sluice.api.GroupKind;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.cluster.view.WatchedKind;
import dev.sluice.cluster.view.WatchedKind.Selection;
import dev.sluice.json.tree.Keep;
import dev.sluice.lifecycle.provisioning.ProvisioningKinds;
import dev.sluice.quota.configuration.EngineConfiguration;
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
  public static final GroupKind RESOURCE_CLAIM_TEMPLATE =
      new GroupKind("resource.k8s.io", "ResourceClaimTemplate");
  public static final GroupKind DEVICE_CLASS = new GroupKind("resource.k8s.io", "DeviceClass");
  public static final GroupKind RESOURCE_SLICE = new GroupKind("resource.k8s.io", "ResourceSlice");
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

  /**
   * The fields of a pod that placement reads: its requests, its node, and whether it is managed.
   */
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

  /** The fields of a template that counting devices reads, without the parameters of drivers. */
  private static final Keep TEMPLATE_CLAIM =
      Keep.only()
          .with("metadata", Keep.only("name", "namespace", "uid", "resourceVersion"))
          .with(
              "spec", Keep.only().with("spec", Keep.only().with("devices", Keep.only("requests"))));

  private static final Keep CLASS =
      Keep.only()
          .with("metadata", Keep.only("name", "uid", "resourceVersion", "creationTimestamp"))
          .with("spec", Keep.only("extendedResourceName", "selectors"));

  /** What drivers say of their devices, without where these are. */
  private static final Keep SLICE =
      Keep.only()
          .with("metadata", Keep.only("name", "uid", "resourceVersion"))
          .with("spec", Keep.only("driver", "pool", "devices"));

  private Kinds() {}

  /**
   * The kinds to watch.
   *
   * @param jobs the kinds of jobs that are managed
   * @param followed kinds of which only the owners are read
   * @param letsPodsGo whether pods of elastic jobs are ungated one by one
   * @param configuration decides whether nodes, pods and devices are needed, for topology
   *     placement, forced deletion and DRA
   */
  public static List<WatchedKind> watched(
      Set<GroupVersionKind> jobs,
      Set<GroupVersionKind> followed,
      boolean letsPodsGo,
      EngineConfiguration configuration) {
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
    followed.forEach(
        it -> kinds.putIfAbsent(it.groupKind(), watched(it, Optional.empty(), METADATA, true)));
    boolean hosts =
        configuration.on(FeatureGate.TOPOLOGY_AWARE_SCHEDULING)
            || configuration.on(FeatureGate.FAILURE_RECOVERY_POLICY);
    if (hosts) {
      put(kinds, core("", "v1", NODE), "nodes", NODE_ROOM, false);
    }
    if (letsPodsGo || hosts) {
      GroupVersionKind pods = core("", "v1", POD);
      kinds.putIfAbsent(POD, watched(pods, Optional.of("pods"), POD_ROOM, false));
    }
    addDevices(kinds, configuration);
    put(kinds, ProvisioningKinds.REQUEST, "provisioningrequests", WHOLE, false);
    put(kinds, ProvisioningKinds.POD_TEMPLATE, "podtemplates", METADATA, true);
    if (jobs.stream().anyMatch(job -> job.groupKind().equals(POD))) {
      put(kinds, core("apps", "v1", REPLICA_SET), "replicasets", METADATA, true);
    }
    return List.copyOf(kinds.values());
  }

  /** Not every cluster has them, and most configurations count none. */
  private static void addDevices(
      Map<GroupKind, WatchedKind> kinds, EngineConfiguration configuration) {
    String group = DEVICE_CLASS.group();
    if (configuration.countsDevices()) {
      GroupVersionKind templates = core(group, "v1", RESOURCE_CLAIM_TEMPLATE);
      put(kinds, templates, "resourceclaimtemplates", TEMPLATE_CLAIM, false);
    }
    Set<String> drivers = configuration.driversOfDevices();
    if (!drivers.isEmpty() || configuration.countsServedResources()) {
      put(kinds, core(group, "v1", DEVICE_CLASS), "deviceclasses", CLASS, false);
    }
    if (!drivers.isEmpty()) {
      kinds.put(RESOURCE_SLICE, slices(drivers));
    }
  }

  /** A field selector cannot name several drivers. */
  private static WatchedKind slices(Set<String> drivers) {
    return new WatchedKind(
        core(RESOURCE_SLICE.group(), "v1", RESOURCE_SLICE),
        Optional.of("resourceslices"),
        SLICE,
        false,
        drivers.size() == 1
            ? Selection.having("spec.driver", drivers.iterator().next())
            : Selection.ALL);
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
