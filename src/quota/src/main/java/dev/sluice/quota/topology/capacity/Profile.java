package dev.sluice.quota.topology.capacity;

import dev.sluice.quota.request.Requests;
import dev.sluice.quota.topology.node.NodeFilter;
import org.jspecify.annotations.Nullable;

/**
 * All that decides how many pods a domain holds: requests with equal profiles share the counts.
 *
 * @param worker what one pod takes, one of {@code pods} included
 * @param leader what the pod takes that leads them, or null where there is none
 */
public record Profile(
    Requests worker, @Nullable Requests leader, NodeFilter filter, Slices slices) {}
