package dev.sluice.quota.topology.capacity;

import java.util.Arrays;

/**
 * A number for each of many domains. A copy is cheap: it shares with its original what neither has
 * changed since. For one thread; several may read while none writes.
 */
final class Column {
  private static final int BITS = 7;
  private static final int PAGE = 1 << BITS;

  private final long[][] pages;
  private boolean[] own; // for each page, whether it is not shared

  /** So many zeros. */
  Column(int size) {
    pages = new long[(size + PAGE - 1) >> BITS][];
    for (int page = 0; page < pages.length; page++) {
      pages[page] = new long[Math.min(PAGE, size - (page << BITS))];
    }
    own = new boolean[pages.length];
    Arrays.fill(own, true);
  }

  private Column(long[][] pages) {
    this.pages = pages;
    this.own = new boolean[pages.length];
  }

  /** A copy with the same numbers that changes independently. */
  Column copy() {
    own = new boolean[pages.length];
    return new Column(pages.clone());
  }

  long get(int domain) {
    return pages[domain >> BITS][domain & (PAGE - 1)];
  }

  void set(int domain, long value) {
    int page = domain >> BITS;
    if (!own[page]) {
      pages[page] = pages[page].clone();
      own[page] = true;
    }
    pages[page][domain & (PAGE - 1)] = value;
  }

  void add(int domain, long more) {
    if (more != 0) {
      set(domain, get(domain) + more);
    }
  }

  @Override
  public String toString() {
    return Arrays.deepToString(pages);
  }
}
