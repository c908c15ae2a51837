package dev.sluice.quota.topology;

import dev.sluice.api.flavor.Topology;
import dev.sluice.api.flavor.TopologyLevel;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The node labels that name the domains of a topology, widest first. Never empty. */
public record Levels(List<String> labels) {
  /** The label whose value is one node. */
  public static final String HOSTNAME = "kubernetes.io/hostname";

  /** What {@link #of} answers for a label that is no level. */
  public static final int NONE = -1;

  public Levels {
    labels = List.copyOf(labels);
    if (labels.isEmpty()) {
      throw new IllegalArgumentException("levels: [] (expected: at least one level)");
    }
  }

  /** The levels, or null where the Topology {@linkplain #problem has a problem}. */
  public static @Nullable Levels of(Topology topology) {
    return problem(topology) == null
        ? new Levels(topology.spec().levels().stream().map(TopologyLevel::nodeLabel).toList())
        : null;
  }

  /** What is wrong with the levels, naming object and field; null where they can be used. */
  public static @Nullable String problem(Topology topology) {
    String name = "Topology " + topology.metadata().name() + ": ";
    List<TopologyLevel> levels = topology.spec().levels();
    if (levels.isEmpty()) {
      return name
          + "spec.levels is empty; delete it and create it anew, for levels cannot be added";
    }
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < levels.size(); i++) {
      String field = name + "spec.levels[" + i + "].nodeLabel ";
      String label = levels.get(i).nodeLabel();
      if (label == null || label.isBlank()) {
        return field + "is empty";
      }
      if (!seen.add(label)) {
        return field + "repeats " + label;
      }
      if (label.equals(HOSTNAME) && i < levels.size() - 1) {
        return field + "is " + HOSTNAME + ", which can only be the last level";
      }
    }
    return null;
  }

  public int count() {
    return labels.size();
  }

  public int lowest() {
    return labels.size() - 1;
  }

  public String label(int level) {
    return labels.get(level);
  }

  /** The level of that label, or {@link #NONE}. */
  public int of(String label) {
    return labels.indexOf(label);
  }

  /** Whether each of the smallest domains is one node. */
  public boolean endAtHosts() {
    return labels.getLast().equals(HOSTNAME);
  }
}
