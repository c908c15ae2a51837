package dev.sluice.quota.amount;

import static java.util.Objects.requireNonNull;

/** What quota is counted for: one resource of one flavor. Ordered by flavor, then by resource. */
public record FlavorResource(String flavor, String resource) implements Comparable<FlavorResource> {
  public FlavorResource {
    requireNonNull(flavor, "flavor");
    requireNonNull(resource, "resource");
  }

  @Override
  public int compareTo(FlavorResource other) {
    int byFlavor = flavor.compareTo(other.flavor);
    return byFlavor != 0 ? byFlavor : resource.compareTo(other.resource);
  }

  @Override
  public boolean equals(Object other) { // by hand: asked for very often, also before it is compiled
    return other instanceof FlavorResource that
        && flavor.equals(that.flavor)
        && resource.equals(that.resource);
  }

  @Override
  public int hashCode() {
    return 31 * flavor.hashCode() + resource.hashCode();
  }

  @Override
  public String toString() {
    return flavor + "/" + resource;
  }
}
