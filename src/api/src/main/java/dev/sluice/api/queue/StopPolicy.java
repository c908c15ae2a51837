package dev.sluice.api.queue;

import dev.sluice.api.meta.Spelled;

/** Whether a queue admits, and whether it evicts the admitted workloads. */
public enum StopPolicy implements Spelled {
  NONE("None"),
  HOLD("Hold"),
  HOLD_AND_DRAIN("HoldAndDrain");

  private final String text;

  StopPolicy(String text) {
    this.text = text;
  }

  @Override
  public String text() {
    return text;
  }
}
