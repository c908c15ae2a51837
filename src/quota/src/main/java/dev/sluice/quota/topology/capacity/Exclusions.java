package dev.sluice.quota.topology.capacity;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** How many leaves hold no pod, by what keeps pods off them. */
final class Exclusions {
  private static final int NONE = 0;

  private final Column reasons; // the number of each leaf's reason
  private final List<String> names;
  private final List<Integer> sizes;
  private final Map<String, Integer> numbers;

  /** No exclusions for so many leaves. */
  Exclusions(int leaves) {
    reasons = new Column(leaves);
    names = new ArrayList<>(List.of(""));
    sizes = new ArrayList<>(List.of(leaves));
    numbers = new HashMap<>();
  }

  private Exclusions(Exclusions other) {
    reasons = other.reasons.copy();
    names = new ArrayList<>(other.names);
    sizes = new ArrayList<>(other.sizes);
    numbers = new HashMap<>(other.numbers);
  }

  /** A copy that changes independently. */
  Exclusions copy() {
    return new Exclusions(this);
  }

  /** What keeps pods off the leaf is that, or nothing does. */
  void set(int leaf, @Nullable String reason) {
    int before = (int) reasons.get(leaf);
    int now = reason == null ? NONE : number(reason);
    if (now != before) {
      reasons.set(leaf, now);
      sizes.set(before, sizes.get(before) - 1);
      sizes.set(now, sizes.get(now) + 1);
    }
  }

  private int number(String reason) {
    Integer known = numbers.get(reason);
    if (known != null) {
      return known;
    }
    int number = unused();
    if (number == names.size()) {
      names.add(reason);
      sizes.add(0);
    } else {
      numbers.remove(names.set(number, reason));
    }
    numbers.put(reason, number);
    return number;
  }

  /** The number of an unused reason, or a new one. */
  private int unused() {
    for (int number = NONE + 1; number < sizes.size(); number++) {
      if (sizes.get(number) == 0) {
        return number;
      }
    }
    return sizes.size();
  }

  /** As a part of a sentence; empty where nothing is kept off any leaf. */
  String text() {
    Map<String, Integer> sorted = new TreeMap<>();
    for (int number = NONE + 1; number < names.size(); number++) {
      if (sizes.get(number) > 0) {
        sorted.put(names.get(number), sizes.get(number));
      }
    }
    return sorted.entrySet().stream()
        .map(e -> e.getValue() + " for " + e.getKey())
        .collect(Collectors.joining(", "));
  }
}
