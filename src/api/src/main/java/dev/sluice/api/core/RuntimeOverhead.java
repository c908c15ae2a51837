package dev.sluice.api.core;

import dev.sluice.api.Quantity;
import dev.sluice.api.meta.Copies;
import java.util.Map;

/** What running a pod costs beside its containers. */
public record RuntimeOverhead(Map<String, Quantity> podFixed) {
  public RuntimeOverhead {
    podFixed = Copies.of(podFixed);
  }
}
