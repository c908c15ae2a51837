package dev.sluice.api.cel;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** What the operators mean. */
final class Operators {
  private Operators() {}

  static Object choose(Node condition, Node yes, Node no, Scope scope) {
    scope.budget().take(1);
    return truth(condition.evaluate(scope)) ? yes.evaluate(scope) : no.evaluate(scope);
  }

  static boolean truth(Object value) {
    if (value instanceof Boolean truth) {
      return truth;
    }
    throw new CelException("%s is no bool".formatted(Values.type(value)));
  }

  /**
   * The operands one after the other until one of them decides, whatever those before it are: an
   * error counts only if none does.
   */
  static Object logical(List<Node> operands, boolean decides, Scope scope) {
    CelException failure = null;
    for (Node operand : operands) {
      scope.budget().take(1);
      try {
        if (truth(operand.evaluate(scope)) == decides) {
          return decides;
        }
      } catch (CelException e) {
        failure = first(failure, e, scope);
      }
    }
    if (failure != null) {
      throw failure;
    }
    return !decides;
  }

  /** Nothing absorbs the end of the budget. */
  static CelException first(@Nullable CelException failure, CelException next, Scope scope) {
    if (scope.budget().isUsedUp()) {
      throw next;
    }
    return failure == null ? next : failure;
  }

  static List<Object> list(List<Node> items, Scope scope) {
    scope.budget().take(1L + items.size());
    List<Object> list = new ArrayList<>(items.size());
    for (Node item : items) {
      list.add(item.evaluate(scope));
    }
    return list;
  }

  static Map<Object, Object> map(Map<Node, Node> entries, Scope scope) {
    scope.budget().take(1L + entries.size());
    Map<Object, Object> map = new HashMap<>();
    entries.forEach(
        (key, value) -> {
          Object name = key.evaluate(scope);
          if (name instanceof Double || name instanceof List || name instanceof Map) {
            throw new CelException("%s is no key".formatted(Values.type(name)));
          }
          if (map.put(name, value.evaluate(scope)) != null) {
            throw new CelException("the key %s is there twice".formatted(name));
          }
        });
    return map;
  }

  static Object unary(String sign, Object operand) {
    if (sign.equals("!")) {
      return !truth(operand);
    }
    return switch (operand) {
      case Long number -> exact(() -> Math.negateExact(number));
      case Double number -> -number;
      default -> throw new CelException("%s has no negative".formatted(Values.type(operand)));
    };
  }

  static Object binary(String sign, Object left, Object right, CelBudget budget) {
    return switch (sign) {
      case "==" -> Values.equal(left, right, budget);
      case "!=" -> !Values.equal(left, right, budget);
      case "in" -> isIn(left, right, budget);
      case "<" -> Values.compare(left, right) < 0 && Values.isOrdered(left, right);
      case "<=" -> Values.compare(left, right) <= 0 && Values.isOrdered(left, right);
      case ">" -> Values.compare(left, right) > 0 && Values.isOrdered(left, right);
      case ">=" -> Values.compare(left, right) >= 0 && Values.isOrdered(left, right);
      default -> arithmetic(sign, left, right, budget);
    };
  }

  private static boolean isIn(Object value, Object all, CelBudget budget) {
    return switch (all) {
      case Map<?, ?> map -> map.containsKey(Members.key(value));
      case List<?> list -> {
        for (Object item : list) {
          if (Values.equal(value, item, budget)) {
            yield true;
          }
        }
        yield false;
      }
      default -> throw new CelException("nothing is in %s".formatted(Values.type(all)));
    };
  }

  private static Object arithmetic(String sign, Object left, Object right, CelBudget budget) {
    if (left instanceof Long a && right instanceof Long b) {
      return exact(() -> whole(sign, a, b));
    }
    if (left instanceof Double a && right instanceof Double b && !sign.equals("%")) {
      return decimal(sign, a, b);
    }
    if (sign.equals("+") && left instanceof String a && right instanceof String b) {
      budget.takeFor(a);
      budget.takeFor(b);
      return a + b;
    }
    if (sign.equals("+") && left instanceof List<?> a && right instanceof List<?> b) {
      budget.take((long) a.size() + b.size());
      List<Object> both = new ArrayList<>(a);
      both.addAll(b);
      return both;
    }
    throw new CelException(
        "there is no %s %s %s".formatted(Values.type(left), sign, Values.type(right)));
  }

  private static long whole(String sign, long a, long b) {
    return switch (sign) {
      case "+" -> Math.addExact(a, b);
      case "-" -> Math.subtractExact(a, b);
      case "*" -> Math.multiplyExact(a, b);
      case "/" -> Math.divideExact(a, b);
      default -> remainder(a, b);
    };
  }

  /** As in Go, where the smallest number has no remainder for -1. */
  private static long remainder(long a, long b) {
    Math.divideExact(a, b);
    return a % b;
  }

  private static Double decimal(String sign, double a, double b) {
    return switch (sign) {
      case "+" -> a + b;
      case "-" -> a - b;
      case "*" -> a * b;
      default -> a / b;
    };
  }

  /** An operation on whole numbers, of which the result has to be one of 64 bits. */
  private static Long exact(LongSupplier operation) {
    try {
      return operation.getAsLong();
    } catch (ArithmeticException e) {
      throw new CelException(String.valueOf(e.getMessage()));
    }
  }
}
