package dev.sluice.api.cel;

import dev.sluice.api.Quantity;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Types, equality and order of values. */
final class Values {
  /** The magnitude up to which each whole number is a double, and its neighbours are, too. */
  static final double EXACT_DOUBLES = 1L << 53;

  private Values() {}

  /** The name of its type, for messages. */
  static String type(Object value) {
    return switch (value) {
      case Boolean _ -> "a bool";
      case Long _ -> "an int";
      case Double _ -> "a double";
      case String _ -> "a string";
      case List<?> _ -> "a list";
      case Map<?, ?> _ -> "a map";
      case Quantity _ -> "a quantity";
      case Semver _ -> "a version";
      case CelOptional _ -> "an optional value";
      default -> "null";
    };
  }

  /** Whether two values are equal, numbers of whatever type by what they are. */
  static boolean equal(Object one, Object other, CelBudget budget) {
    budget.take(1);
    if (one instanceof Number && other instanceof Number) {
      return isOrdered(one, other) && compareNumbers(one, other) == 0;
    }
    if (one instanceof List<?> list && other instanceof List<?> others) {
      return equal(list, others, budget);
    }
    if (one instanceof Map<?, ?> map && other instanceof Map<?, ?> others) {
      return equal(map, others, budget);
    }
    if (one instanceof Semver version && other instanceof Semver otherVersion) {
      return version.compareTo(otherVersion) == 0;
    }
    return one.equals(other);
  }

  private static boolean equal(List<?> list, List<?> others, CelBudget budget) {
    boolean equal = list.size() == others.size();
    for (int i = 0; equal && i < list.size(); i++) {
      equal = equal(list.get(i), others.get(i), budget);
    }
    return equal;
  }

  private static boolean equal(Map<?, ?> map, Map<?, ?> others, CelBudget budget) {
    if (map.size() != others.size()) {
      return false;
    }
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      Object other = others.get(entry.getKey());
      if (other == null || !equal(entry.getValue(), other, budget)) {
        return false;
      }
    }
    return true;
  }

  /** Whether neither of two numbers is NaN. */
  static boolean isOrdered(Object one, Object other) {
    return !(one instanceof Double a && a.isNaN()) && !(other instanceof Double b && b.isNaN());
  }

  /**
   * The order of two values.
   *
   * @throws CelException if they have none
   */
  static int compare(Object one, Object other) {
    if (one instanceof Number && other instanceof Number) {
      return compareNumbers(one, other);
    }
    if (one instanceof String text && other instanceof String otherText) {
      return compareTexts(text, otherText);
    }
    if (one instanceof Boolean truth && other instanceof Boolean otherTruth) {
      return truth.compareTo(otherTruth);
    }
    throw new CelException("%s and %s cannot be compared".formatted(type(one), type(other)));
  }

  private static int compareNumbers(Object one, Object other) {
    if (one instanceof Long a && other instanceof Long b) {
      return a.compareTo(b);
    }
    return Double.compare(((Number) one).doubleValue() + 0.0, ((Number) other).doubleValue() + 0.0);
  }

  /** By code points, as UTF-8 orders them. */
  private static int compareTexts(String one, String other) {
    int[] a = one.codePoints().toArray();
    int[] b = other.codePoints().toArray();
    return Arrays.compare(a, b);
  }
}
