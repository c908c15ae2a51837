package dev.sluice.api.workload;

import dev.sluice.api.meta.Spelled;

/** The position of a gate. */
public enum GatePosition implements Spelled {
  CLOSED("Closed"),
  OPEN("Open");

  private final String text;

  GatePosition(String text) {
    this.text = text;
  }

  @Override
  public String text() {
    return text;
  }
}
