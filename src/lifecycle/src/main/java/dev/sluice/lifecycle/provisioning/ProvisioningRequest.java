package dev.sluice.lifecycle.provisioning;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.meta.Conditions;
import dev.sluice.api.vocabulary.ProvisioningConditions;
import dev.sluice.jobs.object.JobObject;
import dev.sluice.jobs.object.JobObject.Owner;
import dev.sluice.jobs.workload.WorkloadView;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A ProvisioningRequest.
 *
 * @param tree the whole object
 */
record ProvisioningRequest(JsonNode tree) {
  String name() {
    return tree.path("metadata").path("name").asText();
  }

  /** The Workload that it is for; empty if no Workload controls it. */
  Optional<Owner> workload() {
    return workload(tree);
  }

  /** The Workload that controls an object; empty if none does. */
  static Optional<Owner> workload(JsonNode object) {
    return JobObject.of(object).controller().filter(it -> it.kind().equals(WorkloadView.KIND));
  }

  String className() {
    return tree.path("spec").path("provisioningClassName").asText();
  }

  Map<String, String> parameters() {
    return texts(tree.path("spec").path("parameters"));
  }

  /** The number of Pods by the name of their PodTemplate, in the order of the request. */
  Map<String, Integer> counts() {
    Map<String, Integer> counts = new LinkedHashMap<>();
    for (JsonNode podSet : tree.path("spec").path("podSets")) {
      counts.put(podSet.path("podTemplateRef").path("name").asText(), podSet.path("count").asInt());
    }
    return counts;
  }

  /** The autoscaler's details beside its conditions. */
  Map<String, String> details() {
    return texts(tree.path("status").path("provisioningClassDetails"));
  }

  private static Map<String, String> texts(JsonNode map) {
    Map<String, String> texts = new LinkedHashMap<>();
    map.properties().forEach(it -> texts.put(it.getKey(), it.getValue().asText()));
    return texts;
  }

  /**
   * The answer: of several true conditions, the one that counts most.
   *
   * @param isAdmitted whether the Workload runs and no longer needs a booking
   */
  RequestOutcome outcome(boolean isAdmitted) {
    if (is(ProvisioningConditions.FAILED)) {
      return new RequestOutcome.Failed(message(ProvisioningConditions.FAILED));
    }
    if (is(ProvisioningConditions.CAPACITY_REVOKED)) {
      return new RequestOutcome.CapacityRevoked(message(ProvisioningConditions.CAPACITY_REVOKED));
    }
    if (is(ProvisioningConditions.BOOKING_EXPIRED) && !isAdmitted) {
      return new RequestOutcome.BookingExpired(message(ProvisioningConditions.BOOKING_EXPIRED));
    }
    if (is(ProvisioningConditions.PROVISIONED)) {
      return new RequestOutcome.Provisioned(message(ProvisioningConditions.PROVISIONED));
    }
    String expected = message(ProvisioningConditions.PROVISIONED);
    return new RequestOutcome.Waiting(
        expected.isEmpty() && is(ProvisioningConditions.ACCEPTED)
            ? message(ProvisioningConditions.ACCEPTED)
            : expected);
  }

  private boolean is(String condition) {
    return Conditions.isTrue(tree, condition);
  }

  private String message(String condition) {
    return Conditions.find(tree, condition).map(it -> it.path("message").asText()).orElse("");
  }
}
