package dev.sluice.cluster.access;

import java.util.function.Function;

/** Tokens as they go into a header. */
final class Tokens {
  private Tokens() {}

  /**
   * The token without the blanks around it.
   *
   * @param problem makes the exception of what is wrong
   */
  static String checked(String text, Function<String, AccessException> problem) {
    String token = text.strip();
    if (token.isEmpty()) {
      throw problem.apply("is empty (expected: a token)");
    }
    if (!token.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
      throw problem.apply("is no token (expected: visible ASCII characters without blanks)");
    }
    return token;
  }
}
