package dev.sluice.conversion.step;

import java.util.function.BooleanSupplier;

/**
 * What converting one object takes of memory and time. Memory is taken before it is used: what the
 * object becomes until the object is done, and what is needed on the way until its item is done.
 * Confined to the thread that converts the object.
 */
public final class Work {
  private final Room room;
  private final BooleanSupplier expired;
  private long kept;
  private long expanded;
  private long passing;

  /**
   * The work on one object.
   *
   * @param room gives the memory
   * @param expired asked from time to time whether the time is over
   */
  public Work(Room room, BooleanSupplier expired) {
    this.room = room;
    this.expired = expired;
  }

  /** Work that nothing bounds. */
  public static Work unbounded() {
    return new Work(Room.UNBOUNDED, () -> false);
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
    if (!room.tryTake(bytes)) {
      throw new WorkStopped(
          room.couldTake(bytes) ? WorkStopped.Reason.NO_ROOM : WorkStopped.Reason.TOO_MUCH,
          bytes,
          room.most());
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
      room.giveBack(passing);
      passing = 0;
    }
  }

  /** The object is done, or given up: gives back all. */
  public void done() {
    itemDone();
    if (kept > 0) {
      room.giveBack(kept);
      kept = 0;
    }
  }
}
