package dev.sluice.quota.amount;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ObjLongConsumer;

/**
 * How much of which flavor's resources something takes: a sparse vector in the order of {@link
 * FlavorResource}. It can hold zero amounts, which say that the flavor was assigned. Immutable.
 */
public final class Usage {
  /** Nothing of anything. */
  public static final Usage NONE = new Usage(new FlavorResource[0], new long[0]);

  private final FlavorResource[] keys;
  private final long[] amounts;

  private Usage(FlavorResource[] keys, long[] amounts) {
    this.keys = keys;
    this.amounts = amounts;
  }

  /** The amounts of that map. */
  public static Usage of(Map<FlavorResource, Long> amounts) {
    if (amounts.isEmpty()) {
      return NONE;
    }
    FlavorResource[] keys = amounts.keySet().toArray(FlavorResource[]::new);
    Arrays.sort(keys);
    long[] values = new long[keys.length];
    for (int i = 0; i < keys.length; i++) {
      values[i] = amounts.getOrDefault(keys[i], 0L);
    }
    return new Usage(keys, values);
  }

  /** How many flavor-resource pairs it names. */
  public int size() {
    return keys.length;
  }

  public FlavorResource key(int index) {
    return keys[index];
  }

  public long amount(int index) {
    return amounts[index];
  }

  /** The amount of that pair; 0 where it is not named. */
  public long of(FlavorResource key) {
    int index = Arrays.binarySearch(keys, key);
    return index < 0 ? 0 : amounts[index];
  }

  /** Whether it names the pair, with whatever amount. */
  public boolean names(FlavorResource key) {
    return Arrays.binarySearch(keys, key) >= 0;
  }

  /** The pairs it names, in order. */
  public List<FlavorResource> keys() {
    return List.of(keys);
  }

  public void forEach(ObjLongConsumer<FlavorResource> action) {
    for (int i = 0; i < keys.length; i++) {
      action.accept(keys[i], amounts[i]);
    }
  }

  /** This and the other together. */
  public Usage plus(Usage other) {
    var sum = new TreeMap<>(toLongs());
    other.forEach((key, amount) -> sum.merge(key, amount, Amounts::plus));
    return of(sum);
  }

  /** What this takes beyond the other, pair by pair, never below zero. */
  public Usage beyond(Usage other) {
    var rest = new TreeMap<>(toLongs());
    rest.replaceAll((key, amount) -> Amounts.notNegative(Amounts.minus(amount, other.of(key))));
    return of(rest);
  }

  /** Whether an amount is so large that sums with it are not exact. */
  public boolean isSaturated() {
    return Arrays.stream(amounts).anyMatch(it -> it == Amounts.UNLIMITED);
  }

  /** The same without the pairs of which it takes nothing. */
  public Usage withoutZeros() {
    boolean any = false;
    for (long amount : amounts) {
      any |= amount == 0;
    }
    if (!any) {
      return this;
    }
    var rest = new TreeMap<>(toLongs());
    rest.values().removeIf(amount -> amount == 0);
    return of(rest);
  }

  private Map<FlavorResource, Long> toLongs() {
    Map<FlavorResource, Long> map = new LinkedHashMap<>();
    forEach(map::put);
    return map;
  }

  /** The same as a map of values, in order. */
  public Map<FlavorResource, Amount> toMap() {
    Map<FlavorResource, Amount> map = new LinkedHashMap<>();
    forEach((key, amount) -> map.put(key, new Amount(amount)));
    return map;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Usage that
        && Arrays.equals(keys, that.keys)
        && Arrays.equals(amounts, that.amounts);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(keys) + Arrays.hashCode(amounts);
  }

  @Override
  public String toString() {
    return toMap().toString();
  }
}
