package dev.sluice.api.pod;

import dev.sluice.api.meta.Default;
import org.jspecify.annotations.Nullable;

/**
 * A container, or an init container; an init container with the restart policy Always is a sidecar.
 */
public record Container(
    String name, @Default("{}") ResourceRequirements resources, @Nullable String restartPolicy) {
  public Container {
    name = name.intern(); // one of few for very many objects
  }
}
