package dev.sluice.quota.tree;

import dev.sluice.quota.amount.FlavorResource;
import java.util.Map;
import java.util.Set;

/**
 * The changes of a {@link CohortForest#settle} that matter to pending workloads.
 *
 * @param uprooted the ClusterQueues that were added, moved, or have other cohorts above them:
 *     earlier refusals there are void
 * @param roots of all changed trees
 * @param pairs by root, whose quota, limits or usage changed somewhere in the tree; the columns of
 *     all other pairs are unchanged
 * @param reweighted the roots of trees in which a weight changed
 */
public record TreeEdits(
    Set<String> uprooted,
    Set<NodeName> roots,
    Map<NodeName, Set<FlavorResource>> pairs,
    Set<NodeName> reweighted) {}
