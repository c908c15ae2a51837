package dev.sluice.see.history;

import dev.sluice.api.vocabulary.ConditionTypes;

/** What a transition of a Workload was. */
public enum Step {
  /** It came, or has no quota any more, and waits from then on. */
  QUEUED("Queued"),
  /** It holds quota from then on. */
  RESERVED("Reserved"),
  /** Its job may run from then on. */
  ADMITTED(ConditionTypes.ADMITTED),
  /** It has to stop; it holds its quota until its pods are gone. */
  EVICTED(ConditionTypes.EVICTED),
  /** The end of the time for which it held these amounts, such as when some of its pods ended. */
  CHANGED("Changed"),
  /** It holds these other amounts from then on. */
  CONTINUED("Continued"),
  /** It gave its quota back and waits again. */
  RELEASED("Released"),
  /** It came to its end. */
  FINISHED(ConditionTypes.FINISHED),
  /** Its object is deleted. */
  GONE("Gone"),
  /** Nothing happened: it holds that quota at that moment. Never stored. */
  OPEN("Open");

  private final String text;

  Step(String text) {
    this.text = text;
  }

  /** As a line spells it. */
  public String text() {
    return text;
  }

  /**
   * The one that is spelled so.
   *
   * @throws IllegalArgumentException for no such one
   */
  public static Step of(String text) {
    for (Step step : values()) {
      if (step.text.equals(text)) {
        return step;
      }
    }
    throw new IllegalArgumentException("step: " + text + " (expected: such as Queued)");
  }

  /** Whether a line of it ends the time for which its amounts were held. */
  public boolean closes() {
    return switch (this) {
      case CHANGED, RELEASED, FINISHED, GONE, OPEN -> true;
      case QUEUED, RESERVED, ADMITTED, EVICTED, CONTINUED -> false;
    };
  }
}
