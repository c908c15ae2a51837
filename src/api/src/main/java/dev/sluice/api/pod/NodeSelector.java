package dev.sluice.api.pod;

import java.util.List;

/** Which nodes are meant: those that one of the terms fits. */
public record NodeSelector(List<NodeSelectorTerm> nodeSelectorTerms) {
  public NodeSelector {
    nodeSelectorTerms = List.copyOf(nodeSelectorTerms);
  }
}
