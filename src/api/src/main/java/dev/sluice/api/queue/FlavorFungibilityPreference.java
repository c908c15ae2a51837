package dev.sluice.api.queue;

import dev.sluice.api.meta.Spelled;

/** Which of two flavors is better: one that borrows or one that preempts. */
public enum FlavorFungibilityPreference implements Spelled {
  BORROWING_OVER_PREEMPTION("BorrowingOverPreemption"),
  PREEMPTION_OVER_BORROWING("PreemptionOverBorrowing");

  private final String text;

  FlavorFungibilityPreference(String text) {
    this.text = text;
  }

  @Override
  public String text() {
    return text;
  }
}
