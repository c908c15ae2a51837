/**
 * The rules for the clusters that jobs are sent to. Start at {@link
 * dev.sluice.webhook.rules.multikueue.MultiKueueClusterRules}.
 */
@NullMarked
package dev.sluice.webhook.rules.multikueue;

import org.jspecify.annotations.NullMarked;
