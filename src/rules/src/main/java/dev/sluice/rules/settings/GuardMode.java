package dev.sluice.rules.settings;

/** The reaction to a surplus Pod of a Job. */
public enum GuardMode {
  /** It is refused. */
  DENY,
  /** It is created with a warning. */
  WARN,
  /** It is not checked. */
  OFF
}
