package dev.sluice.api.workload;

import dev.sluice.api.meta.Spelled;

/** How far a check is. */
public enum CheckState implements Spelled {
  PENDING("Pending"),
  READY("Ready"),
  RETRY("Retry"),
  REJECTED("Rejected");

  private final String text;

  CheckState(String text) {
    this.text = text;
  }

  @Override
  public String text() {
    return text;
  }
}
