package dev.sluice.bench.flow;

import dev.sluice.bench.engine.Story.Kind;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/** The objects of a run, as JSON; small, as a generator of load would write them. */
final class FlowObjects {
  static final String NAMESPACE = "load";
  static final String API = "/apis/kueue.x-k8s.io/v1beta2";
  static final String WORKLOADS = API + "/namespaces/" + NAMESPACE + "/workloads";
  static final int NOMINAL = 20;
  private static final int BORROWING = 100;
  private static final String HEAD = "{\"apiVersion\":\"kueue.x-k8s.io/v1beta2\",\"kind\":\"%s\",";

  private FlowObjects() {}

  static String namespace() {
    return "{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":{\"name\":\"%s\"}}"
        .formatted(NAMESPACE);
  }

  static String flavor() {
    return HEAD.formatted("ResourceFlavor") + "\"metadata\":{\"name\":\"default\"}}";
  }

  static String topology() {
    return HEAD.formatted("Topology")
        + """
        "metadata":{"name":"hall"},"spec":{"levels":[{"nodeLabel":"block"},{"nodeLabel":"rack"},
        {"nodeLabel":"kubernetes.io/hostname"}]}}\
        """;
  }

  static String placedFlavor() {
    return HEAD.formatted("ResourceFlavor")
        + "\"metadata\":{\"name\":\"default\"},\"spec\":{\"nodeLabels\":{\"block\":\"b\"},"
        + "\"topologyName\":\"hall\"}}";
  }

  static String cohort(String name) {
    return HEAD.formatted("Cohort") + "\"metadata\":{\"name\":\"%s\"}}".formatted(name);
  }

  /**
   * A queue.
   *
   * @param unit how much cpu counts as one
   */
  static String clusterQueue(String name, String cohort, int unit) {
    return HEAD.formatted("ClusterQueue")
        + """
        "metadata":{"name":"%s"},"spec":{"cohortName":"%s","namespaceSelector":{},
        "queueingStrategy":"BestEffortFIFO",
        "preemption":{"reclaimWithinCohort":"Any","withinClusterQueue":"LowerPriority"},
        "resourceGroups":[{"coveredResources":["cpu"],"flavors":[{"name":"default",
        "resources":[{"name":"cpu","nominalQuota":"%d","borrowingLimit":"%d"}]}]}]}}\
        """
            .formatted(name, cohort, NOMINAL * unit, BORROWING * unit);
  }

  static String localQueue(String name) {
    return HEAD.formatted("LocalQueue")
        + "\"metadata\":{\"name\":\"%1$s\",\"namespace\":\"%2$s\"},\"spec\":{\"clusterQueue\":\"%1$s\"}}"
            .formatted(name, NAMESPACE);
  }

  static String workload(String name, String queue, Kind kind) {
    return workload(name, queue, kind, "\"count\":1", kind.cpu());
  }

  /** A workload whose pods are placed in that hall. */
  static String workload(String name, String queue, Kind kind, Hall hall) {
    return workload(name, queue, kind, hall.podSet(name, kind), Hall.cpuOfAPod());
  }

  private static String workload(String name, String queue, Kind kind, String podSet, int cpu) {
    return HEAD.formatted("Workload")
        + """
        "metadata":{"name":"%s","namespace":"%s","labels":{"class":"%s"}},
        "spec":{"active":true,"queueName":"%s","priority":%d,"podSets":[{"name":"main",%s,
        "template":{"spec":{"restartPolicy":"Never","containers":[{"name":"c","image":"none",
        "resources":{"requests":{"cpu":"%d"}}}]}}}]}}\
        """
            .formatted(name, NAMESPACE, kind.name(), queue, kind.priority(), podSet, cpu);
  }

  static String finished(String name) {
    return HEAD.formatted("Workload")
        + "\"metadata\":{\"name\":\"%s\",\"namespace\":\"%s\"},\"status\":{\"conditions\":[%s]}}"
            .formatted(
                name, NAMESPACE, condition("Finished", true, "Succeeded", "Ran for its time"));
  }

  /** The end of a workload, as a merge patch of what was seen last. */
  static String finishing(Item.Seen seen) {
    return patch(
        seen,
        "",
        condition("QuotaReserved", true, "QuotaReserved", "Quota was reserved"),
        condition("Admitted", true, "Admitted", "The workload is admitted"),
        condition("Finished", true, "Succeeded", "Ran for its time"));
  }

  /** The release of quota by the owner of the workload, once it has stopped after an eviction. */
  static String released(Item.Seen seen) {
    return patch(seen, "\"admission\":null,", gaveBack(), notAdmitted());
  }

  /** The same, as the whole intent of the field manager of admission. */
  static String releasedApply(String name, Item.Seen seen) {
    List<String> conditions = new ArrayList<>(seen.conditions());
    conditions.addAll(List.of(gaveBack(), notAdmitted()));
    return HEAD.formatted("Workload")
        + "\"metadata\":{\"name\":\"%s\",\"namespace\":\"%s\",\"resourceVersion\":\"%s\"},"
            .formatted(name, NAMESPACE, seen.resourceVersion())
        + "\"status\":{\"conditions\":["
        + String.join(",", conditions)
        + "]}}";
  }

  /** A status that no rule refuses, each time another one. */
  static String probed(int number) {
    return "{\"status\":{\"conditions\":[%s]}}"
        .formatted(condition("QuotaReserved", false, "QuotaReserved", "Probe " + number));
  }

  private static String gaveBack() {
    return condition("QuotaReserved", false, "Pending", "Evicted, and stopped since");
  }

  private static String notAdmitted() {
    return condition("Admitted", false, "NoReservation", "The workload has no reservation");
  }

  private static String patch(Item.Seen seen, String status, String... changed) {
    List<String> conditions = new ArrayList<>(seen.conditions());
    conditions.addAll(List.of(changed));
    return "{\"metadata\":{\"resourceVersion\":\"%s\"},\"status\":{%s\"conditions\":[%s]}}"
        .formatted(seen.resourceVersion(), status, String.join(",", conditions));
  }

  private static String condition(String type, boolean yes, String reason, String message) {
    return """
    {"type":"%s","status":"%s","reason":"%s","message":"%s","lastTransitionTime":"%s"}\
    """
        .formatted(
            type,
            yes ? "True" : "False",
            reason,
            message,
            Instant.now().truncatedTo(ChronoUnit.SECONDS));
  }
}
