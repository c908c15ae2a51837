package dev.sluice.api.pod;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which nodes a pod must have, and which it would like. */
public record NodeAffinity(
    @Nullable NodeSelector requiredDuringSchedulingIgnoredDuringExecution,
    List<PreferredSchedulingTerm> preferredDuringSchedulingIgnoredDuringExecution) {
  public NodeAffinity {
    preferredDuringSchedulingIgnoredDuringExecution =
        List.copyOf(preferredDuringSchedulingIgnoredDuringExecution);
  }
}
