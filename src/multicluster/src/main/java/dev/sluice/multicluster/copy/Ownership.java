package dev.sluice.multicluster.copy;

/**
 * The owner of an object on a worker, as its marks say. Only objects that are proved ours are ever
 * changed.
 */
public enum Ownership {
  /** This manager made it for this Workload. */
  OURS,
  /** It has our origin and no mark of any manager, as Kueue makes copies. */
  UNMARKED,
  /** This manager made it for an earlier Workload of the name. */
  OTHER_LIFE,
  /** This manager made it, and its origin label was removed. */
  RELABELED,
  /** It belongs to another owner. */
  FOREIGN;

  /** Whether this manager may change and delete it. */
  public boolean isProved() {
    return this == OURS || this == UNMARKED || this == OTHER_LIFE;
  }
}
