package dev.sluice.conversion.step;

/**
 * A warning about a converted object.
 *
 * @param reason its kind, for metrics
 * @param field its path, such as {@code spec.levels}
 * @param detail one clause, for logs
 */
public record ConversionWarning(Reason reason, String field, String detail) {

  /** The closed set of things to warn about; the lower-case name is a metric's label. */
  public enum Reason {
    /** A Topology without levels. */
    LEVELS_MISSING,
    /** A Topology whose levels are not what levels look like. */
    LEVELS_MALFORMED,
    /** A Topology that carries two different lists of levels. */
    LEVELS_CONTRADICT,
    /** A Topology whose levels stood at the root and were moved to where they belong. */
    LEVELS_REPAIRED,
    /** A topology assignment of a Workload that cannot be read, or says too much. */
    ASSIGNMENT_MALFORMED,
    /** One of our annotations, or a part of it, was no longer readable; it is gone. */
    NOTE_IGNORED,
    /** There was no room in the annotations for all that had to be noted. */
    NOTE_DROPPED;

    /** The label's value in metrics. */
    public String label() {
      return name().toLowerCase(java.util.Locale.ROOT);
    }
  }
}
