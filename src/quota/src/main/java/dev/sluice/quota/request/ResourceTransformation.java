package dev.sluice.quota.request;

import dev.sluice.api.Quantity;
import dev.sluice.api.meta.Copies;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a resource counts as.
 *
 * @param input the resource that pods ask for
 * @param strategy whether the resource itself still counts
 * @param multiplyBy a resource of the same pod whose quantity the input is multiplied by first;
 *     without it, or where the pod does not ask for it, the input stays as it is
 * @param outputs how much of which resource one unit of the input is
 */
public record ResourceTransformation(
    String input, Strategy strategy, @Nullable String multiplyBy, Map<String, Quantity> outputs) {

  /** Whether the input still counts beside what it was turned into. */
  public enum Strategy {
    /** It does. */
    RETAIN,
    /** It does not. */
    REPLACE
  }

  /** Copies what is given. */
  public ResourceTransformation {
    outputs = Copies.of(outputs);
  }
}
