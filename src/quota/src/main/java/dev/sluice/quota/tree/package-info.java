/**
 * Hierarchical quota: cohorts and ClusterQueues as trees, what each node may use, uses and can
 * still get. Start at {@link dev.sluice.quota.tree.CohortForest}, which keeps the trees as objects
 * come and go; {@link dev.sluice.quota.tree.TreeShape} holds what follows from quotas alone and
 * {@link dev.sluice.quota.tree.QuotaUsage} what follows from usage.
 */
@NullMarked
package dev.sluice.quota.tree;

import org.jspecify.annotations.NullMarked;
