package dev.sluice.api.cel;

import java.util.Set;

/** The words that CEL does not take as names; literals such as {@code true} are not among them. */
public final class ReservedWords {
  private static final Set<String> WORDS =
      Set.of(
          "as",
          "break",
          "const",
          "continue",
          "else",
          "for",
          "function",
          "if",
          "import",
          "in",
          "let",
          "loop",
          "namespace",
          "package",
          "return",
          "var",
          "void",
          "while");

  private ReservedWords() {}

  /** Whether that is one of them. */
  public static boolean include(String word) {
    return WORDS.contains(word);
  }
}
