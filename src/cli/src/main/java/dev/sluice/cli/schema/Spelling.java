package dev.sluice.cli.schema;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/** How similar two names are, by the number of letters to change (Levenshtein's distance). */
final class Spelling {
  private static final int LONGEST = 64;

  private Spelling() {}

  /** The name among these that was probably meant: at most a third of its letters differ. */
  static Optional<String> nearest(String name, Collection<String> names) {
    String best = null;
    int least = Integer.MAX_VALUE;
    for (String candidate : names) {
      int distance = distance(lower(name), lower(candidate));
      if (distance < least && distance * 3 <= Math.max(3, candidate.length())) {
        least = distance;
        best = candidate;
      }
    }
    return Optional.ofNullable(best);
  }

  private static String lower(String name) {
    return name.substring(0, Math.min(LONGEST, name.length())).toLowerCase(Locale.ROOT);
  }

  private static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int change = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(change, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[b.length()];
  }
}
