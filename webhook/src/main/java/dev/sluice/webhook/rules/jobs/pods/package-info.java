/**
 * Pods that are jobs of their own, alone or as a group: start with {@link
 * dev.sluice.webhook.rules.jobs.pods.PodKind}. What makes two Pods alike for a scheduler is their
 * {@link dev.sluice.webhook.rules.jobs.pods.PodShape}.
 */
@NullMarked
package dev.sluice.webhook.rules.jobs.pods;

import org.jspecify.annotations.NullMarked;
