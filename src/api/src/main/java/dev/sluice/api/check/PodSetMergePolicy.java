package dev.sluice.api.check;

import dev.sluice.api.meta.Spelled;

/** Which pod sets are requested together. */
public enum PodSetMergePolicy implements Spelled {
  IDENTICAL_POD_TEMPLATES("IdenticalPodTemplates"),
  IDENTICAL_WORKLOAD_SCHEDULING_REQUIREMENTS("IdenticalWorkloadSchedulingRequirements");

  private final String text;

  PodSetMergePolicy(String text) {
    this.text = text;
  }

  @Override
  public String text() {
    return text;
  }
}
