package dev.sluice.quota.tree;

import dev.sluice.quota.amount.FlavorResource;
import java.util.Map;
import java.util.Set;

/**
 * What a {@link CohortForest#settle} has changed, for those who wait.
 *
 * @param uprooted the ClusterQueues that came, moved, or have other cohorts above them: whatever
 *     was found out there before says nothing any more
 * @param roots of all trees that are not what they were
 * @param pairs by root, of which quota, limits or what is in use changed somewhere in the tree; in
 *     the columns of all other pairs every node has what it had
 * @param reweighted the roots of trees in which somebody's weight changed
 */
public record TreeEdits(
    Set<String> uprooted,
    Set<NodeName> roots,
    Map<NodeName, Set<FlavorResource>> pairs,
    Set<NodeName> reweighted) {}
