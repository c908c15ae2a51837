package dev.sluice.webhook.rules.workload;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.Quantity;
import dev.sluice.rules.Field;
import dev.sluice.rules.FieldError;
import dev.sluice.rules.ValidationResult;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Map;
import java.util.Optional;

/** What {@code status.admission} must be while quota is reserved by it. */
final class AdmissionRulesOfStatus {
  private static final int MILLI = 3;

  private AdmissionRulesOfStatus() {}

  static void check(Field root, ValidationResult findings) {
    var workload = new WorkloadView(root);
    checkAmounts(workload, root, findings);
    if (workload.isReserved()) {
      checkAssignments(workload, findings);
    }
  }

  /** The schema lets texts through that no client of Kueue can read as quantities. */
  private static void checkAmounts(WorkloadView workload, Field root, ValidationResult findings) {
    for (Field assignment : workload.assignments()) {
      assignment.child("resourceUsage").expectQuantities(findings);
    }
    Field requests = root.child("status").child("resourceRequests");
    for (Field request : requests.items(WorkloadView.MAX_ITEMS)) {
      request.child("resources").expectQuantities(findings);
    }
  }

  /** The same, whether quota is reserved or not. */
  static void checkAssignments(WorkloadView workload, ValidationResult findings) {
    Map<String, Field> podSets = workload.podSetsByName();
    for (Field assignment : workload.assignments()) {
      if (!podSets.containsKey(WorkloadView.name(assignment))) {
        findings.add(
            FieldError.notFound(assignment.child("name"), "there is no such pod set in the spec"));
      }
      checkUsage(assignment, findings);
    }
  }

  private static void checkUsage(Field assignment, ValidationResult findings) {
    long count = assignment.child("count").integer().orElse(0L);
    Field usage = assignment.child("resourceUsage");
    if (count <= 0) {
      return;
    }
    for (Map.Entry<String, JsonNode> entry : usage.node().properties()) {
      Field amount = usage.key(entry.getKey());
      Optional<Quantity> used = amount.quantity();
      if (used.isPresent() && !isMultiple(entry.getKey(), used.get(), count)) {
        findings.add(
            FieldError.invalidQuantity(
                amount.path(),
                amount,
                "must be a multiple of the %d pods that it is for".formatted(count)));
      }
    }
  }

  private static boolean isMultiple(String resource, Quantity used, long count) {
    int places = resource.equals("cpu") ? MILLI : 0;
    BigDecimal units = used.value().scaleByPowerOfTen(places).setScale(0, RoundingMode.CEILING);
    return units.remainder(BigDecimal.valueOf(count)).signum() == 0;
  }
}
