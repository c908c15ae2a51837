package dev.sluice.scheduler.jobs;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.meta.Conditions;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.vocabulary.ConditionTypes;
import dev.sluice.api.vocabulary.Controllers;
import dev.sluice.jobs.plan.RemoteStop;
import dev.sluice.scheduler.store.Objects;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * What the controller of MultiKueue knows of Workloads that run on other clusters: of evicted ones,
 * whether their Pods have ended, until when they keep their quota; of those whose jobs here cannot
 * say it, whether their Pods are up. Thread-safe.
 */
public final class RemoteStops {
  private final Objects objects;
  private final Map<ObjectKey, String> certain = new ConcurrentHashMap<>();
  private final Map<ObjectKey, Readiness> ready = new ConcurrentHashMap<>();
  private volatile Consumer<JsonNode> listener = _ -> {};
  private volatile boolean isReported;

  /** No controller reports yet, and all Workloads run here. */
  public RemoteStops(Objects objects) {
    this.objects = objects;
  }

  /** Tells this listener of Workloads whose Pods have ended, are up, or are no longer. */
  void listen(Consumer<JsonNode> told) {
    listener = told;
  }

  /** A controller reports from now on; without one a stop is never certain. */
  public void begin() {
    isReported = true;
  }

  /**
   * Reports a Workload; it holds for exactly that version of it.
   *
   * @param isCertain whether none of its Pods run elsewhere
   */
  public void report(JsonNode workload, boolean isCertain) {
    ObjectKey key = ObjectKey.of(workload);
    if (!isCertain) {
      certain.remove(key);
    } else if (!version(workload).equals(certain.put(key, version(workload)))) {
      listener.accept(workload);
    }
  }

  /** What was reported of the Workload with that uid. */
  private record Readiness(String uid, boolean isReady) {}

  /** Reports whether all Pods of a Workload are up; it holds until the next report. */
  public void reportReady(JsonNode workload, boolean isReady) {
    boolean wasReady = isReady(workload);
    ready.put(ObjectKey.of(workload), new Readiness(uid(workload), isReady));
    if (wasReady != isReady) {
      listener.accept(workload);
    }
  }

  /** Before the first report, as after a restart, it is as it is stored. */
  boolean isReady(JsonNode workload) {
    Readiness known = ready.get(ObjectKey.of(workload));
    if (known != null && known.uid().equals(uid(workload))) {
      return known.isReady();
    }
    return !clusterName(workload).isEmpty()
        && Conditions.isTrue(workload, ConditionTypes.PODS_READY);
  }

  private static String clusterName(JsonNode workload) {
    return workload.path("status").path("clusterName").asText("");
  }

  private static String uid(JsonNode workload) {
    return workload.path("metadata").path("uid").asText();
  }

  /** The Workload is not there any more. */
  public void forget(ObjectKey workload) {
    certain.remove(workload);
    ready.remove(workload);
  }

  RemoteStop of(JsonNode workload) {
    if (!isDispatched(workload)) {
      return RemoteStop.LOCAL;
    }
    if (!isReported) {
      return RemoteStop.UNFOLLOWED;
    }
    return version(workload).equals(certain.get(ObjectKey.of(workload)))
        ? RemoteStop.CERTAIN
        : RemoteStop.MAY_RUN;
  }

  private static String version(JsonNode workload) {
    return workload.path("metadata").path("resourceVersion").asText();
  }

  /** A Workload that names a cluster is there, though no check of this cluster is seen yet. */
  private boolean isDispatched(JsonNode workload) {
    return !clusterName(workload).isEmpty() || hasCheck(workload);
  }

  private boolean hasCheck(JsonNode workload) {
    return workload
        .path("status")
        .path("admissionChecks")
        .valueStream()
        .anyMatch(it -> isOfMultiKueue(it.path("name").asText()));
  }

  private boolean isOfMultiKueue(String check) {
    return objects
        .find(ApiKind.ADMISSION_CHECK.groupKind(), "", check)
        .filter(
            it -> it.path("spec").path("controllerName").asText().equals(Controllers.MULTI_KUEUE))
        .isPresent();
  }
}
