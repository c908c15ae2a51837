package dev.sluice.api.core;

import dev.sluice.api.flavor.Taint;
import dev.sluice.api.meta.Default;
import java.util.List;

/** Which pods a node takes. */
public record NodeSpec(@Default("false") boolean unschedulable, List<Taint> taints) {
  public NodeSpec {
    taints = List.copyOf(taints);
  }
}
