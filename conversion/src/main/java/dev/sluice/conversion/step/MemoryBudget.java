package dev.sluice.conversion.step;

/**
 * The memory budget of a request beside its own bytes. It is charged before something is created
 * that is larger than its source. Used by one thread at a time.
 */
public interface MemoryBudget {
  /** No limit; for tools that convert their user's own files. */
  MemoryBudget UNBOUNDED =
      new MemoryBudget() {
        @Override
        public boolean tryTake(long bytes) {
          return true;
        }

        @Override
        public boolean couldTake(long bytes) {
          return true;
        }

        @Override
        public void giveBack(long bytes) {}

        @Override
        public long most() {
          return Long.MAX_VALUE;
        }
      };

  /**
   * Takes this many bytes of heap, or nothing if there are not so many now.
   *
   * @return whether they were taken
   */
  boolean tryTake(long bytes);

  /** Whether this many bytes could be taken, too, if no other request held any. */
  boolean couldTake(long bytes);

  /** Gives back this many of the bytes that were taken. */
  void giveBack(long bytes);

  /** The bytes that one request can have if it is alone, its own bytes included. */
  long most();
}
