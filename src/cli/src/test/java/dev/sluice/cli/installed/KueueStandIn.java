package dev.sluice.cli.installed;

import static dev.sluice.cli.installed.TeamNamespace.JOBS;
import static dev.sluice.cli.installed.TeamNamespace.WORKLOADS;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.controlplane.ApiClient;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * Writes what Kueue writes, by the same calls and under the same names of field managers, since
 * Kueue itself is not at hand: its CRDs and Lease, a Workload for a Job, a reservation, the start
 * of the Job, and an eviction.
 */
final class KueueStandIn {
  private static final Duration ESTABLISHED = Duration.ofMinutes(1);
  private static final String CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/";
  private static final String ADMISSION = "kueue-admission";
  private static final String SINCE = "2026-01-01T00:00:00Z";

  private final ApiClient api;

  KueueStandIn(ApiClient api) {
    this.api = api;
  }

  /** The CRDs, with conversion by a server that is gone, and its Lease. */
  void install() throws IOException {
    for (JsonNode document : Printed.by()) {
      if (document.path("kind").asText().equals("CustomResourceDefinition")) {
        install((ObjectNode) document);
      }
    }
    api.create(
            "/api/v1/namespaces",
            """
            {"metadata":{"name":"kueue-system"}}\
            """)
        .orThrow();
    api.create(
            "/apis/coordination.k8s.io/v1/namespaces/kueue-system/leases",
            """
            {"metadata":{"name":"c1f6bfd2.kueue.x-k8s.io"},"spec":{"holderIdentity":"kueue_1",
            "leaseDurationSeconds":15,"acquireTime":"2026-01-01T00:00:00.000000Z",
            "renewTime":"2026-01-01T00:00:00.000000Z"}}\
            """)
        .orThrow();
  }

  /** Applies the CRDs again, as an installation of Kueue does. */
  void reinstall() throws IOException {
    for (JsonNode document : Printed.by()) {
      if (document.path("kind").asText().equals("CustomResourceDefinition")) {
        install((ObjectNode) document);
      }
    }
  }

  private void install(ObjectNode crd) {
    if (crd.at("/spec/conversion/webhook").isObject()) {
      crd.withObject("/spec/conversion/webhook/clientConfig")
          .removeAll()
          .put("url", "https://127.0.0.1:1/convert");
    }
    String name = crd.at("/metadata/name").asText();
    api.serverSideApply(CRDS + name, "kubectl", crd.toString()).orThrow();
    api.awaitEstablished(name, ESTABLISHED);
  }

  /** Creates the Workload of a Job that is suspended; it is called as the Job. */
  void compose(String job) {
    JsonNode owner = job(job);
    ObjectNode template = owner.at("/spec/template").deepCopy();
    ((ObjectNode) template.path("metadata")).remove("creationTimestamp");
    api.create(
            WORKLOADS + "?fieldManager=kueue",
            """
            {"apiVersion":"kueue.x-k8s.io/v1beta2","kind":"Workload","metadata":{"name":"job-%1$s",
            "labels":{"kueue.x-k8s.io/job-uid":"%2$s"},
            "finalizers":["kueue.x-k8s.io/resource-in-use"],
            "ownerReferences":[{"apiVersion":"batch/v1","kind":"Job","name":"%1$s","uid":"%2$s",
            "controller":true,"blockOwnerDeletion":true}]},
            "spec":{"active":true,"priority":0,"queueName":"plain","podSets":[{"name":"main",
            "count":%3$d,"template":%4$s}]}}\
            """
                .formatted(job, uid(owner), owner.at("/spec/parallelism").asInt(), template))
        .orThrow();
  }

  /** Says that it has to wait. */
  void leaveWaiting(String job) {
    applyStatus(
        job,
        """
        {"conditions":[%s]}\
        """
            .formatted(condition("QuotaReserved", false, "Pending")));
  }

  /** Reserves quota, admits, and starts the Job with what its flavor says. */
  void admit(String job) {
    JsonNode owner = job(job);
    int pods = owner.at("/spec/parallelism").asInt();
    applyStatus(
        job,
        """
        {"admission":{"clusterQueue":"plain","podSetAssignments":[{"name":"main",
        "flavors":{"cpu":"plain"},"resourceUsage":{"cpu":"%1$d"},"count":%1$d}]},
        "conditions":[%2$s,%3$s]}\
        """
            .formatted(
                pods,
                condition("QuotaReserved", true, "QuotaReserved"),
                condition("Admitted", true, "Admitted")));
    api.mergePatch(
            JOBS + "/" + job + "?fieldManager=kueue",
            """
            {"metadata":{"resourceVersion":"%s"},"spec":{"suspend":false,"template":{
            "metadata":{"labels":{"kueue.x-k8s.io/podset":"main"},
            "annotations":{"kueue.x-k8s.io/workload":"job-%s"}},
            "spec":{"nodeSelector":{"pool":"plain"}}}}}\
            """
                .formatted(owner.at("/metadata/resourceVersion").asText(), job))
        .orThrow();
  }

  /** Takes the quota of a Workload back: an apply of all conditions, and of no admission. */
  void release(JsonNode workload) {
    String name = workload.at("/metadata/name").asText();
    apply(
        name,
        """
        {"conditions":[%s,%s,%s]}\
        """
            .formatted(
                condition("QuotaReserved", false, "Pending"),
                condition("Admitted", false, "NoReservation"),
                condition("Evicted", true, "Deactivated")));
  }

  private void applyStatus(String job, String status) {
    apply("job-" + job, status);
  }

  private void apply(String workload, String status) {
    api.serverSideApply(
            WORKLOADS + "/" + workload + "/status",
            ADMISSION,
            """
            {"apiVersion":"kueue.x-k8s.io/v1beta2","kind":"Workload",
            "metadata":{"name":"%s"},"status":%s}\
            """
                .formatted(workload, status))
        .orThrow();
  }

  private static String condition(String type, boolean status, String reason) {
    return """
    {"type":"%s","status":"%s","reason":"%s","message":"by Kueue","lastTransitionTime":"%s",
    "observedGeneration":1}\
    """
        .formatted(type, status ? "True" : "False", reason, SINCE);
  }

  JsonNode job(String name) {
    return api.get(JOBS + "/" + name).orThrow().json();
  }

  static String uid(JsonNode object) {
    return object.at("/metadata/uid").asText();
  }

  /** What Kueue needs of a Workload to take it for that of the Job. */
  static List<String> identity(JsonNode workload) {
    return List.of(
        workload.at("/metadata/ownerReferences/0/uid").asText(),
        workload.at("/metadata/ownerReferences/0/controller").asText(),
        workload.at("/metadata/labels/kueue.x-k8s.io~1job-uid").asText(),
        workload.at("/metadata/finalizers/0").asText());
  }
}
