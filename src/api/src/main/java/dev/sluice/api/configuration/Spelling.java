package dev.sluice.api.configuration;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/** Finds the most similar known name. */
public final class Spelling {
  private static final int MAX_LENGTH = 64;

  private Spelling() {}

  /**
   * The candidate nearest to the name, the first of several; empty if none is near: more than one
   * edit in three letters away.
   */
  public static Optional<String> nearest(String name, Collection<String> candidates) {
    String wanted = name.toLowerCase(Locale.ROOT);
    int least = Math.max(1, wanted.length() / 3) + 1;
    String best = null;
    for (String candidate : candidates) {
      int distance = distance(wanted, candidate.toLowerCase(Locale.ROOT), least);
      if (distance < least) {
        least = distance;
        best = candidate;
      }
    }
    return Optional.ofNullable(best);
  }

  /** Letters to change, add, drop or swap with their neighbour; at least {@code limit} if far. */
  private static int distance(String a, String b, int limit) {
    if (Math.abs(a.length() - b.length()) >= limit || a.length() > MAX_LENGTH) {
      return limit;
    }
    int[][] cost = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        cost[i][j] = i == 0 || j == 0 ? i + j : cheapest(cost, a, b, i, j);
      }
    }
    return cost[a.length()][b.length()];
  }

  private static int cheapest(int[][] cost, String a, String b, int i, int j) {
    int same = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
    int least = Math.min(cost[i - 1][j - 1] + same, Math.min(cost[i - 1][j], cost[i][j - 1]) + 1);
    boolean swapped =
        i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
    return swapped ? Math.min(least, cost[i - 2][j - 2] + 1) : least;
  }
}
