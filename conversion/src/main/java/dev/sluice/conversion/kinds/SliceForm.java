package dev.sluice.conversion.kinds;

import java.util.ArrayList;
import java.util.List;

/**
 * How one slice is compressed.
 *
 * @param universalCounts whether one count stands for all domains
 * @param levels how each level is compressed
 */
record SliceForm(boolean universalCounts, List<Level> levels) {
  /** A length that means the key is absent. */
  static final int ABSENT = -1;

  /**
   * How one level of a slice is compressed.
   *
   * @param universal whether one value stands for all domains
   * @param prefix the length of the common prefix in UTF-16 units, or {@link #ABSENT}
   * @param suffix the length of the common suffix, likewise
   */
  record Level(boolean universal, int prefix, int suffix) {
    static final Level UNIVERSAL = new Level(true, ABSENT, ABSENT);
  }

  SliceForm {
    levels = List.copyOf(levels);
  }

  /** The form that compresses these domains, at least one, as far as it goes. */
  static SliceForm shortest(Domains domains, int from, int to) {
    List<Level> levels = new ArrayList<>();
    for (int level = 0; level < domains.levels(); level++) {
      levels.add(shortest(domains.column(level), from, to));
    }
    return new SliceForm(sameCounts(domains, from, to), levels);
  }

  private static Level shortest(String[] column, int from, int to) {
    if (sameValues(column, from, to)) {
      return Level.UNIVERSAL;
    }
    String first = column[from];
    int prefix = first.length();
    int suffix = first.length();
    int shortest = first.length();
    for (int i = from + 1; i < to; i++) {
      shortest = Math.min(shortest, column[i].length());
      prefix = commonPrefix(first, column[i], prefix);
      suffix = commonSuffix(first, column[i], suffix);
    }
    suffix = suffixPartsPair(column, from, to, suffix) ? suffix - 1 : suffix;
    prefix = Math.min(prefix, shortest - suffix);
    prefix = prefixPartsPair(column, from, to, prefix) ? prefix - 1 : prefix;
    return new Level(false, prefix == 0 ? ABSENT : prefix, suffix == 0 ? ABSENT : suffix);
  }

  private static int commonPrefix(String a, String b, int most) {
    int length = Math.min(most, b.length());
    int i = 0;
    while (i < length && a.charAt(i) == b.charAt(i)) {
      i++;
    }
    return i;
  }

  private static int commonSuffix(String a, String b, int most) {
    int length = Math.min(most, b.length());
    int i = 0;
    while (i < length && a.charAt(a.length() - 1 - i) == b.charAt(b.length() - 1 - i)) {
      i++;
    }
    return i;
  }

  /** Whether cutting off the common prefix would part a surrogate pair in any of the values. */
  private static boolean prefixPartsPair(String[] column, int from, int to, int length) {
    if (length == 0 || !Character.isHighSurrogate(column[from].charAt(length - 1))) {
      return false;
    }
    for (int i = from; i < to; i++) {
      if (partsPair(column[i], length)) {
        return true;
      }
    }
    return false;
  }

  /** Whether cutting off the common suffix would part a surrogate pair in any of the values. */
  private static boolean suffixPartsPair(String[] column, int from, int to, int length) {
    String first = column[from];
    if (length == 0 || !Character.isLowSurrogate(first.charAt(first.length() - length))) {
      return false;
    }
    for (int i = from; i < to; i++) {
      if (partsPair(column[i], column[i].length() - length)) {
        return true;
      }
    }
    return false;
  }

  /** Whether cutting the text here would part a surrogate pair. */
  private static boolean partsPair(String text, int at) {
    return at > 0
        && at < text.length()
        && Character.isHighSurrogate(text.charAt(at - 1))
        && Character.isLowSurrogate(text.charAt(at));
  }

  private static boolean sameValues(String[] column, int from, int to) {
    for (int i = from + 1; i < to; i++) {
      if (!column[i].equals(column[from])) {
        return false;
      }
    }
    return true;
  }

  private static boolean sameCounts(Domains domains, int from, int to) {
    String first = domains.count(from).spelling();
    for (int i = from + 1; i < to; i++) {
      if (domains.count(i) != domains.count(from) && !domains.count(i).spelling().equals(first)) {
        return false;
      }
    }
    return true;
  }

  /** Whether the domains can be written in this form: what it says is common is common. */
  boolean fits(Domains domains, int from, int to) {
    if (levels.size() != domains.levels() || from == to) {
      return false;
    }
    for (int level = 0; level < levels.size(); level++) {
      if (!fits(levels.get(level), domains.column(level), from, to)) {
        return false;
      }
    }
    return !universalCounts || sameCounts(domains, from, to);
  }

  private static boolean fits(Level level, String[] column, int from, int to) {
    if (level.universal()) {
      return sameValues(column, from, to);
    }
    int prefix = Math.max(0, level.prefix());
    int suffix = Math.max(0, level.suffix());
    String first = column[from];
    for (int i = from; i < to; i++) {
      String value = column[i];
      if (value.length() - prefix < suffix
          || !value.regionMatches(0, first, 0, prefix)
          || !value.regionMatches(
              value.length() - suffix, first, first.length() - suffix, suffix)) {
        return false;
      }
    }
    return !prefixPartsPair(column, from, to, prefix) && !suffixPartsPair(column, from, to, suffix);
  }
}
