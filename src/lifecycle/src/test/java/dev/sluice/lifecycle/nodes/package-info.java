/**
 * When nodes fail for workloads: start with {@link
 * dev.sluice.lifecycle.nodes.NodeFailureDetectorTest}.
 */
@NullMarked
package dev.sluice.lifecycle.nodes;

import org.jspecify.annotations.NullMarked;
