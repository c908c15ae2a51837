package dev.sluice.quota.request;

import dev.sluice.quota.amount.Amount;
import dev.sluice.quota.amount.Amounts;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongUnaryOperator;

/**
 * Amounts by resource, in the order of their names: thousandths of a core for cpu, whole units for
 * everything else. A requested resource with amount zero is included, since it needs a flavor.
 * Immutable.
 */
public final class Requests {
  /** Nothing of anything. */
  public static final Requests NONE = new Requests(new String[0], new long[0]);

  private final String[] resources;
  private final long[] amounts;

  private Requests(String[] resources, long[] amounts) {
    this.resources = resources;
    this.amounts = amounts;
  }

  /** These amounts. */
  public static Requests of(Map<String, Long> amounts) {
    Map<String, Long> sorted = new TreeMap<>(amounts);
    return sorted.isEmpty()
        ? NONE
        : new Requests(
            sorted.keySet().toArray(String[]::new),
            sorted.values().stream().mapToLong(Long::longValue).toArray());
  }

  /** These quantities, each rounded up to a whole unit; what is below nothing is nothing. */
  public static Requests ofQuantities(Map<String, BigDecimal> quantities) {
    Map<String, Long> amounts = new TreeMap<>();
    quantities.forEach(
        (resource, quantity) ->
            amounts.put(resource, Amounts.notNegative(Amount.requested(resource, quantity))));
    return of(amounts);
  }

  /** How many resources these are. */
  public int size() {
    return resources.length;
  }

  /** Whether no resource is requested, not even with an amount of zero. */
  public boolean isEmpty() {
    return resources.length == 0;
  }

  /** The resource at this place in the order of names. */
  public String resource(int index) {
    return resources[index];
  }

  /** The amount of the resource at this place in the order of names. */
  public long amount(int index) {
    return amounts[index];
  }

  /** Whether the resource is requested, even with an amount of zero. */
  public boolean has(String resource) {
    return Arrays.binarySearch(resources, resource) >= 0;
  }

  /** The amount of a resource; zero if it is not here. */
  public long amount(String resource) {
    int index = Arrays.binarySearch(resources, resource);
    return index < 0 ? 0 : amounts[index];
  }

  /** These amounts with this resource having this one. */
  public Requests with(String resource, long amount) {
    Map<String, Long> changed = asMap();
    changed.put(resource, amount);
    return of(changed);
  }

  /** Each amount times this many, saturated. */
  public Requests times(long count) {
    return each(amount -> Amounts.times(amount, count));
  }

  /** Each amount divided by this many, towards zero. */
  public Requests dividedBy(long count) {
    return each(amount -> Amounts.dividedBy(amount, count));
  }

  private Requests each(LongUnaryOperator operator) {
    return new Requests(resources, Arrays.stream(amounts).map(operator).toArray());
  }

  /** A map of its own with the same order. */
  public Map<String, Long> asMap() {
    Map<String, Long> map = LinkedHashMap.newLinkedHashMap(resources.length);
    for (int i = 0; i < resources.length; i++) {
      map.put(resources[i], amounts[i]);
    }
    return map;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Requests that
        && Arrays.equals(resources, that.resources)
        && Arrays.equals(amounts, that.amounts);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(resources) + Arrays.hashCode(amounts);
  }

  @Override
  public String toString() {
    return asMap().toString();
  }
}
