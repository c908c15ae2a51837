package dev.sluice.conversion.review;

import dev.sluice.conversion.review.BadReviewException.Reason;
import dev.sluice.conversion.step.MemoryBudget;
import dev.sluice.json.TextCounts;

/**
 * What a request takes of memory beside its own bytes, computed from its text before anything is
 * made of it. The numbers are those of the worst text known; docs/contributing/benchmarks.md has
 * them.
 */
public final class Charge {
  /**
   * Texts up to this length are not looked at: what a few of them can take at a time is little
   * beside the memory that is never given out.
   */
  public static final int SMALL = 64 << 10;

  private static final long BYTES_A_STRUCTURE = 40; // what an index has room for at first
  private static final int INDEX = 8; // bytes for each structure
  private static final int GROWING_INDEX = 3 * INDEX; // the old one and the one twice as large

  /** Heap for each value of an object that is converted, and for each byte of it. */
  private static final int OBJECT_VALUE = 160;

  private static final int OBJECT_BYTE = 8;

  /** Heap for each value of a review of which all is looked at, and for each byte of it. */
  private static final int TREE_VALUE = 280;

  private static final int TREE_BYTE = 2;

  /** Heap for each object of a list that is not opened. */
  private static final int LISTED = 48;

  private Charge() {}

  /** For the index of a text of this length. */
  static long index(byte[] text, TextCounts counts) {
    long expected = text.length / BYTES_A_STRUCTURE + 8;
    return counts.structures() <= expected
        ? INDEX * expected
        : GROWING_INDEX * Math.min(counts.structures(), text.length);
  }

  /** For converting an object that can have so many values and has so many bytes. */
  static long object(long values, long bytes) {
    return OBJECT_VALUE * values + OBJECT_BYTE * bytes;
  }

  /** For the list of so many objects. */
  static long listed(long objects) {
    return LISTED * objects;
  }

  /** For a review all of which may be looked at as a tree. */
  public static long tree(byte[] review) {
    if (review.length <= SMALL) {
      return 0;
    }
    TextCounts counts = TextCounts.of(review);
    return index(review, counts) + TREE_VALUE * counts.values() + TREE_BYTE * (long) review.length;
  }

  /**
   * Takes this much for the request.
   *
   * @throws BadReviewException if there is no room for it
   */
  public static void take(MemoryBudget budget, long bytes, String what) throws BadReviewException {
    if (!budget.tryTake(bytes)) {
      throw budget.couldTake(bytes)
          ? new BadReviewException(
              Reason.NO_ROOM,
              "%s: takes %d bytes of memory, and other requests hold it now (expected: fewer at a time)"
                  .formatted(what, bytes))
          : new BadReviewException(
              Reason.OVER_LIMIT,
              "%s: takes %d bytes of memory (expected: at most %d for all of a request)"
                  .formatted(what, bytes, budget.most()));
    }
  }
}
