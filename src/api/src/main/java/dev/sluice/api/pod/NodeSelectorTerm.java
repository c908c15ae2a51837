package dev.sluice.api.pod;

import java.util.List;

/** Nodes for which all of this holds; a term without any condition fits no node. */
public record NodeSelectorTerm(
    List<NodeSelectorRequirement> matchExpressions, List<NodeSelectorRequirement> matchFields) {
  public NodeSelectorTerm {
    matchExpressions = List.copyOf(matchExpressions);
    matchFields = List.copyOf(matchFields);
  }
}
