package dev.sluice.cli.migrate;

/**
 * The results of a migration.
 *
 * @param rewritten objects that were stored again
 * @param unchanged objects already stored at the storage version
 * @param gone objects deleted in the meantime
 * @param conflicts writes repeated because of concurrent writes
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
