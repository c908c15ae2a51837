package dev.sluice.quota.device;

import dev.sluice.api.device.ResourceClaimTemplate;
import org.jspecify.annotations.Nullable;

/** The device classes and claim templates of a cluster. */
public interface DeviceCatalog {
  /** A cluster without devices. */
  DeviceCatalog EMPTY =
      new DeviceCatalog() {
        @Override
        public @Nullable ResourceClaimTemplate template(String namespace, String name) {
          return null;
        }

        @Override
        public @Nullable String classServing(String extendedResource) {
          return null;
        }
      };

  /** The template of that name, or null. */
  @Nullable ResourceClaimTemplate template(String namespace, String name);

  /** The class whose devices serve that resource of containers, or null. */
  @Nullable String classServing(String extendedResource);
}
