/** Nodes, and what the pods on them use that topology-aware scheduling did not place. */
@NullMarked
package dev.sluice.quota.topology.node;

import org.jspecify.annotations.NullMarked;
