/**
 * The kinds of jobs, a small file each, with what only they have. {@link
 * dev.sluice.webhook.rules.jobs.kinds.JobKinds} lists them: a new kind is a new file and a line
 * there. Those with a switch that suspends them are {@link
 * dev.sluice.webhook.rules.jobs.kinds.SuspendableKind}s.
 */
@NullMarked
package dev.sluice.webhook.rules.jobs.kinds;

import org.jspecify.annotations.NullMarked;
