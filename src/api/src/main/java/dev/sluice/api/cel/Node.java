package dev.sluice.api.cel;

/** A part of an expression. Immutable. */
@FunctionalInterface
interface Node {
  /**
   * Its value.
   *
   * @throws CelException if it has none
   */
  Object evaluate(Scope scope);
}
