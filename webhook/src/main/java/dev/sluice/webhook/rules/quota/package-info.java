/**
 * Rules that the kinds which hold quota share: resource groups and the fair sharing weight. {@link
 * dev.sluice.webhook.rules.quota.ResourceGroupShape} asks what the schema asks, {@link
 * dev.sluice.webhook.rules.quota.ResourceGroupRules} what the schema cannot.
 */
@NullMarked
package dev.sluice.webhook.rules.quota;

import org.jspecify.annotations.NullMarked;
