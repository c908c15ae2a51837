/**
 * Keeps a Job from having more pods than it asked for, even if its controller acts on a stale
 * cache: see {@link dev.sluice.webhook.guard.PodGuard}. {@link dev.sluice.webhook.guard.Headcount}
 * counts, as a pure function of a Job and its pods.
 */
@NullMarked
package dev.sluice.webhook.guard;

import org.jspecify.annotations.NullMarked;
