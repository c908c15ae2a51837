package dev.sluice.rules.settings;

/** What becomes of a Pod that its Job may not have any more. */
public enum GuardMode {
  /** It is refused. */
  DENY,
  /** It is created, and whoever created it is warned. */
  WARN,
  /** Nobody looks. */
  OFF
}
