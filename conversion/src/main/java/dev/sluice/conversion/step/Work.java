package dev.sluice.conversion.step;

import java.util.function.BooleanSupplier;

/**
 * What converting one object takes of memory and time. Memory is taken before it is used: what the
 * object becomes until the object is done, and what is needed on the way until its item is done.
 * Confined to the thread that converts the object.
 */
public final class Work {
  private final MemoryBudget budget;
  private final BooleanSupplier expired;
  private long kept;
  private long expanded;
  private long passing;

  /**
   * The work on one object.
   *
   * @param budget gives the memory
   * @param expired asked from time to time whether the time is over
   */
  public Work(MemoryBudget budget, BooleanSupplier expired) {
    this.budget = budget;
    this.expired = expired;
  }

  /** Work that nothing bounds. */
  public static Work unbounded() {
    return new Work(MemoryBudget.UNBOUNDED, () -> false);
  }

  /**
   * Takes memory.
   *
   * @param result bytes that are kept until the object is done
   * @param way bytes that are needed until this item is done
   * @throws WorkStopped if there is no room for them
   */
  public void take(long result, long way) {
    long bytes = result + way;
    if (!budget.tryTake(bytes)) {
      throw new WorkStopped(
          budget.couldTake(bytes) ? WorkStopped.Reason.NO_ROOM : WorkStopped.Reason.TOO_MUCH,
          bytes,
          budget.most());
    }
    kept += result;
    passing += way;
  }

  /**
   * Takes the memory for what a part of the object becomes, and for what is needed on the way.
   *
   * @param result bytes that are written instead of that part
   * @param way bytes that are needed until this item is done
   * @throws WorkStopped if there is no room for them
   */
  public void expand(long result, long way) {
    take(result, way);
    expanded += result;
  }

  /** The bytes by which the object grew at most. */
  public long expanded() {
    return expanded;
  }

  /**
   * Looks at the clock.
   *
   * @throws WorkStopped if the time is over
   */
  public void goOn() {
    if (expired.getAsBoolean()) {
      throw new WorkStopped(WorkStopped.Reason.OUT_OF_TIME, 0, 0);
    }
  }

  /** The item is done: gives back what was needed on the way. */
  void itemDone() {
    if (passing > 0) {
      budget.giveBack(passing);
      passing = 0;
    }
  }

  /** The object is done, or given up: gives back all. */
  public void done() {
    itemDone();
    if (kept > 0) {
      budget.giveBack(kept);
      kept = 0;
    }
  }
}
