package dev.sluice.api.meta;

/** Whether a condition holds. */
public enum ConditionStatus implements Spelled {
  TRUE("True"),
  FALSE("False"),
  UNKNOWN("Unknown");

  private final String text;

  ConditionStatus(String text) {
    this.text = text;
  }

  @Override
  public String text() {
    return text;
  }
}
