package dev.sluice.cli.schedule;

import static dev.sluice.api.ApiKind.ADMISSION_CHECK;
import static dev.sluice.api.ApiKind.CLUSTER_QUEUE;
import static dev.sluice.api.ApiKind.MULTI_KUEUE_CONFIG;

import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
import dev.sluice.cli.schedule.DispatchedJob.Kind;
import dev.sluice.cli.testcluster.Kueue;
import dev.sluice.controlplane.ApiClient;

/** A way in which a job that runs on a worker ends there. */
enum DeletionWay {
  FINISHED,
  DELETED,
  WORKLOAD_DELETED,
  NAMESPACE_DELETED,
  DEACTIVATED,
  REJECTED,
  SPEC_CHANGED,
  EVICTED_THERE,
  QUOTA_LOST,
  CLUSTERS_LEFT;

  /** The queue of most jobs. */
  static final String SHARED = "shared";

  /** A queue that loses its quota. */
  static final String DRAINED = "drained";

  /** A queue whose check loses its clusters; check and configuration have the same name. */
  static final String LEFT = "left";

  private static final String BOTH = "{\"clusters\":[\"a\",\"b\"]}";

  /** The queue of its jobs. */
  String queue() {
    return switch (this) {
      case QUOTA_LOST -> DRAINED;
      case CLUSTERS_LEFT -> LEFT;
      default -> SHARED;
    };
  }

  /** Whether it happens on the worker. */
  boolean isThere() {
    return this == FINISHED || this == EVICTED_THERE;
  }

  /** Whether it can happen to jobs of that kind: what a group of Pods is made of cannot change. */
  boolean isPossible(Kind kind) {
    return this != SPEC_CHANGED || kind != Kind.POD_GROUP;
  }

  /** Whether the job is dispatched again after it. */
  boolean leadsToAnotherDispatch() {
    return this == SPEC_CHANGED || this == EVICTED_THERE;
  }

  /** Creates the configuration and the check that lose their clusters. */
  static void prepare(ApiClient manager) {
    Kueue.create(manager, MULTI_KUEUE_CONFIG, LEFT, BOTH).orThrow();
    Kueue.create(
            manager,
            ADMISSION_CHECK,
            LEFT,
            """
            {"controllerName":"kueue.x-k8s.io/multikueue","parameters":{
            "apiGroup":"kueue.x-k8s.io","kind":"MultiKueueConfig","name":"left"}}\
            """)
        .orThrow();
  }

  /** Gives the queues back what they lost. */
  static void undo(ApiClient manager) {
    spec(manager, CLUSTER_QUEUE, DRAINED, "{\"stopPolicy\":\"None\"}");
    spec(manager, CLUSTER_QUEUE, LEFT, "{\"stopPolicy\":\"None\"}");
    spec(manager, MULTI_KUEUE_CONFIG, LEFT, BOTH);
  }

  private static void spec(ApiClient manager, ApiKind kind, String name, String spec) {
    manager
        .mergePatch(Kueue.path(kind, ApiVersion.HUB, name), "{\"spec\":%s}".formatted(spec))
        .orThrow();
  }

  /** Does it to a job. */
  void play(ApiClient manager, DispatchedJob job) {
    switch (this) {
      case FINISHED -> job.succeed();
      case DELETED -> job.delete();
      case WORKLOAD_DELETED -> {
        manager.delete(job.workloadPath()).orThrow();
        job.delete();
      }
      case NAMESPACE_DELETED -> { // one for all kinds: it may be going already
        var _ = manager.delete("/api/v1/namespaces/" + job.namespace());
      }
      case DEACTIVATED -> deactivate(manager, job);
      case REJECTED ->
          manager
              .mergePatch(
                  job.workloadPath() + "/status",
                  """
                  {"status":{"admissionChecks":[{"name":"multikueue","state":"Rejected",
                  "message":"no","lastTransitionTime":"2026-11-25T10:00:00Z"}]}}\
                  """)
              .orThrow();
      case SPEC_CHANGED -> job.changeSpec();
      case EVICTED_THERE -> deactivate(job.fleet().api(job.chosen()), job);
      case QUOTA_LOST -> spec(manager, CLUSTER_QUEUE, DRAINED, "{\"stopPolicy\":\"HoldAndDrain\"}");
      case CLUSTERS_LEFT -> {
        spec(manager, CLUSTER_QUEUE, LEFT, "{\"stopPolicy\":\"Hold\"}"); // it waits for no others
        spec(manager, MULTI_KUEUE_CONFIG, LEFT, "{\"clusters\":[\"nowhere\"]}");
      }
    }
  }

  private static void deactivate(ApiClient api, DispatchedJob job) {
    api.mergePatch(job.workloadPath(), "{\"spec\":{\"active\":false}}").orThrow();
  }
}
