package dev.sluice.bench.load;

import java.lang.management.ManagementFactory;
import java.lang.ref.Reference;
import java.util.function.Supplier;

/** The heap that is reachable, as far as collecting three times tells. */
public final class LiveHeap {
  private static final int COLLECTIONS = 3;

  private LiveHeap() {}

  /** What is reachable now, in bytes. */
  public static long bytes() {
    var memory = ManagementFactory.getMemoryMXBean();
    for (int i = 0; i < COLLECTIONS; i++) {
      memory.gc();
    }
    return memory.getHeapMemoryUsage().getUsed();
  }

  /**
   * What an object keeps of the heap: what is reachable with it, less what is once it is let go. So
   * it does not matter what others left behind before it was made.
   *
   * @param made makes it; nothing else may hold what it makes
   */
  public static long bytesOf(Supplier<?> made) {
    return bytesWith(made) - bytes();
  }

  // a method of its own, so that nothing of it is on the stack when the rest is counted
  private static long bytesWith(Supplier<?> made) {
    Object held = made.get();
    try {
      return bytes();
    } finally {
      Reference.reachabilityFence(held);
    }
  }
}
