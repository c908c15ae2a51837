package dev.sluice.quota.topology.node;

import dev.sluice.api.Quantity;
import dev.sluice.quota.amount.Amount;
import dev.sluice.quota.amount.Amounts;
import dev.sluice.quota.request.Requests;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** A small number for each resource, so that amounts are arrays. Safe for several threads. */
public final class ResourceNumbers {
  public static final String PODS = "pods";

  /** What one pod uses of a domain: its requests, and one of {@code pods}. */
  public static Requests perPod(Requests requests) {
    return requests.with(PODS, requests.amount(PODS) + 1);
  }

  private static final long[] NOTHING = {};

  /** Never changed, only replaced: there are few resources, and one is new very rarely. */
  private volatile Map<String, Integer> numbers = Map.of();

  public int number(String resource) {
    Integer known = numbers.get(resource);
    return known == null ? added(resource) : known;
  }

  private synchronized int added(String resource) {
    Map<String, Integer> more = new HashMap<>(numbers);
    int number = more.getOrDefault(resource, more.size());
    more.put(resource, number);
    numbers = more;
    return number;
  }

  /** The amounts by number. */
  public long[] vector(Requests requests) {
    long[] vector = NOTHING;
    for (int i = 0; i < requests.size(); i++) {
      vector = with(vector, number(requests.resource(i)), requests.amount(i));
    }
    return vector;
  }

  /** The quantities by number. */
  public long[] vector(Map<String, Quantity> quantities) {
    long[] vector = NOTHING;
    for (var entry : quantities.entrySet()) {
      long amount = Amount.requested(entry.getKey(), entry.getValue());
      vector = with(vector, number(entry.getKey()), amount);
    }
    return vector;
  }

  private static long[] with(long[] vector, int number, long amount) {
    long[] changed = number < vector.length ? vector : Arrays.copyOf(vector, number + 1);
    changed[number] = amount;
    return changed;
  }

  /** The amount of that number; none where the vector does not reach so far. */
  public static long at(long[] vector, int number) {
    return number < vector.length ? vector[number] : 0;
  }

  /** The sum of the first and so many of the second, in an array of its own. */
  public static long[] plus(long[] vector, long[] other, long times) {
    long[] sum = Arrays.copyOf(vector, Math.max(vector.length, other.length));
    for (int i = 0; i < other.length; i++) {
      sum[i] = Amounts.plus(sum[i], Amounts.times(other[i], times));
    }
    return sum;
  }

  /** The amounts that are more than nothing, in an array of its own. */
  public static long[] positive(long[] vector) {
    long[] positive = vector.clone();
    for (int i = 0; i < positive.length; i++) {
      positive[i] = Math.max(0, positive[i]);
    }
    return positive;
  }

  public static boolean isZero(long[] vector) {
    for (long amount : vector) {
      if (amount != 0) {
        return false;
      }
    }
    return true;
  }
}
