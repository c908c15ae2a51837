package dev.sluice.json;

/** Text from outside as it may stand in a message or a log line: short and printable. */
public final class Excerpt {
  private static final int LONGEST = 253; // as long as the longest name of an object

  private Excerpt() {}

  /** The first 253 characters; blanks stand for controls, lone surrogates and the like. */
  public static String of(String text) {
    return of(text, LONGEST);
  }

  /** The first so many characters, likewise. */
  public static String of(String text, int most) {
    StringBuilder excerpt = new StringBuilder();
    text.codePoints().limit(most).forEach(c -> excerpt.appendCodePoint(isPrintable(c) ? c : ' '));
    return excerpt.toString();
  }

  private static boolean isPrintable(int codePoint) {
    return switch (Character.getType(codePoint)) {
      case Character.CONTROL,
          Character.FORMAT, // among them those that turn the direction of a line
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.PRIVATE_USE,
          Character.SURROGATE,
          Character.UNASSIGNED ->
          false;
      default -> true;
    };
  }
}
