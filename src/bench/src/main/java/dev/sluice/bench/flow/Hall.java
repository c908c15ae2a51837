package dev.sluice.bench.flow;

import dev.sluice.bench.engine.Story.Kind;
import dev.sluice.bench.engine.Story.Plot;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The nodes that the pods of a plot are placed on: one block of racks. A unit of the plot's cpu is
 * two pods that fill a node, so the queues together own fifteen of sixteen nodes.
 *
 * @param preferring whether every workload prefers one rack; else every other one requires it
 */
record Hall(int racks, int nodesOfARack, boolean preferring) {
  static final int CPU_OF_A_NODE = 96;

  private static final int PODS_OF_A_UNIT = 2;

  /** The hall of a plot; empty where pods are not placed. */
  static Optional<Hall> of(Plot plot) {
    return plot.name().startsWith(Plots.PLACED)
        ? Optional.of(new Hall(10, 64, plot.name().contains("balanced")))
        : Optional.empty();
  }

  /** Every node, as JSON. */
  List<String> nodes() {
    List<String> nodes = new ArrayList<>();
    for (int rack = 0; rack < racks; rack++) {
      for (int node = 0; node < nodesOfARack; node++) {
        nodes.add(
            """
            {"apiVersion":"v1","kind":"Node","metadata":{"name":"r%1$d-n%2$d","labels":{
            "block":"b","rack":"r%1$d","kubernetes.io/hostname":"r%1$d-n%2$d"}},"status":{
            "allocatable":{"cpu":"%3$d","memory":"512Gi","pods":"110"},"conditions":[
            {"type":"Ready","status":"True","lastTransitionTime":"2026-01-01T00:00:00Z"}]}}\
            """
                .formatted(rack, node, CPU_OF_A_NODE));
      }
    }
    return nodes;
  }

  /** The members of the spec of a workload that ask for pods and their places. */
  String podSet(String name, Kind kind) {
    boolean requires = !preferring && (name.hashCode() & 1) == 0;
    return """
    "count":%d,"topologyRequest":{"%s":"rack"}\
    """
        .formatted(PODS_OF_A_UNIT * kind.cpu(), requires ? "required" : "preferred");
  }

  static int cpuOfAPod() {
    return CPU_OF_A_NODE / PODS_OF_A_UNIT;
  }
}
