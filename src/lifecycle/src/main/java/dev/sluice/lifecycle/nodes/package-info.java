/**
 * Nodes that fail under the pods of placed workloads. {@link
 * dev.sluice.lifecycle.nodes.NodeFailureDetector} is pure and decides which nodes failed for a
 * workload and which of its pods can never start there; {@link
 * dev.sluice.lifecycle.nodes.NodeWatch} finds the workloads that a change of a node or pod affects.
 * The Workload's reconciler writes the consequences.
 */
@NullMarked
package dev.sluice.lifecycle.nodes;

import org.jspecify.annotations.NullMarked;
