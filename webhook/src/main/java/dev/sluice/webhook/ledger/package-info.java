/**
 * What admission knows of the quotas, and what it lets nobody reserve. Start with {@link
 * dev.sluice.webhook.ledger.QuotaSight}, which rules ask; {@link
 * dev.sluice.webhook.ledger.QuotaSource} is where it knows it from.
 */
@NullMarked
package dev.sluice.webhook.ledger;

import org.jspecify.annotations.NullMarked;
