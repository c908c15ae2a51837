package dev.sluice.api.workload;

import dev.sluice.api.meta.Spelled;

/** The kind of a priority class. */
public enum PriorityClassKind implements Spelled {
  WORKLOAD_PRIORITY_CLASS("WorkloadPriorityClass"),
  PRIORITY_CLASS("PriorityClass");

  private final String text;

  PriorityClassKind(String text) {
    this.text = text;
  }

  @Override
  public String text() {
    return text;
  }
}
