package dev.sluice.api.cel;

import java.util.Map;
import java.util.Set;

/**
 * An expression in the Common Expression Language, ready to be evaluated. Immutable; any thread may
 * use it.
 *
 * <p>The language is that of <a href="https://github.com/google/cel-spec">its specification</a>
 * without unsigned numbers, bytes, messages, types, timestamps and durations, and with what
 * Kubernetes adds for devices: quantities, versions, functions of texts, sets and lists, {@code
 * cel.bind}, and optional values. Values are {@link Boolean}, {@link Long}, {@link Double}, {@link
 * String}, {@link java.util.List}, {@link Map}, {@link dev.sluice.api.Quantity} and {@link Semver}.
 *
 * <p>Whatever the text is, reading it takes time in proportion to its length, which is bounded, and
 * evaluating it takes at most the steps of a {@link CelBudget}.
 */
public final class CelExpression {
  /** The longest expression that is read, in characters: the bound of the Kubernetes API. */
  public static final int MAX_LENGTH = 10 * 1024;

  private final String text;
  private final Node root;

  private CelExpression(String text, Node root) {
    this.text = text;
    this.root = root;
  }

  /**
   * Reads an expression.
   *
   * @param variables the names that it may use
   * @throws CelException that says what is wrong and where
   */
  public static CelExpression parse(String text, Set<String> variables) {
    if (text.length() > MAX_LENGTH) {
      throw new CelException(
          "has %d characters (expected: at most %d)".formatted(text.length(), MAX_LENGTH));
    }
    return new CelExpression(text, new Parser(new Lexer(text).tokens(), variables).expression());
  }

  /**
   * Evaluates it.
   *
   * @param variables the values of all variables, none of them null
   * @throws CelException if it has no value
   */
  public Object evaluate(Map<String, ?> variables, CelBudget budget) {
    return root.evaluate(new Scope(variables, budget));
  }

  /** Whether the other one is of the same text. */
  @Override
  public boolean equals(Object other) {
    return other instanceof CelExpression expression && text.equals(expression.text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  @Override
  public String toString() {
    return text;
  }
}
