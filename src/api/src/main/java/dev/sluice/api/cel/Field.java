package dev.sluice.api.cel;

/**
 * A member that an expression names, as in {@code a.b}.
 *
 * @param of what has the member
 */
record Field(Node of, String name) implements Node {
  @Override
  public Object evaluate(Scope scope) {
    scope.budget().take(1);
    return Members.item(of.evaluate(scope), name);
  }
}
