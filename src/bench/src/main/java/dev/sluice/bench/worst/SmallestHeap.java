package dev.sluice.bench.worst;

import java.io.IOException;

/** Finds the smallest heap in which something can be done. */
final class SmallestHeap {
  private SmallestHeap() {}

  /** Tries one size. */
  interface Attempt {
    boolean succeedsWith(int mebibytes) throws IOException, InterruptedException;
  }

  /**
   * The smallest size, to within a step, by bisection.
   *
   * @param least a size that is too small
   * @param most a size that is enough
   * @throws IllegalStateException if it is not
   */
  static int find(int least, int most, int step, Attempt attempt)
      throws IOException, InterruptedException {
    if (!attempt.succeedsWith(most)) {
      throw new IllegalStateException("fails with " + most + " MiB (expected: enough)");
    }
    int tooSmall = least;
    int enough = most;
    while (enough - tooSmall > step) {
      int middle = (tooSmall + enough) / 2;
      if (attempt.succeedsWith(middle)) {
        enough = middle;
      } else {
        tooSmall = middle;
      }
    }
    return enough;
  }
}
