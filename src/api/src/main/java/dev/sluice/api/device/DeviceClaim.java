package dev.sluice.api.device;

import java.util.List;

/** The devices of one claim, all of which a pod gets. */
public record DeviceClaim(List<DeviceRequest> requests) {
  public DeviceClaim {
    requests = List.copyOf(requests);
  }
}
