/**
 * The fence: reservations beyond quota are refused. Start with {@link
 * dev.sluice.webhook.fence.FencedQuotaView}, which the rules use; its data come from a {@link
 * dev.sluice.webhook.fence.QuotaSource}.
 */
@NullMarked
package dev.sluice.webhook.fence;

import org.jspecify.annotations.NullMarked;
