package dev.sluice.json;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Bytes that are known to hold JSON, and where its objects and lists end. They are counted in the
 * order in which they begin, so those within one follow it, and the one after it is found without
 * looking at what is between.
 */
final class CheckedText {
  /** Bytes of a text for each object or list that its index has room for at first. */
  private static final int BYTES_A_STRUCTURE = 40;

  /** The number of an object or list in a text without an index. */
  static final int UNKNOWN = -1;

  private final byte[] bytes;
  private final int @Nullable [] ends;
  private final int @Nullable [] next;

  private CheckedText(byte[] bytes, int @Nullable [] ends, int @Nullable [] next) {
    this.bytes = bytes;
    this.ends = ends;
    this.next = next;
  }

  /**
   * A text whose structure has to be found by scanning it; for short ones that we wrote ourselves.
   */
  static CheckedText unindexed(byte[] bytes) {
    return new CheckedText(bytes, null, null);
  }

  byte[] bytes() {
    return bytes;
  }

  boolean indexed() {
    return ends != null;
  }

  /** Where the object or list of this number ends. */
  int end(int number) {
    return ends == null ? UNKNOWN : ends[number];
  }

  /** The number of the first object or list that begins after the end of this one. */
  int next(int number) {
    return next == null ? UNKNOWN : next[number];
  }

  /** Collects the index while a text is being checked. */
  static final class Indexer {
    private final int most;
    private int[] ends;
    private int[] next;
    private int[] open = new int[32];
    private int depth;
    private int count;

    /**
     * An index of at most so many objects and lists.
     *
     * @param length the length of the text
     */
    static Indexer of(int length, JsonLimits limits) {
      return new Indexer(
          Math.min(length / BYTES_A_STRUCTURE + 8, limits.maxStructures()), limits.maxStructures());
    }

    private Indexer(int expected, int most) {
      this.most = most;
      ends = new int[expected];
      next = new int[expected];
    }

    /** Whether another object or list would be one too many. */
    boolean isFull() {
      return count == most;
    }

    /** An object or list begins, and there is room for it; returns its number. */
    int begin() {
      if (count == ends.length) {
        int larger = (int) Math.min(most, count * 2L);
        ends = Arrays.copyOf(ends, larger);
        next = Arrays.copyOf(next, larger);
      }
      if (depth == open.length) {
        open = Arrays.copyOf(open, depth * 2);
      }
      open[depth++] = count;
      return count++;
    }

    /** The innermost object or list ends before this byte. */
    void end(int end) {
      int number = open[--depth];
      ends[number] = end;
      next[number] = count;
    }

    int depth() {
      return depth;
    }

    CheckedText text(byte[] bytes) {
      return new CheckedText(bytes, ends, next);
    }
  }
}
