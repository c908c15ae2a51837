package dev.sluice.cli.migrate;

/**
 * What became of objects.
 *
 * @param rewritten stored anew since they were listed
 * @param unchanged were stored at the storage version already
 * @param gone deleted by somebody else in the meantime
 * @param conflicts writes that were repeated because somebody else wrote at the same time
 */
record Counts(long rewritten, long unchanged, long gone, long conflicts) {
  static final Counts NONE = new Counts(0, 0, 0, 0);

  /** Both together. */
  Counts plus(Counts other) {
    return new Counts(
        rewritten + other.rewritten,
        unchanged + other.unchanged,
        gone + other.gone,
        conflicts + other.conflicts);
  }
}
