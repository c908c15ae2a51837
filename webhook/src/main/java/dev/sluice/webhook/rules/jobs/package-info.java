/**
 * What all jobs share, written once: the queue name and its default, suspension, priority class,
 * the name of a prebuilt Workload, the longest run time, elastic jobs, other controllers, owners.
 * Start with {@link dev.sluice.webhook.rules.jobs.JobKind}; the kinds themselves are in {@code
 * kinds}, each a small file.
 */
@NullMarked
package dev.sluice.webhook.rules.jobs;

import org.jspecify.annotations.NullMarked;
