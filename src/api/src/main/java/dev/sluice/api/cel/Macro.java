package dev.sluice.api.cel;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What is done for each item of a list, or for each key of a map. */
enum Macro {
  ALL("all"),
  EXISTS("exists"),
  EXISTS_ONE("exists_one"),
  FILTER("filter"),
  MAP("map");

  private final String text;

  Macro(String text) {
    this.text = text;
  }

  static Optional<Macro> named(String name) {
    for (Macro macro : values()) {
      if (macro.text.equals(name)) {
        return Optional.of(macro);
      }
    }
    return name.equals("existsOne") ? Optional.of(EXISTS_ONE) : Optional.empty();
  }

  /**
   * Applies it.
   *
   * @param first what is evaluated for each item
   * @param second of {@code map} with a condition: what is taken where the first holds
   */
  Object evaluate(Node target, String variable, Node first, @Nullable Node second, Scope scope) {
    Object of = target.evaluate(scope);
    Collection<?> items =
        switch (of) {
          case List<?> list -> list;
          case Map<?, ?> map -> map.keySet();
          default -> throw new CelException("%s has no items".formatted(Values.type(of)));
        };
    return switch (this) {
      case ALL -> decided(items, variable, first, false, scope);
      case EXISTS -> decided(items, variable, first, true, scope);
      case EXISTS_ONE -> chosen(items, variable, first, scope).size() == 1;
      case FILTER -> chosen(items, variable, first, scope);
      case MAP -> mapped(items, variable, first, second, scope);
    };
  }

  private static boolean decided(
      Collection<?> items, String variable, Node condition, boolean decides, Scope scope) {
    CelException failure = null;
    for (Object item : items) {
      scope.budget().take(1);
      try {
        if (Operators.truth(condition.evaluate(scope.with(variable, item))) == decides) {
          return decides;
        }
      } catch (CelException e) {
        failure = Operators.first(failure, e, scope);
      }
    }
    if (failure != null) {
      throw failure;
    }
    return !decides;
  }

  private static List<Object> chosen(
      Collection<?> items, String variable, Node condition, Scope scope) {
    List<Object> chosen = new ArrayList<>();
    for (Object item : items) {
      scope.budget().take(1);
      if (Operators.truth(condition.evaluate(scope.with(variable, item)))) {
        chosen.add(item);
      }
    }
    return chosen;
  }

  private static List<Object> mapped(
      Collection<?> items, String variable, Node first, @Nullable Node second, Scope scope) {
    List<Object> mapped = new ArrayList<>();
    for (Object item : second == null ? items : chosen(items, variable, first, scope)) {
      scope.budget().take(1);
      Node taken = second == null ? first : second;
      mapped.add(taken.evaluate(scope.with(variable, item)));
    }
    return mapped;
  }
}
