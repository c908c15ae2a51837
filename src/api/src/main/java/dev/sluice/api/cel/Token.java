package dev.sluice.api.cel;

/**
 * A word of an expression.
 *
 * @param text its characters; of a text what it stands for
 * @param at where it starts, counted from 1
 */
record Token(Kind kind, String text, int at) {
  enum Kind {
    NAME,
    INTEGER,
    NUMBER,
    TEXT,
    SIGN,
    END
  }

  boolean is(String sign) {
    return kind == Kind.SIGN && text.equals(sign);
  }

  CelException unexpected(String expected) {
    String found = kind == Kind.END ? "the end" : "'" + text + "'";
    return new CelException("at %d: %s (expected: %s)".formatted(at, found, expected));
  }
}
