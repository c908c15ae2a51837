/**
 * What rules ask of the quotas. {@link dev.sluice.rules.quota.QuotaView} is the port; the webhook
 * server answers it from what a scheduler or a watch shows.
 */
@NullMarked
package dev.sluice.rules.quota;

import org.jspecify.annotations.NullMarked;
