package dev.sluice.cli.schedule;

import static dev.sluice.api.ApiKind.WORKLOAD;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiVersion;
import dev.sluice.cli.schedule.DispatchedJob.Kind;
import dev.sluice.cli.testcluster.Kueue;
import dev.sluice.controlplane.ApiClient;
import java.util.List;
import java.util.Set;

/** A kind of jobs of another program, which makes their Workloads, too. The tests play it. */
final class Wagons {
  private static final String TYPE = "Wagon.v1.example.com";

  /** What the names of their Workloads begin with. */
  private static final String PREFIX = "wagon-";

  private Wagons() {}

  /** Serves the kind on all clusters, and gives the manager its rights on the workers. */
  static void serve(Fleet fleet) {
    fleet.serve(
        """
        apiVersion: apiextensions.k8s.io/v1
        kind: CustomResourceDefinition
        metadata: {name: wagons.example.com}
        spec:
          group: example.com
          scope: Namespaced
          names: {kind: Wagon, plural: wagons}
          versions:
            - name: v1
              served: true
              storage: true
              subresources: {status: {}}
              schema:
                openAPIV3Schema:
                  {type: object, x-kubernetes-preserve-unknown-fields: true}
        """,
        "wagons.example.com");
    fleet.workers.keySet().forEach(it -> fleet.allow(it, "example.com", "wagons"));
  }

  /** Names the kind in a Configuration. */
  static void configure(ObjectNode configuration) {
    configuration
        .withObjectProperty("integrations")
        .withArrayProperty("externalFrameworks")
        .add(TYPE);
    configuration
        .withObjectProperty("multiKueue")
        .withArrayProperty("externalFrameworks")
        .addObject()
        .put("name", TYPE);
  }

  /** Creates a job on the manager, and its Workload. */
  static void create(ApiClient manager, String namespace, String name, String queue) {
    String uid =
        manager
            .create(
                Kind.WAGON.in(namespace),
                """
                {"apiVersion":"example.com/v1","kind":"Wagon","metadata":{"name":"%s"},
                "spec":{"managedBy":"kueue.x-k8s.io/multikueue","load":3}}\
                """
                    .formatted(name))
            .orThrow()
            .json()
            .at("/metadata/uid")
            .asText();
    manager
        .create(
            Kueue.collection(WORKLOAD, ApiVersion.HUB, namespace),
            """
            {"apiVersion":"kueue.x-k8s.io/v1beta2","kind":"Workload","metadata":{
            "name":"%1$s%2$s","ownerReferences":[{"apiVersion":"example.com/v1","kind":"Wagon",
            "name":"%2$s","uid":"%3$s","controller":true}]},"spec":{"queueName":"%4$s","podSets":[{
            "name":"main","count":1,"template":{"spec":{"restartPolicy":"Never","containers":[{
            "name":"c","image":"i","resources":{"requests":{"cpu":"1"}}}]}}}]}}\
            """
                .formatted(PREFIX, name, uid, queue))
        .orThrow();
  }

  /** Replaces the Workload of a job on the manager by one of more Pods. */
  static void changeSpec(ApiClient manager, String namespace, String name) {
    String all = Kueue.collection(WORKLOAD, ApiVersion.HUB, namespace);
    ObjectNode workload = (ObjectNode) manager.get(all + "/" + PREFIX + name).orThrow().json();
    workload.remove("status");
    workload.withObjectProperty("metadata").retain("name", "ownerReferences");
    ((ObjectNode) workload.at("/spec/podSets/0")).put("count", 2);
    manager.delete(all + "/" + PREFIX + name).orThrow();
    manager.create(all, workload.toString()).orThrow();
  }

  /** Says on a worker that a job has ended. */
  static void finish(
      ApiClient worker, String namespace, String name, String reason, String message) {
    worker
        .serverSideApply(
            Kueue.collection(WORKLOAD, ApiVersion.HUB, namespace) + "/" + PREFIX + name + "/status",
            "program",
            """
            {"apiVersion":"kueue.x-k8s.io/v1beta2","kind":"Workload","metadata":{"name":"%s%s",
            "namespace":"%s"},"status":{"conditions":[{"type":"Finished","status":"True",
            "reason":"%s","message":"%s","lastTransitionTime":"2026-11-24T10:00:00Z"}]}}\
            """
                .formatted(PREFIX, name, namespace, reason, message))
        .orThrow();
  }

  /** Gives back the quota of what is evicted on a cluster, as if the program had stopped it. */
  static void stopEvicted(ApiClient api) {
    for (JsonNode workload : api.get(Kueue.everywhere(WORKLOAD)).orThrow().json().path("items")) {
      if (SampleJobs.name(workload).startsWith(PREFIX)
          && ApiClient.hasCondition(workload, "Evicted")
          && ApiClient.hasCondition(workload, "QuotaReserved")) {
        String namespace = workload.at("/metadata/namespace").asText();
        String path =
            Kueue.collection(WORKLOAD, ApiVersion.HUB, namespace) + "/" + SampleJobs.name(workload);
        var _ = api.put(path + "/status", withoutQuota(workload).toString()); // or the next time
      }
    }
  }

  private static ObjectNode withoutQuota(JsonNode workload) {
    ObjectNode changed = workload.deepCopy();
    ObjectNode status = changed.withObjectProperty("status");
    status.remove(List.of("admission", "clusterName"));
    for (JsonNode condition : status.path("conditions")) {
      if (condition instanceof ObjectNode found
          && Set.of("QuotaReserved", "Admitted").contains(found.path("type").asText())) {
        found.put("status", "False").put("reason", "Pending").put("message", "evicted");
      }
    }
    return changed;
  }
}
