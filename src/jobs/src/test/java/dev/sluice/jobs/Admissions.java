package dev.sluice.jobs;

import static dev.sluice.testkit.json.SingleQuoted.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.meta.ObjectChange;
import java.util.Optional;

/** What the scheduler and others write into Workloads, as far as jobs must react to it. */
final class Admissions {
  private Admissions() {}

  /** Sets a condition of a Workload, or of a job. */
  static void condition(
      ObjectNode object, String type, boolean status, String reason, String message) {
    ArrayNode list = object.withObject("/status").withArray("conditions");
    list.removeIf(it -> it.path("type").asText().equals(type));
    list.addObject()
        .put("type", type)
        .put("status", status ? "True" : "False")
        .put("reason", reason)
        .put("message", message)
        .put("lastTransitionTime", "2026-11-21T12:00:00Z");
  }

  /** Reserves quota for all Pods of a Workload, or for fewer of each set. */
  static void reserve(ObjectNode workload, int atMost) {
    ObjectNode admission = workload.withObject("/status/admission");
    admission.put("clusterQueue", "cq");
    ArrayNode list = admission.putArray("podSetAssignments");
    for (JsonNode podSet : workload.path("spec").path("podSets")) {
      ObjectNode assignment = list.addObject();
      assignment.put("name", podSet.path("name").asText());
      assignment.put("count", Math.min(atMost, podSet.path("count").asInt()));
      assignment.putObject("flavors").put("cpu", "rf");
    }
    condition(
        workload, "QuotaReserved", true, "QuotaReserved", "Quota reserved in ClusterQueue cq");
    JsonNode evicted = workload.path("status").path("conditions");
    for (JsonNode it : evicted) {
      if (it.path("type").asText().equals("Evicted") && it.path("status").asText().equals("True")) {
        condition(
            workload,
            "Evicted",
            false,
            "QuotaReserved",
            "Previously: " + it.path("message").asText());
        break;
      }
    }
  }

  /** How a Workload changes when it is admitted. */
  static ObjectChange admission() {
    ObjectNode before = json("{'metadata': {'name': 'w'}, 'spec': {}}");
    ObjectNode after = before.deepCopy();
    admit(after);
    return new ObjectChange(Optional.of(before), Optional.of(after));
  }

  static void admit(ObjectNode workload) {
    admit(workload, Integer.MAX_VALUE);
  }

  static void admit(ObjectNode workload, int atMost) {
    reserve(workload, atMost);
    condition(workload, "Admitted", true, "Admitted", "The workload is admitted");
  }

  static void evict(ObjectNode workload, String reason, String message) {
    condition(workload, "Evicted", true, reason, message);
  }
}
