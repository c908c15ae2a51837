package dev.sluice.quota.request;

import static java.util.stream.Collectors.toUnmodifiableMap;

import dev.sluice.api.configuration.Scheduling.Transformation;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Transforms resources. The outputs are summed first, and no sum is negative; then they are added
 * to the retained resources. So a negative factor reduces other outputs, never the pod's own
 * requests.
 */
final class Transformer {
  private final Map<String, Transformation> byInput;

  Transformer(List<Transformation> transformations) {
    this.byInput =
        transformations.stream()
            .collect(
                toUnmodifiableMap(Transformation::input, Function.identity(), (first, _) -> first));
  }

  Map<String, BigDecimal> transform(Map<String, BigDecimal> pod) {
    if (byInput.isEmpty()) {
      return pod;
    }
    Map<String, BigDecimal> retained = new TreeMap<>();
    Map<String, BigDecimal> made = new TreeMap<>();
    pod.forEach(
        (resource, quantity) -> {
          Transformation transformation = byInput.get(resource);
          if (transformation == null || !transformation.replace()) {
            retained.put(resource, quantity);
          }
          if (transformation != null) {
            make(transformation, base(transformation, quantity, pod), made);
          }
        });
    made.replaceAll((_, quantity) -> quantity.max(BigDecimal.ZERO));
    Quantities.add(retained, made);
    return retained;
  }

  private static BigDecimal base(
      Transformation transformation, BigDecimal quantity, Map<String, BigDecimal> pod) {
    return transformation
        .multiplyBy()
        .map(other -> quantity.multiply(pod.getOrDefault(other, BigDecimal.ONE)))
        .orElse(quantity);
  }

  private static void make(
      Transformation transformation, BigDecimal base, Map<String, BigDecimal> made) {
    transformation
        .outputs()
        .forEach(
            (output, factor) -> made.merge(output, base.multiply(factor.value()), BigDecimal::add));
  }
}
