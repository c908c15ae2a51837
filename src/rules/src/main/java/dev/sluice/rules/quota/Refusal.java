package dev.sluice.rules.quota;

/** Why a reservation may not be stored. */
public sealed interface Refusal permits Shortage, UnconfirmedRefusal {
  /** Whether waiting cannot help. */
  boolean isForEver();

  /** One line for people. */
  String sentence();
}
