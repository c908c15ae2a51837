package dev.sluice.see.shadow;

/** How our decision compares with that of the other scheduler. */
public enum Verdict {
  /** We would have decided the same. */
  SAME("same"),
  /** We would have admitted or preempted, and the other scheduler did not. */
  SOONER("sooner"),
  /** The other scheduler reserved quota, and we would have left the Workload waiting. */
  LATER("later"),
  /** We would have assigned another flavor, or another number of pods. */
  OTHER_FLAVOR("other flavor"),
  /** We would have placed the pods in other domains of the topology. */
  OTHER_PLACE("other place"),
  /** We would have preempted other Workloads, or none. */
  OTHER_VICTIMS("other victims"),
  /** The decisions differ as the page about differences from Kueue says. */
  KNOWN_DEVIATION("known deviation"),
  /** There is no state in which the two can be compared. */
  UNDECIDED("undecided");

  private final String text;

  Verdict(String text) {
    this.text = text;
  }

  /** As in tables. */
  public String text() {
    return text;
  }

  /** As in labels of metrics and in JSON: with underscores. */
  public String label() {
    return text.replace(' ', '_');
  }

  /** Whether the two decide differently, and not on purpose. */
  public boolean isDifference() {
    return this != SAME && this != KNOWN_DEVIATION && this != UNDECIDED;
  }
}
