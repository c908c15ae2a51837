package dev.sluice.quota.device;

import dev.sluice.api.device.DeviceClass;
import dev.sluice.api.device.ResourceClaimTemplate;
import org.jspecify.annotations.Nullable;

/** The device classes, claim templates and devices of a cluster. Any thread may use it. */
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

        @Override
        public @Nullable DeviceClass deviceClass(String name) {
          return null;
        }

        @Override
        public ListedDevices devices() {
          return ListedDevices.NONE;
        }
      };

  /** The template of that name, or null. */
  @Nullable ResourceClaimTemplate template(String namespace, String name);

  /** The class whose devices serve that resource of containers, or null. */
  @Nullable String classServing(String extendedResource);

  /** The class of that name, or null. */
  @Nullable DeviceClass deviceClass(String name);

  /** The devices that drivers list in ResourceSlices. */
  ListedDevices devices();
}
