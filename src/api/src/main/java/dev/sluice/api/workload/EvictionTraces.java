package dev.sluice.api.workload;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What an eviction changes in a status beside its conditions. */
final class EvictionTraces {
  private EvictionTraces() {}

  /** The checks in their initial state. */
  static List<AdmissionCheckState> reset(List<AdmissionCheckState> checks, Instant now) {
    return checks.stream()
        .map(it -> it.state() == CheckState.PENDING ? it : anew(it, now))
        .toList();
  }

  private static AdmissionCheckState anew(AdmissionCheckState check, Instant now) {
    return new AdmissionCheckState(
        check.name(),
        CheckState.PENDING,
        now,
        "Reset to Pending after eviction. Previously: " + check.state().text(),
        check.requeueAfterSeconds(),
        retries(check),
        List.of());
  }

  /** Only a check that asked for that has been tried once more. */
  private static @Nullable Integer retries(AdmissionCheckState check) {
    int before = check.retryCount() == null ? 0 : check.retryCount();
    return check.state() == CheckState.RETRY ? Integer.valueOf(before + 1) : null;
  }

  /** The gates, all closed. */
  static List<PreemptionGateState> closed(List<PreemptionGateState> gates, Instant now) {
    return gates.stream()
        .map(gate -> new PreemptionGateState(gate.name(), GatePosition.CLOSED, now))
        .toList();
  }

  /** The evictions so far, and this one. */
  static SchedulingStats counted(@Nullable SchedulingStats stats, String reason, String cause) {
    List<EvictionCount> counts = new ArrayList<>(stats == null ? List.of() : stats.evictions());
    for (int i = 0; i < counts.size(); i++) {
      EvictionCount count = counts.get(i);
      if (count.reason().equals(reason) && count.underlyingCause().equals(cause)) {
        counts.set(i, new EvictionCount(reason, cause, count.count() + 1));
        return new SchedulingStats(counts);
      }
    }
    counts.add(new EvictionCount(reason, cause, 1));
    return new SchedulingStats(counts);
  }
}
