/**
 * Nodes that fail under the pods of placed workloads. {@link
 * dev.sluice.lifecycle.nodes.NodeFailureDetector} is pure and says which nodes failed for a
 * workload and which of its pods can never start there; {@link
 * dev.sluice.lifecycle.nodes.NodeWatch} finds the workloads that a change of a node or pod
 * concerns. What follows from it is written with the rest of the workload's life.
 */
@NullMarked
package dev.sluice.lifecycle.nodes;

import org.jspecify.annotations.NullMarked;
