package dev.sluice.conversion.step;

/** What to do with an object whose content is odd. */
public enum Mode {
  /**
   * Convert it and warn. A server does this: one failing object makes the whole list fail for all
   * readers, and stops garbage collection.
   */
  CARRY,
  /** Refuse it and name the field, so that a person can decide. */
  FAIL
}
