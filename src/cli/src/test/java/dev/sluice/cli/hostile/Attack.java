package dev.sluice.cli.hostile;

/** What attackers do to a running Sluice, within bounds of time and number. */
interface Attack {
  /** The name by which it is asked for. */
  String name();

  /**
   * Goes on until the target's end, and is over soon after it.
   *
   * @return what was done, in a few words
   */
  String run(Target target, Breaches breaches) throws Exception;
}
