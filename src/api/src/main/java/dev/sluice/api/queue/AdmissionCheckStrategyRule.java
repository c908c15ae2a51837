package dev.sluice.api.queue;

import java.util.List;

/** One check, for the flavors named or, where none is, for all. */
public record AdmissionCheckStrategyRule(String name, List<String> onFlavors) {
  public AdmissionCheckStrategyRule {
    onFlavors = List.copyOf(onFlavors);
  }
}
