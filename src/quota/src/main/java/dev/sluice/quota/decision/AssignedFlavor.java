package dev.sluice.quota.decision;

/**
 * The flavor found for one resource of a PodSet.
 *
 * @param borrowingLevel the height of the subtree that has to lend; 0 where the queue owns enough
 * @param tried the index of this flavor where the search stopped early, and -1 where it saw all
 */
public record AssignedFlavor(String flavor, FlavorMode mode, int borrowingLevel, int tried) {
  /** The index of a search that saw every flavor. */
  public static final int SAW_ALL = -1;

  /** The same, to be had only after others gave way. */
  AssignedFlavor preempting() {
    return mode == FlavorMode.FIT
        ? new AssignedFlavor(flavor, FlavorMode.PREEMPT, borrowingLevel, tried)
        : this;
  }
}
