package dev.sluice.multicluster.controller;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.GroupKind;
import dev.sluice.api.meta.ObjectChange;
import dev.sluice.api.vocabulary.Controllers;
import dev.sluice.lifecycle.store.ObjectCache;
import dev.sluice.lifecycle.store.ObjectLookup;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/** The AdmissionChecks of MultiKueue, and the clusters that they lead to. */
final class Checks {
  private static final GroupKind CHECK = ApiKind.ADMISSION_CHECK.groupKind();
  private static final GroupKind CLUSTER = ApiKind.MULTI_KUEUE_CLUSTER.groupKind();
  private static final GroupKind CONFIG = ApiKind.MULTI_KUEUE_CONFIG.groupKind();

  private final ObjectLookup objects;

  Checks(ObjectLookup objects) {
    this.objects = objects;
  }

  /** The name of a Workload's check; empty if none of those that it lists is of MultiKueue. */
  String of(JsonNode workload) {
    return workload
        .path("status")
        .path("admissionChecks")
        .valueStream()
        .map(it -> it.path("name").asText())
        .filter(it -> find(it).isPresent())
        .findFirst()
        .orElse("");
  }

  private Optional<JsonNode> find(String check) {
    return objects.find(CHECK, "", check).filter(Checks::isOurs);
  }

  private static boolean isOurs(JsonNode check) {
    return check.path("spec").path("controllerName").asText().equals(Controllers.MULTI_KUEUE);
  }

  /**
   * The clusters of a check, in the order of its configuration, but for those that are deleted and
   * drain. While there is no configuration, what runs stays where it is, and nothing new is sent
   * anywhere.
   */
  Set<String> clusters(String check, JsonNode workload) {
    Set<String> clusters = named(check, workload);
    clusters.removeIf(
        it -> objects.find(CLUSTER, "", it).filter(DrainController::isDeleted).isPresent());
    return clusters;
  }

  /** Whether there is a MultiKueueCluster of that name. */
  boolean hasCluster(String name) {
    return objects.find(CLUSTER, "", name).isPresent();
  }

  private Set<String> named(String check, JsonNode workload) {
    Optional<JsonNode> config =
        find(check)
            .map(it -> it.path("spec").path("parameters").path("name").asText())
            .flatMap(it -> objects.find(CONFIG, "", it));
    if (config.isPresent()) {
      return names(config.get().path("spec").path("clusters"));
    }
    Set<String> present = names(workload.path("status").path("nominatedClusterNames"));
    String chosen = workload.path("status").path("clusterName").asText("");
    if (!chosen.isEmpty()) {
      present.add(chosen);
    }
    return present;
  }

  private static Set<String> names(JsonNode list) {
    return new LinkedHashSet<>(list.valueStream().map(JsonNode::asText).toList());
  }

  /** Whether there is one of MultiKueue: without one, no Workload is sent anywhere. */
  static boolean existIn(ObjectCache objects) {
    return objects.all(CHECK).stream().anyMatch(Checks::isOurs);
  }

  /** Whether such a change may send Workloads elsewhere. */
  static boolean concern(GroupKind kind, ObjectChange change) {
    return kind.equals(CHECK) || kind.equals(CONFIG) || (kind.equals(CLUSTER) && isLeaving(change));
  }

  private static boolean isLeaving(ObjectChange change) {
    boolean isLeft = change.after().map(DrainController::isDeleted).orElse(true);
    return isLeft && change.before().filter(it -> !DrainController.isDeleted(it)).isPresent();
  }
}
