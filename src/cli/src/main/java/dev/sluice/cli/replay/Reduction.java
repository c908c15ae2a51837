package dev.sluice.cli.replay;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * Finds few items that still have a property, by leaving out halves, quarters, and so on down to
 * single ones, until none can be left out.
 */
final class Reduction {
  private Reduction() {}

  /**
   * The items that are left; all of them must have the property.
   *
   * @param goOn asked before each try whether there is time for it
   */
  static <T> List<T> of(List<T> items, Predicate<List<T>> hasIt, BooleanSupplier goOn) {
    List<T> left = items;
    for (int size = Math.max(1, left.size() / 2); ; size = Math.max(1, size / 2)) {
      boolean fewer = false;
      for (int start = 0; start < left.size() && goOn.getAsBoolean(); ) {
        List<T> rest = without(left, start, size);
        if (hasIt.test(rest)) {
          left = rest;
          fewer = true;
        } else {
          start += size;
        }
      }
      if (!goOn.getAsBoolean() || (size == 1 && !fewer)) {
        return left;
      }
    }
  }

  private static <T> List<T> without(List<T> items, int start, int count) {
    List<T> rest = new ArrayList<>(items.subList(0, start));
    rest.addAll(items.subList(Math.min(items.size(), start + count), items.size()));
    return rest;
  }
}
