package dev.sluice.quota.assign;

import dev.sluice.api.flavor.ResourceFlavor;
import org.jspecify.annotations.Nullable;

/** The flavors that exist. */
public interface FlavorCatalog {
  /** The flavor of that name, or null. */
  @Nullable ResourceFlavor find(String name);
}
