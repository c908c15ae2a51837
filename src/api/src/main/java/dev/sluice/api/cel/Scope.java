package dev.sluice.api.cel;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The variables that a part of an expression sees, and the steps that are left. */
final class Scope {
  private final @Nullable Scope outer;
  private final Map<String, ?> variables;
  private final String name;
  private final Object value;
  private final CelBudget budget;

  /** The variables of an expression. */
  Scope(Map<String, ?> variables, CelBudget budget) {
    this(null, variables, "", CelNull.NULL, budget);
  }

  private Scope(
      @Nullable Scope outer,
      Map<String, ?> variables,
      String name,
      Object value,
      CelBudget budget) {
    this.outer = outer;
    this.variables = variables;
    this.name = name;
    this.value = value;
    this.budget = budget;
  }

  /** The same with a variable of a macro. */
  Scope with(String variable, Object ofVariable) {
    return new Scope(this, variables, variable, ofVariable, budget);
  }

  CelBudget budget() {
    return budget;
  }

  Object find(String variable) {
    for (Scope scope = this; scope != null; scope = scope.outer) {
      if (scope.outer != null && scope.name.equals(variable)) {
        return scope.value;
      }
    }
    Object found = variables.get(variable);
    if (found == null) {
      throw new CelException("there is no variable " + variable);
    }
    return found;
  }
}
