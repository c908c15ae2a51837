package dev.sluice.see.whatif;

import dev.sluice.api.meta.Spelled;
import dev.sluice.api.vocabulary.ConditionTypes;

/** What would become of a job or a Workload. */
public enum Answer implements Spelled {
  /** It would get quota at once. */
  ADMITTED(ConditionTypes.ADMITTED),
  /** It would get quota when others have been evicted for it. */
  ADMITTED_AFTER_PREEMPTION("AdmittedAfterPreemption"),
  /** It would wait. */
  WAITS("Waits"),
  /** It would wait, and no workload that ends would help: the queue never has what it needs. */
  NEVER("Never"),
  /** It would not be stored, or no Workload would be made of it. */
  REFUSED("Refused");

  private final String text;

  Answer(String text) {
    this.text = text;
  }

  @Override
  public String text() {
    return text;
  }
}
