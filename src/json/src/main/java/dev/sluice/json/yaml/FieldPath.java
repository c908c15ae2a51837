package dev.sluice.json.yaml;

import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * Reads the path of a field step by step, with the object at hand: names of members may hold dots
 * and brackets themselves. For one walk.
 */
final class FieldPath {
  private static final int MOST_DIGITS = 6;

  private String rest;

  FieldPath(String path) {
    this.rest = path;
  }

  /** The member among these that comes next, the longest if several could be; null for none. */
  @Nullable String nextKey(Collection<String> keys) {
    String plain = rest.startsWith(".") ? rest.substring(1) : rest;
    String found = null;
    for (String key : keys) {
      if ((found == null || key.length() > found.length())
          && (isNext(plain, key) || rest.startsWith("[" + key + "]"))) {
        found = key;
      }
    }
    if (found != null) {
      boolean bracketed = rest.startsWith("[" + found + "]");
      rest = bracketed ? rest.substring(found.length() + 2) : plain.substring(found.length());
    }
    return found;
  }

  private static boolean isNext(String path, String key) {
    return !key.isEmpty()
        && path.startsWith(key)
        && (path.length() == key.length()
            || path.charAt(key.length()) == '.'
            || path.charAt(key.length()) == '[');
  }

  /** The index that comes next; -1 if none does. */
  int nextIndex() {
    int end = rest.indexOf(']');
    String digits = rest.startsWith("[") && end > 0 ? rest.substring(1, end) : "";
    if (digits.isEmpty()
        || digits.length() > MOST_DIGITS
        || !digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
      return -1;
    }
    rest = rest.substring(end + 1);
    return Integer.parseInt(digits);
  }
}
