/**
 * When nodes fail for workloads: start with {@link
 * dev.sluice.scheduler.nodes.NodeFailureDetectorTest}.
 */
@NullMarked
package dev.sluice.scheduler.nodes;

import org.jspecify.annotations.NullMarked;
