package dev.sluice.api.workload;

import dev.sluice.api.meta.Spelled;

/** Whether the placement that is made after the admission checks has been made. */
public enum DelayedTopologyRequestState implements Spelled {
  PENDING("Pending"),
  READY("Ready");

  private final String text;

  DelayedTopologyRequestState(String text) {
    this.text = text;
  }

  @Override
  public String text() {
    return text;
  }
}
