package dev.sluice.api.queue;

import dev.sluice.api.meta.Spelled;

/** Which workloads a borrowing workload may preempt in the cohort. */
public enum BorrowWithinCohortPolicy implements Spelled {
  NEVER("Never"),
  LOWER_PRIORITY("LowerPriority");

  private final String text;

  BorrowWithinCohortPolicy(String text) {
    this.text = text;
  }

  @Override
  public String text() {
    return text;
  }
}
