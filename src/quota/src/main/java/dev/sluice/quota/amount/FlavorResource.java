package dev.sluice.quota.amount;

import static java.util.Objects.requireNonNull;

import java.util.Comparator;

/** What quota is counted for: one resource of one flavor. Ordered by flavor, then by resource. */
public record FlavorResource(String flavor, String resource) implements Comparable<FlavorResource> {
  private static final Comparator<FlavorResource> ORDER =
      Comparator.comparing(FlavorResource::flavor).thenComparing(FlavorResource::resource);

  public FlavorResource {
    requireNonNull(flavor, "flavor");
    requireNonNull(resource, "resource");
  }

  @Override
  public int compareTo(FlavorResource other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    return flavor + "/" + resource;
  }
}
