package dev.sluice.multicluster.copy;

/** Whose an object on a worker is, as its marks say. Only what is proved ours is ever changed. */
public enum Ownership {
  /** This manager made it for this Workload. */
  OURS,
  /** It has our origin and no mark of any manager, as Kueue makes copies. */
  UNMARKED,
  /** This manager made it for an earlier Workload of the name. */
  OTHER_LIFE,
  /** This manager made it, and somebody took its origin label away. */
  RELABELED,
  /** It is somebody else's. */
  FOREIGN;

  /** Whether this manager may change and delete it. */
  public boolean isProved() {
    return this == OURS || this == UNMARKED || this == OTHER_LIFE;
  }
}
