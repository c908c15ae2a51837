package dev.sluice.quota.request;

import static java.util.stream.Collectors.toUnmodifiableMap;

import dev.sluice.quota.configuration.ResourceTransformation;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Turns resources into what they count as. What is made out of inputs is summed first, and nothing
 * made is less than nothing; only then it is added to what stays as it is. So a negative factor
 * takes from other things made, never from what a pod asked for itself.
 */
final class Transformer {
  private final Map<String, ResourceTransformation> byInput;

  Transformer(List<ResourceTransformation> transformations) {
    this.byInput =
        transformations.stream()
            .collect(
                toUnmodifiableMap(
                    ResourceTransformation::input, Function.identity(), (first, _) -> first));
  }

  Map<String, BigDecimal> transform(Map<String, BigDecimal> pod) {
    if (byInput.isEmpty()) {
      return pod;
    }
    Map<String, BigDecimal> retained = new TreeMap<>();
    Map<String, BigDecimal> made = new TreeMap<>();
    pod.forEach(
        (resource, quantity) -> {
          ResourceTransformation transformation = byInput.get(resource);
          if (transformation == null || transformation.retain()) {
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
      ResourceTransformation transformation, BigDecimal quantity, Map<String, BigDecimal> pod) {
    @Nullable String multiplyBy = transformation.multiplyBy();
    return multiplyBy == null
        ? quantity
        : quantity.multiply(pod.getOrDefault(multiplyBy, BigDecimal.ONE));
  }

  private static void make(
      ResourceTransformation transformation, BigDecimal base, Map<String, BigDecimal> made) {
    transformation
        .outputs()
        .forEach(
            (output, factor) -> made.merge(output, base.multiply(factor.value()), BigDecimal::add));
  }
}
