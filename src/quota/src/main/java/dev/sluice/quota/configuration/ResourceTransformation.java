package dev.sluice.quota.configuration;

import dev.sluice.api.Quantity;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a requested resource is counted as.
 *
 * @param retain whether the input itself is still counted
 * @param multiplyBy another requested resource whose quantity multiplies the input's, or null
 * @param outputs how much of which resource one unit of the input stands for
 */
public record ResourceTransformation(
    String input, boolean retain, @Nullable String multiplyBy, Map<String, Quantity> outputs) {
  public ResourceTransformation {
    outputs = Map.copyOf(outputs);
  }
}
