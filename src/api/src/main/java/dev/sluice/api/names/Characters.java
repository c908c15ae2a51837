package dev.sluice.api.names;

/**
 * The alphabets names are made of. Loops instead of regular expressions: a repeated group of
 * java.util.regex recurses, and a hostile name of some megabytes would end the stack.
 */
final class Characters {
  private Characters() {}

  static boolean isLowerCaseOrDigit(char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
  }

  static boolean isLetterOrDigit(char c) {
    return isLowerCaseOrDigit(c) || (c >= 'A' && c <= 'Z');
  }

  /** Whether the text is a DNS label of any length: lower case, digits, and hyphens inside. */
  static boolean isDnsLabel(String text) {
    if (text.isEmpty() || text.startsWith("-") || text.endsWith("-")) {
      return false;
    }
    for (int i = 0; i < text.length(); i++) {
      if (!isLowerCaseOrDigit(text.charAt(i)) && text.charAt(i) != '-') {
        return false;
      }
    }
    return true;
  }

  /** Whether the text may be the name part of a label key, or a label value, of any length. */
  static boolean isLabelName(String text) {
    if (text.isEmpty()
        || !isLetterOrDigit(text.charAt(0))
        || !isLetterOrDigit(text.charAt(text.length() - 1))) {
      return false;
    }
    for (int i = 0; i < text.length(); i++) {
      if (!isLetterOrDigit(text.charAt(i)) && "-_.".indexOf(text.charAt(i)) < 0) {
        return false;
      }
    }
    return true;
  }
}
