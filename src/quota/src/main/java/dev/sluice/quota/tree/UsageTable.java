package dev.sluice.quota.tree;

/** The usage of every cell of a tree; immutable, in pages that its versions share. */
record UsageTable(long[][] pages) {
  static final int PAGE_BITS = 6;
  static final int PAGE_SIZE = 1 << PAGE_BITS;

  static UsageTable zeros(int cells) {
    int count = (cells + PAGE_SIZE - 1) / PAGE_SIZE;
    long[][] pages = new long[count][];
    long[] empty = new long[PAGE_SIZE];
    java.util.Arrays.fill(pages, empty);
    return new UsageTable(pages);
  }

  long get(int cell) {
    return pages[cell >> PAGE_BITS][cell & (PAGE_SIZE - 1)];
  }
}
