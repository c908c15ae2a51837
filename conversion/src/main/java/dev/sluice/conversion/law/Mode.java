package dev.sluice.conversion.law;

/** What to do with an object whose content is odd. */
public enum Mode {
  /**
   * Convert it all the same and warn about it. A server does this: one object that fails makes the
   * whole list fail for everybody who reads it, and stops garbage collection.
   */
  CARRY,
  /** Refuse it and name the field, so that a person can decide. */
  FAIL
}
