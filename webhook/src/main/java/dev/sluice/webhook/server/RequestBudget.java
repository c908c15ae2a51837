package dev.sluice.webhook.server;

import dev.sluice.conversion.step.MemoryBudget;

/**
 * The memory that answering one request takes, counted among the bytes in flight. Where it is
 * answered there is a bound to it, beyond which another lane has to answer. For the one thread that
 * answers.
 */
final class RequestBudget implements MemoryBudget {
  private final MemoryReservation memory;
  private final long most;
  private final long mostHere;
  private long taken;
  private long wanted; // more than there is here, or zero

  /**
   * MemoryBudget for one attempt to answer.
   *
   * @param memory what the request holds
   * @param most the bytes that one request can have
   * @param mostHere the bytes that it may take where it is answered
   */
  RequestBudget(MemoryReservation memory, long most, long mostHere) {
    this.memory = memory;
    this.most = most;
    this.mostHere = mostHere;
  }

  @Override
  public boolean tryTake(long bytes) {
    if (bytes > mostHere - taken) {
      wanted = taken + bytes;
      return false;
    }
    if (!memory.tryGrowTo(memory.bytes() + bytes)) {
      return false;
    }
    taken += bytes;
    return true;
  }

  @Override
  public boolean couldTake(long bytes) {
    return bytes <= most - memory.bytes();
  }

  @Override
  public void giveBack(long bytes) {
    taken -= bytes;
    memory.become(memory.bytes() - bytes);
  }

  @Override
  public long most() {
    return most;
  }

  /** Gives back all that was taken. */
  void close() {
    giveBack(taken);
  }

  /** Whether the answer is none, since it has to be made where there is more room. */
  boolean outgrown() {
    return wanted > 0;
  }

  /** The bytes that it needs at least, if it has outgrown the place where it was answered. */
  long wanted() {
    return wanted;
  }
}
