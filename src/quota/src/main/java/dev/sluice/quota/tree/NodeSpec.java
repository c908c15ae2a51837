package dev.sluice.quota.tree;

import dev.sluice.quota.amount.FlavorResource;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A node as its object describes it.
 *
 * @param parent the name of its cohort, or null for a root
 * @param weight of its fair share, at least 0
 * @param quotas of what it lists; it has none of anything else
 */
public record NodeSpec(
    NodeName name, @Nullable String parent, double weight, Map<FlavorResource, Quota> quotas) {
  /** The weight of a node that does not name one. */
  public static final double DEFAULT_WEIGHT = 1;

  public NodeSpec {
    quotas = Map.copyOf(quotas);
  }

  /** A cohort that only its children's references bring into being. */
  static NodeSpec implicitCohort(String name) {
    return new NodeSpec(NodeName.cohort(name), null, DEFAULT_WEIGHT, Map.of());
  }
}
