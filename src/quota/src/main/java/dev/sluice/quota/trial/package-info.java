/**
 * What-if on one tree: take workloads away, put them back, and ask what would fit. Start at {@link
 * dev.sluice.quota.trial.TreeTrial}.
 */
@NullMarked
package dev.sluice.quota.trial;

import org.jspecify.annotations.NullMarked;
