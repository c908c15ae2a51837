package dev.sluice.cluster.view;

import dev.sluice.api.ApiKind;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.configuration.Configuration;
import dev.sluice.api.configuration.CustomKind;
import dev.sluice.api.configuration.Extensions;
import dev.sluice.api.configuration.Extensions.Mode;
import dev.sluice.api.configuration.Framework;
import dev.sluice.api.vocabulary.Domains;
import dev.sluice.json.tree.Keep;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Which kinds a configuration makes us watch, and what is kept of them: no more than rules read.
 */
public final class WatchedKinds {
  private static final Keep METADATA_FIELDS =
      Keep.only(
              "name",
              "namespace",
              "uid",
              "resourceVersion",
              "generation",
              "labels",
              "ownerReferences",
              "deletionTimestamp",
              "finalizers")
          .with("annotations", Keep.named(WatchedKinds::isReadAnnotation));
  private static final Keep CONDITIONS = Keep.only("type", "status", "reason");
  private static final Keep METADATA = Keep.only().with("metadata", METADATA_FIELDS);
  private static final Keep OURS =
      Keep.allBut("apiVersion", "kind").with("metadata", METADATA_FIELDS);
  private static final Keep JOB =
      METADATA
          .with(
              "spec",
              Keep.only(
                  "parallelism",
                  "completions",
                  "completionMode",
                  "suspend",
                  "podReplacementPolicy",
                  "podFailurePolicy",
                  "managedBy",
                  "backoffLimitPerIndex"))
          .with(
              "status",
              Keep.only(
                      "active",
                      "ready",
                      "succeeded",
                      "failed",
                      "terminating",
                      "completedIndexes",
                      "uncountedTerminatedPods")
                  .with("conditions", CONDITIONS));
  private static final Keep POD =
      METADATA
          .with("spec", Keep.only("schedulingGates"))
          .with("status", Keep.only("phase").with("conditions", CONDITIONS));

  /** The quota of a Workload, and the order of preemption. */
  private static final Keep WORKLOAD =
      METADATA
          .with(
              "spec",
              Keep.only("queueName", "active", "priority")
                  .with(
                      "podSets",
                      Keep.only("name", "count", "minCount").with("template", Keep.only())))
          .with("status", Keep.only("admission", "reclaimablePods", "conditions"));

  /** The kinds whose objects come by the thousand though few are jobs. */
  private static final Set<Framework> OF_PODS =
      EnumSet.of(
          Framework.DEPLOYMENT, Framework.STATEFUL_SET, Framework.LEADER_WORKER_SET, Framework.POD);

  private final Map<GroupVersionKind, WatchedKind> kinds = new LinkedHashMap<>();

  private WatchedKinds() {}

  private static boolean isReadAnnotation(String name) {
    return name.contains(Domains.KUEUE)
        || name.equals("batch.kubernetes.io/job-completion-index")
        || name.startsWith("leaderworkerset.sigs.k8s.io/");
  }

  /** The kinds, in the best order of listing. */
  public static List<WatchedKind> of(Configuration configuration, Extensions extensions) {
    WatchedKinds kinds = new WatchedKinds();
    kinds.add(new GroupVersionKind("", "v1", "Namespace"), "namespaces", METADATA, true);
    kinds.addOurs();
    boolean guards =
        configuration.jobs().isEnabled(Framework.JOB) && extensions.podGuard().mode() != Mode.OFF;
    boolean pods = configuration.jobs().isEnabled(Framework.POD);
    kinds.addFrameworks(pods, guards);
    kinds.add(ApiKind.WORKLOAD.hub(), ApiKind.WORKLOAD.plural(), WORKLOAD, false);
    if (configuration.jobs().isEnabled(Framework.TRAIN_JOB)) {
      kinds.addRuntimes();
    }
    for (GroupVersionKind external : configuration.jobs().externalFrameworks()) {
      kinds.put(new WatchedKind(external, Optional.empty(), METADATA, true));
    }
    for (CustomKind custom : extensions.customKinds()) {
      kinds.add(custom.type(), custom.resource(), METADATA, true);
    }
    return new ArrayList<>(kinds.kinds.values());
  }

  private void addOurs() {
    for (ApiKind kind : ApiKind.values()) {
      if (kind != ApiKind.WORKLOAD) {
        add(kind.hub(), kind.plural(), OURS, false);
      }
    }
  }

  /** Any kind of jobs may own a job, also one that is not enabled itself. */
  private void addFrameworks(boolean pods, boolean guards) {
    for (Framework framework : Framework.values()) {
      if (framework == Framework.POD ? pods || guards : pods || !OF_PODS.contains(framework)) {
        Keep keep =
            switch (framework) {
              case JOB -> JOB;
              case POD -> POD;
              default -> METADATA;
            };
        add(framework.type(), framework.plural(), keep, keep == METADATA);
      }
    }
    if (pods) { // on the way from a pod to its Deployment
      add(new GroupVersionKind("apps", "v1", "ReplicaSet"), "replicasets", METADATA, true);
    }
  }

  /** The runtime of a TrainJob defines its Pods. */
  private void addRuntimes() {
    String group = Framework.TRAIN_JOB.type().group();
    String version = Framework.TRAIN_JOB.type().version();
    add(new GroupVersionKind(group, version, "TrainingRuntime"), "trainingruntimes", OURS, false);
    add(
        new GroupVersionKind(group, version, "ClusterTrainingRuntime"),
        "clustertrainingruntimes",
        OURS,
        false);
  }

  private void add(GroupVersionKind type, String plural, Keep keep, boolean metadataOnly) {
    put(new WatchedKind(type, Optional.of(plural), keep, metadataOnly));
  }

  private void put(WatchedKind kind) {
    kinds.putIfAbsent(kind.type(), kind);
  }
}
