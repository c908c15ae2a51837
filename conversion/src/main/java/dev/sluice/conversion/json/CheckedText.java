package dev.sluice.conversion.json;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Bytes that are known to hold JSON, and where its objects and lists end. They are counted in the
 * order in which they begin, so those within one follow it, and the one after it is found without
 * looking at what is between.
 */
final class CheckedText {
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
    private int[] ends;
    private int[] next;
    private int[] open = new int[32];
    private int depth;
    private int count;

    Indexer(int expected) {
      ends = new int[expected];
      next = new int[expected];
    }

    /** An object or list begins; returns its number. */
    int begin() {
      if (count == ends.length) {
        ends = Arrays.copyOf(ends, count * 2);
        next = Arrays.copyOf(next, count * 2);
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
