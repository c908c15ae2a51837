package dev.sluice.cli.simulate;

import dev.sluice.api.meta.Condition;
import dev.sluice.api.vocabulary.ConditionTypes;
import dev.sluice.api.workload.Admission;
import dev.sluice.api.workload.PodSetAssignment;
import dev.sluice.api.workload.Workload;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What a workload got, in one line. */
final class Flavors {
  private Flavors() {}

  /** Such as {@code main: cpu 8 of default}; empty without an admission. */
  static String of(Workload workload) {
    Admission admission = workload.status().admission();
    StringBuilder text = new StringBuilder();
    if (admission != null) {
      for (PodSetAssignment assignment : admission.podSetAssignments()) {
        text.append(text.isEmpty() ? "" : "; ").append(of(assignment));
      }
    }
    return text.toString();
  }

  private static String of(PodSetAssignment assignment) {
    StringBuilder text = new StringBuilder(assignment.name()).append(": ");
    String separator = "";
    for (var entry : new TreeMap<>(assignment.resourceUsage()).entrySet()) {
      text.append(separator).append(entry.getKey()).append(' ').append(entry.getValue());
      text.append(" of ").append(assignment.flavors().getOrDefault(entry.getKey(), "?"));
      separator = ", ";
    }
    return text.toString();
  }

  /** The condition QuotaReserved, or null. */
  static @Nullable Condition reserved(Workload workload) {
    for (Condition condition : workload.status().conditions()) {
      if (condition.type().equals(ConditionTypes.QUOTA_RESERVED)) {
        return condition;
      }
    }
    return null;
  }
}
