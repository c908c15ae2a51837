package dev.sluice.api.queue;

import java.util.List;

/** Which checks a workload passes before it is admitted. */
public record AdmissionChecksStrategy(List<AdmissionCheckStrategyRule> admissionChecks) {
  public AdmissionChecksStrategy {
    admissionChecks = List.copyOf(admissionChecks);
  }
}
