package dev.sluice.quota.topology.capacity;

import dev.sluice.api.flavor.ResourceFlavor;
import dev.sluice.api.flavor.Topology;
import dev.sluice.quota.topology.Levels;
import dev.sluice.quota.topology.node.NodeState;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which nodes belong to a flavor. */
final class FlavorNodes {
  private FlavorNodes() {}

  static boolean isMember(NodeState node, ResourceFlavor flavor, Levels levels) {
    Map<String, String> labels = node.node().metadata().labels();
    return labels.keySet().containsAll(levels.labels()) && hasLabels(labels, flavor);
  }

  static boolean hasLabels(Map<String, String> labels, ResourceFlavor flavor) {
    return labels.entrySet().containsAll(flavor.spec().nodeLabels().entrySet());
  }

  /** See {@link TopologyCache#unknownLevel}. */
  static @Nullable String unknownLevel(
      Iterable<NodeState> nodes, ResourceFlavor flavor, Topology topology) {
    Levels levels = Levels.of(topology);
    if (levels == null) {
      return null;
    }
    Set<String> known = new HashSet<>();
    boolean any = false;
    for (NodeState node : nodes) {
      Map<String, String> labels = node.node().metadata().labels();
      if (hasLabels(labels, flavor)) {
        any = true;
        known.addAll(labels.keySet());
        if (known.containsAll(levels.labels())) {
          return null;
        }
      }
    }
    for (int level = 0; any && level < levels.count(); level++) {
      if (!known.contains(levels.label(level))) {
        return "Topology %s: spec.levels[%d].nodeLabel %s is on no node of ResourceFlavor %s"
            .formatted(
                topology.metadata().name(), level, levels.label(level), flavor.metadata().name());
      }
    }
    return null;
  }
}
