package dev.sluice.api.cel;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.sluice.api.Quantity;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The functions, by name and number of operands. The names of methods start with a dot. Those of
 * texts are in {@link Texts}.
 */
final class Functions {
  private static final Map<String, Function> ALL = new HashMap<>();
  private static final double LONGS = 0x1p63;

  static {
    conversions();
    collections();
    patterns();
    quantities();
    versions();
    optionals();
    Texts.register(Functions::put);
  }

  private Functions() {}

  /** The function, or null. */
  static @Nullable Function find(String name, int operands) {
    return ALL.get(name + "/" + operands);
  }

  private static void put(String name, int operands, Function function) {
    ALL.put(name + "/" + operands, function);
  }

  private static void conversions() {
    put("dyn", 1, (operands, _) -> operands.getFirst());
    put("int", 1, (operands, _) -> whole(operands.getFirst()));
    put("double", 1, (operands, _) -> decimal(operands.getFirst()));
    put("string", 1, (operands, _) -> text(operands.getFirst()));
    put("bool", 1, (operands, _) -> truth(operands.getFirst()));
    put("size", 1, (operands, budget) -> size(operands.getFirst(), budget));
    put(".size", 1, (operands, budget) -> size(operands.getFirst(), budget));
  }

  private static long whole(Object value) {
    return switch (value) {
      case Long number -> number;
      case Double number when number > -LONGS && number < LONGS -> number.longValue();
      case String text when text.matches("[+-]?[0-9]{1,19}") -> parsed(text);
      default -> throw none("int", value);
    };
  }

  private static long parsed(String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException _) {
      throw none("int", text);
    }
  }

  private static double decimal(Object value) {
    return switch (value) {
      case Long number -> number;
      case Double number -> number;
      case String text
          when text.matches("[+-]?[0-9]{1,40}(\\.[0-9]{1,40})?([eE][+-]?[0-9]{1,3})?") ->
          Double.parseDouble(text);
      default -> throw none("double", value);
    };
  }

  private static boolean truth(Object value) {
    return switch (value) {
      case Boolean truth -> truth;
      case String text when text.equals("true") || text.equals("false") -> text.equals("true");
      default -> throw none("bool", value);
    };
  }

  private static String text(Object value) {
    return switch (value) {
      case String text -> text;
      case Long number -> number.toString();
      case Boolean truth -> truth.toString();
      case Double number -> shortest(number);
      default -> throw none("string", value);
    };
  }

  private static String shortest(double number) {
    boolean isWhole = number == Math.rint(number) && Math.abs(number) < Values.EXACT_DOUBLES;
    return isWhole ? Long.toString((long) number) : Double.toString(number);
  }

  private static CelException none(String type, Object value) {
    String shown = value instanceof String ? "'" + value + "'" : Values.type(value);
    return new CelException("%s is not to be had as %s".formatted(shown, type));
  }

  private static long size(Object value, CelBudget budget) {
    return switch (value) {
      case String text -> {
        budget.takeFor(text);
        yield text.codePointCount(0, text.length());
      }
      case List<?> list -> list.size();
      case Map<?, ?> map -> map.size();
      default -> throw new CelException("%s has no size".formatted(Values.type(value)));
    };
  }

  private static void collections() {
    put("sets.contains", 2, (it, budget) -> containsAll(list(it, 0), list(it, 1), budget));
    put(
        "sets.equivalent",
        2,
        (it, budget) ->
            containsAll(list(it, 0), list(it, 1), budget)
                && containsAll(list(it, 1), list(it, 0), budget));
    put(
        "sets.intersects",
        2,
        (it, budget) -> list(it, 1).stream().anyMatch(one -> contains(list(it, 0), one, budget)));
    put(".sum", 1, (it, budget) -> sum(list(it, 0), budget));
    put(".min", 1, (it, budget) -> extreme(list(it, 0), -1, budget));
    put(".max", 1, (it, budget) -> extreme(list(it, 0), 1, budget));
    put(".isSorted", 1, (it, budget) -> isSorted(list(it, 0), budget));
  }

  private static List<?> list(List<Object> operands, int index) {
    if (operands.get(index) instanceof List<?> list) {
      return list;
    }
    throw new CelException("%s is no list".formatted(Values.type(operands.get(index))));
  }

  private static boolean containsAll(List<?> list, List<?> all, CelBudget budget) {
    return all.stream().allMatch(one -> contains(list, one, budget));
  }

  private static boolean contains(List<?> list, Object one, CelBudget budget) {
    return list.stream().anyMatch(item -> Values.equal(item, one, budget));
  }

  private static Object sum(List<?> list, CelBudget budget) {
    Object sum = list.isEmpty() ? (Object) 0L : list.getFirst();
    for (Object item : list.isEmpty() ? list : list.subList(1, list.size())) {
      budget.take(1);
      sum = Operators.binary("+", sum, item, budget);
    }
    return sum;
  }

  private static Object extreme(List<?> list, int sign, CelBudget budget) {
    if (list.isEmpty()) {
      throw new CelException("an empty list has neither least nor greatest item");
    }
    Object extreme = list.getFirst();
    for (Object item : list) {
      budget.take(1);
      extreme = Values.compare(item, extreme) * sign > 0 ? item : extreme;
    }
    return extreme;
  }

  private static boolean isSorted(List<?> list, CelBudget budget) {
    for (int i = 1; i < list.size(); i++) {
      budget.take(1);
      if (Values.compare(list.get(i - 1), list.get(i)) > 0) {
        return false;
      }
    }
    return true;
  }

  private static void patterns() {
    put(".matches", 2, (it, budget) -> matcher(it, budget).find());
    put("matches", 2, (it, budget) -> matcher(it, budget).find());
    put(".find", 2, (it, budget) -> found(matcher(it, budget), 1).stream().findFirst().orElse(""));
    put(".findAll", 2, (it, budget) -> found(matcher(it, budget), Integer.MAX_VALUE));
  }

  /** RE2 takes time in proportion to both lengths. */
  private static Matcher matcher(List<Object> operands, CelBudget budget) {
    String text = Texts.text(operands, 0);
    String pattern = Texts.text(operands, 1);
    budget.take(1 + (long) pattern.length() * (1 + text.length() / Texts.STEP));
    try {
      return Pattern.compile(pattern).matcher(text);
    } catch (PatternSyntaxException e) {
      throw new CelException("'%s' is no pattern: %s".formatted(pattern, e.getDescription()));
    }
  }

  private static List<String> found(Matcher matcher, int most) {
    List<String> found = new ArrayList<>();
    while (found.size() < most && matcher.find()) {
      found.add(matcher.group());
    }
    return found;
  }

  private static void quantities() {
    put("quantity", 1, (it, _) -> quantity(Texts.text(it, 0)));
    put("isQuantity", 1, (it, _) -> Quantity.parse(Texts.text(it, 0)).isPresent());
    put(".compareTo", 2, (it, _) -> (long) Integer.signum(compare(it)));
    put(".isGreaterThan", 2, (it, _) -> compare(it) > 0);
    put(".isLessThan", 2, (it, _) -> compare(it) < 0);
    put(".sign", 1, (it, _) -> (long) number(it).signum());
    put(".isInteger", 1, (it, _) -> isLong(number(it)));
    put(
        ".asInteger",
        1,
        (it, _) -> {
          if (!isLong(number(it))) {
            throw new CelException("quantity %s is no int".formatted(it.getFirst()));
          }
          return number(it).longValue();
        });
    put(".asApproximateFloat", 1, (it, _) -> number(it).doubleValue());
    put(".add", 2, (it, _) -> sum(it, addend(it.get(1))));
    put(".sub", 2, (it, _) -> sum(it, addend(it.get(1)).negate()));
  }

  private static Quantity quantity(String text) {
    return Quantity.parse(text)
        .orElseThrow(() -> new CelException("'%s' is no quantity".formatted(text)));
  }

  private static int compare(List<Object> operands) {
    return switch (operands.getFirst()) {
      case Quantity one when operands.get(1) instanceof Quantity other -> one.compareTo(other);
      case Semver one when operands.get(1) instanceof Semver other -> one.compareTo(other);
      default ->
          throw new CelException(
              "%s and %s cannot be compared"
                  .formatted(Values.type(operands.get(0)), Values.type(operands.get(1))));
    };
  }

  private static BigDecimal number(List<Object> operands) {
    if (operands.getFirst() instanceof Quantity quantity) {
      return quantity.value();
    }
    throw new CelException("%s is no quantity".formatted(Values.type(operands.getFirst())));
  }

  private static boolean isLong(BigDecimal number) {
    return number.setScale(0, RoundingMode.DOWN).compareTo(number) == 0
        && number.toBigInteger().bitLength() < Long.SIZE;
  }

  private static BigDecimal addend(Object operand) {
    return switch (operand) {
      case Quantity quantity -> quantity.value();
      case Long number -> BigDecimal.valueOf(number);
      default -> throw new CelException("%s is no quantity".formatted(Values.type(operand)));
    };
  }

  private static Quantity sum(List<Object> operands, BigDecimal addend) {
    return quantity(number(operands).add(addend).toPlainString());
  }

  private static void versions() {
    put("semver", 1, (it, _) -> version(Texts.text(it, 0)));
    put("isSemver", 1, (it, _) -> Semver.parse(Texts.text(it, 0)).isPresent());
    put(".major", 1, (it, _) -> part(it, 0));
    put(".minor", 1, (it, _) -> part(it, 1));
    put(".patch", 1, (it, _) -> part(it, 2));
  }

  private static Semver version(String text) {
    return Semver.parse(text)
        .orElseThrow(() -> new CelException("'%s' is no version".formatted(text)));
  }

  private static Long part(List<Object> operands, int index) {
    if (operands.getFirst() instanceof Semver version) {
      return version.numbers().get(index);
    }
    throw new CelException("%s is no version".formatted(Values.type(operands.getFirst())));
  }

  private static void optionals() {
    put("optional.none", 0, (_, _) -> CelOptional.NONE);
    put("optional.of", 1, (it, _) -> CelOptional.of(it.getFirst()));
    put(".hasValue", 1, (it, _) -> optional(it, 0).isPresent());
    put(
        ".value",
        1,
        (it, _) ->
            optional(it, 0).orElseThrow(() -> new CelException("an optional value is absent")));
    put(".orValue", 2, (it, _) -> optional(it, 0).orElse(it.get(1)));
    put(".or", 2, (it, _) -> new CelOptional(optional(it, 0).or(() -> optional(it, 1))));
  }

  private static Optional<Object> optional(List<Object> operands, int index) {
    if (operands.get(index) instanceof CelOptional(var value)) {
      return value;
    }
    throw new CelException("%s is no optional value".formatted(Values.type(operands.get(index))));
  }
}
