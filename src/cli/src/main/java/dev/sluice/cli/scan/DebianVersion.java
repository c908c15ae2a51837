package dev.sluice.cli.scan;

import java.util.Comparator;

/**
 * The order of versions of Debian's packages, as {@code dpkg --compare-versions} has it: epoch,
 * upstream version, and revision; {@code ~} comes before everything, also before the end.
 */
final class DebianVersion {
  static final Comparator<String> ORDER =
      Comparator.comparingLong(DebianVersion::epoch)
          .thenComparing(DebianVersion::upstream, DebianVersion::compareParts)
          .thenComparing(DebianVersion::revision, DebianVersion::compareParts);

  private DebianVersion() {}

  private static long epoch(String version) {
    int colon = version.indexOf(':');
    return colon > 0 && version.substring(0, colon).matches("[0-9]{1,9}")
        ? Long.parseLong(version.substring(0, colon))
        : 0;
  }

  private static String upstream(String version) {
    String rest = version.substring(version.indexOf(':') + 1);
    int dash = rest.lastIndexOf('-');
    return dash < 0 ? rest : rest.substring(0, dash);
  }

  private static String revision(String version) {
    int dash = version.lastIndexOf('-');
    return dash < 0 ? "0" : version.substring(dash + 1);
  }

  /** Letters and digits take turns; digits count as numbers. */
  private static int compareParts(String a, String b) {
    int i = 0;
    int j = 0;
    while (i < a.length() || j < b.length()) {
      while (isText(a, i) || isText(b, j)) {
        int difference = rank(a, i) - rank(b, j);
        if (difference != 0) {
          return difference;
        }
        i++;
        j++;
      }
      int fromA = i;
      int fromB = j;
      i = endOfDigits(a, i);
      j = endOfDigits(b, j);
      int difference = compareNumbers(a.substring(fromA, i), b.substring(fromB, j));
      if (difference != 0) {
        return difference;
      }
    }
    return 0;
  }

  private static boolean isText(String text, int at) {
    return at < text.length() && !isDigit(text.charAt(at));
  }

  private static boolean isDigit(char letter) {
    return letter >= '0' && letter <= '9';
  }

  /** The end counts like a digit; letters come before other signs. */
  private static int rank(String text, int at) {
    if (!isText(text, at)) {
      return 0;
    }
    char letter = text.charAt(at);
    if (letter == '~') {
      return -1;
    }
    return Character.isLetter(letter) ? letter : letter + 256;
  }

  private static int endOfDigits(String text, int from) {
    int end = from;
    while (end < text.length() && isDigit(text.charAt(end))) {
      end++;
    }
    return end;
  }

  private static int compareNumbers(String a, String b) {
    String left = a.replaceFirst("^0+", "");
    String right = b.replaceFirst("^0+", "");
    return left.length() == right.length()
        ? left.compareTo(right)
        : Integer.compare(left.length(), right.length());
  }
}
