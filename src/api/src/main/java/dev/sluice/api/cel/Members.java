package dev.sluice.api.cel;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What maps, lists and optional values have. */
final class Members {
  private Members() {}

  static Object item(Object of, Object index) {
    if (of instanceof CelOptional(var value)) {
      return value.isEmpty() ? of : optionalItem(value.get(), index);
    }
    Object found = find(of, index);
    if (found == null) {
      throw new CelException(
          of instanceof List<?> ? "there is no item " + index : "there is no member " + index);
    }
    return found;
  }

  static Object optionalItem(Object of, Object index) {
    if (of instanceof CelOptional(var value)) {
      return value.isEmpty() ? of : optionalItem(value.get(), index);
    }
    Object found = find(of, index);
    return found == null ? CelOptional.NONE : CelOptional.of(found);
  }

  static boolean has(Object of, String name) {
    if (of instanceof CelOptional(var value)) {
      return value.isPresent() && has(value.get(), name);
    }
    return find(of, name) != null;
  }

  private static @Nullable Object find(Object of, Object index) {
    if (of instanceof Map<?, ?> map) {
      return map.get(key(index));
    }
    if (of instanceof List<?> list && key(index) instanceof Long at) {
      return at >= 0 && at < list.size() ? list.get(Math.toIntExact(at)) : null;
    }
    throw new CelException("%s has no members".formatted(Values.type(of)));
  }

  /** A whole number is the same key whatever its type. */
  static Object key(Object index) {
    boolean isWhole = index instanceof Double number && number == Math.rint(number);
    return isWhole && Math.abs((Double) index) < Values.EXACT_DOUBLES
        ? (Object) ((Double) index).longValue()
        : index;
  }
}
