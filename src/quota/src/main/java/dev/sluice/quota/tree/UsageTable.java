package dev.sluice.quota.tree;

import java.util.Arrays;

/** The usage of every cell of a tree; immutable, in pages that its versions share. */
final class UsageTable {
  static final int PAGE_BITS = 6;
  static final int PAGE_SIZE = 1 << PAGE_BITS;

  private final long[][] pages;

  UsageTable(long[][] pages) {
    this.pages = pages.clone();
  }

  static UsageTable zeros(int cells) {
    long[][] pages = new long[(cells + PAGE_SIZE - 1) / PAGE_SIZE][];
    Arrays.fill(pages, new long[PAGE_SIZE]);
    return new UsageTable(pages);
  }

  /** The index of pages, to be changed by the caller; the pages themselves are shared. */
  long[][] copyOfPages() {
    return pages.clone();
  }
}
