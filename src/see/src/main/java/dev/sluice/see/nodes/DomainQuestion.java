package dev.sluice.see.nodes;

import dev.sluice.api.Quantity;
import dev.sluice.quota.request.Requests;
import dev.sluice.quota.topology.capacity.Gang;
import dev.sluice.see.visibility.Page;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Which domains are shown.
 *
 * @param level the label of their level; empty for the one below {@code under}
 * @param under the values of a wider domain, the widest first; empty for all
 * @param gang the pods of which as many as fit are counted; empty for none
 * @param page which of the domains
 */
public record DomainQuestion(String level, List<String> under, Optional<Gang> gang, Page page) {
  private static final int MOST_PODS = 100_000;

  public DomainQuestion {
    under = List.copyOf(under);
  }

  /** The values in a text that separates them by slashes, which no value of a label has. */
  public static List<String> path(String text) {
    return text.isEmpty() ? List.of() : List.of(text.split("/", -1));
  }

  /**
   * The gang of so many pods with these requests each.
   *
   * @param pods a number; empty for 1
   * @param requests such as {@code cpu:4,nvidia.com/gpu:8}
   * @return empty if both are empty
   * @throws IllegalArgumentException with the parameter, its value, and what was expected
   */
  public static Optional<Gang> gang(String pods, String requests) {
    if (pods.isEmpty() && requests.isEmpty()) {
      return Optional.empty();
    }
    int count = 0;
    try {
      count = pods.isEmpty() ? 1 : Integer.parseInt(pods);
    } catch (NumberFormatException _) {
      // as one that is too small
    }
    if (count < 1 || count > MOST_PODS) {
      throw new IllegalArgumentException(
          "pods: '%s' (expected: a whole number from 1 to %d)".formatted(pods, MOST_PODS));
    }
    return Optional.of(new Gang(count, Requests.ofQuantities(quantities(requests))));
  }

  private static Map<String, BigDecimal> quantities(String requests) {
    Map<String, BigDecimal> quantities = new TreeMap<>();
    for (String request : requests.split(",", -1)) {
      int end = request.lastIndexOf(':');
      Optional<Quantity> amount =
          end <= 0 ? Optional.empty() : Quantity.parse(request.substring(end + 1));
      if (amount.isEmpty() || amount.get().value().signum() <= 0) {
        throw new IllegalArgumentException(
            "requests: '%s' (expected: resources with an amount of one pod, such as cpu:4,memory:8Gi)"
                .formatted(requests));
      }
      quantities.put(request.substring(0, end), amount.get().value());
    }
    return quantities;
  }
}
